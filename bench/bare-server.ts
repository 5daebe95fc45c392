/**
 * The server that the sandbox is compared with: `node:http` that only parses the same requests, looks up the
 * same data and returns it.
 */
import { createServer } from 'node:http';
import { bareOperations } from './bare-operations.ts';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    // What the benchmark sends.
    const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      data: { data: Record<string, unknown> }[];
    };
    const name = (request.url ?? '').slice('/public/'.length);
    const run = bareOperations[name];
    if (run === undefined) throw new Error(`Add ${name} to bench/bare-operations.ts: nothing answers it.`);
    const origin = `http://${request.headers.host ?? ''}`;
    const outputs = data.map((element) => {
      try {
        return { output: { status: 'ok', data: run(element.data, origin) } };
      } catch (error) {
        return { output: { status: 'error', errorMessage: error instanceof Error ? error.message : '' } };
      }
    });
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(outputs));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
