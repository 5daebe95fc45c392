/** The least that answers: what the start of any Node server costs. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('[]'));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
