/**
 * A client that writes to several sandboxes as fast as it can, through every crash of the server, and tells on
 * standard output what was acknowledged. Arguments: its number, the port, how many sandboxes there are, and `balanced`
 * if a load balancer may answer for a server that has crashed.
 */
import { Agent, request } from 'node:http';

const [client = '0', port = '0', sandboxes = '0', place] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

interface Answer {
  readonly status: number;
  readonly id: string;
  readonly body: string;
}

/** Sends a call. Null if the connection broke: then the call may have had an effect or not. */
function call(path: string, sandbox: string, body: unknown): Promise<Answer | null> {
  return new Promise((done) => {
    const text = JSON.stringify(body);
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path: `/public/${path}`,
        method: 'POST',
        agent,
        headers: {
          'SERVICE-API-KEY': `sbx_${sandbox}_riverside`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(text),
        },
      },
      (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (piece: string) => (received += piece));
        response.on('error', () => done(null));
        response.on('end', () => {
          const id = String(response.headers['sandbox-request-id']);
          done({ status: response.statusCode ?? 0, id, body: received });
        });
      },
    );
    sent.on('error', () => done(null));
    sent.end(text);
  });
}

function tell(word: string, ...values: readonly (string | number)[]): void {
  process.stdout.write(`${[word, ...values].join(' ')}\n`);
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => void setTimeout(done, milliseconds));

/** Creates accounts, in turn one and a batch of three. Their addresses say which belong together. */
async function write(sandbox: string): Promise<never> {
  for (let number = 1; ; number += 1) {
    const addresses = Array.from(
      { length: number % 2 === 0 ? 3 : 1 },
      (_, index) => `c${client}-${number}-${index}@crash.example`,
    );
    tell('sent', sandbox, ...addresses);
    const answer = await call('create-instructor-account', sandbox, {
      data: addresses.map((instructorEmail) => ({ data: { instructorEmail, instructorName: 'Crash' } })),
    });
    const isOfBalancer = place === 'balanced' && (answer?.status ?? 0) >= 502;
    if (answer === null || isOfBalancer) await pause(20);
    else if (answer.status === 200 && !answer.body.includes('"error"'))
      tell('acknowledged', sandbox, answer.id, ...addresses);
    else tell('refused', sandbox, answer.id, answer.status, answer.body.replaceAll('\n', ' '));
  }
}

for (let sandbox = 0; sandbox < Number(sandboxes); sandbox += 1) void write(`s${sandbox}`);
