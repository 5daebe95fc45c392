import { it } from 'vitest';
import { Connection, type Arrival, type Reply } from './support/connection.ts';
import { hostileRequest, type HostileRequest } from './hostile/requests.ts';
import { phase, type Target } from './support/phase.ts';

/** `CHAOS_SEED` repeats a run; `CHAOS_ONLY` sends the request of one number alone. */
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000_000);
const only = process.env['CHAOS_ONLY'];
const count = 10_000;

/** How many are on their way at once. */
const lanes = 24;
/** Against what never ends. On a busy machine, reports on all sandboxes wait for each other. In milliseconds. */
const patience = 100_000;
/** How long to wait for one that a fault may delay for as long as it likes. */
const shortPatience = 300;

it('hostile requests', async (context) => {
  await phase(context, { maxMemoryMiB: 1024 }, async (target) => {
    target.note(`seed ${seed} (CHAOS_SEED=${seed} npm run test:chaos -- hostile repeats it)`);
    let next = only === undefined ? 0 : Number(only);
    const end = only === undefined ? count : next + 1;
    const take = (): number | null => {
      next += 1;
      return next > end ? null : next - 1;
    };
    const slow = slowClients(target);
    await Promise.all(Array.from({ length: lanes }, () => drive(target, take)));
    await slow;
  });
});

/** Sends one request after the other until there is none left, or the server is gone. */
async function drive(target: Target, take: () => number | null): Promise<void> {
  let connection: Connection | null = null;
  for (let number = take(); number !== null && target.crash() === null; number = take()) {
    const request = hostileRequest(seed, number);
    if (connection?.isOpen !== true) connection = new Connection(target.port);
    const wrong = await send(connection, request);
    target.sent();
    if (wrong === null) continue;
    connection.destroy();
    connection = null;
    if (wrong !== done) target.wrong(describe(number, request, wrong.why), wrong.status);
  }
  connection?.destroy();
}

/** The connection is of no more use. */
const done = { why: '', status: 0 };

interface Wrong {
  readonly why: string;
  readonly status: number;
}

/** Null if all is well, and the connection can be used again. */
async function send(connection: Connection, request: HostileRequest): Promise<Wrong | null> {
  for (const [index, piece] of request.pieces.entries()) {
    if (index > 0) await new Promise((then) => setTimeout(then, 2));
    connection.send(piece);
  }
  if (request.leaves !== null) {
    // Sometimes before anything has left, sometimes after.
    await new Promise((then) => setImmediate(then));
    connection.destroy(request.leaves);
    return done;
  }
  let last: Reply | null = null;
  for (const [index, method] of request.answered.entries()) {
    const arrival: Arrival | null = await connection.next(
      method,
      request.mayWait || request.mayEnd ? shortPatience : patience,
    );
    if (arrival === null)
      return request.mayWait || request.mayEnd
        ? done
        : { why: `No response within ${patience} ms.`, status: 0 };
    if ('ended' in arrival) {
      return request.mayEnd
        ? done
        : {
            why: `The connection ended (${arrival.ended}) before response ${index + 1} of ${request.answered.length}, after ${JSON.stringify(arrival.rest)}.`,
            status: 0,
          };
    }
    const why = whatIsWrong(request, method, arrival);
    if (why !== null) return { why: `${why}\n${shown(arrival)}`, status: arrival.status };
    last = arrival;
  }
  const isReusable =
    last !== null &&
    last.headers['connection'] !== 'close' &&
    !isStream(last) &&
    request.kind !== 'malformed';
  return isReusable ? null : done;
}

function isStream({ headers }: Reply): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** What must not be about a response; null if nothing. */
function whatIsWrong({ wantsProblem }: HostileRequest, method: string, reply: Reply): string | null {
  const { status, headers, body } = reply;
  if (status >= 500 && !isAllowed(reply)) return `An unexpected status ${status}.`;
  // A line of its own, also in JSON: sentences have "at", paths and times, too.
  if (/(\n|\\n) +at .{1,100}\(?(file:|node:|\/).{1,200}:\d+:\d+/.test(body.toString('latin1', 0, 100_000)))
    return 'It shows a stack.';
  if (status < 400 || !wantsProblem || method === 'HEAD') return null;
  if (headers['content-type'] !== 'application/problem+json; charset=utf-8')
    return `No problem document with status ${status}.`;
  try {
    // A problem document says its status; anything else is found out right here.
    const problem = JSON.parse(body.toString('utf8')) as { status?: unknown; detail?: unknown };
    return problem.status === status && typeof problem.detail === 'string'
      ? null
      : 'The problem document is incomplete.';
  } catch {
    return 'The problem document is no JSON.';
  }
}

/**
 * Injected faults are labelled; 503 may come of a limit, or of an assumption that somebody chose for rate
 * limits.
 */
function isAllowed({ status, headers, body }: Reply): boolean {
  if (headers['sandbox-fault'] !== undefined) return true;
  if (status !== 503) return false;
  if (
    headers['sandbox-limit'] !== undefined ||
    headers['sandbox-assumed']?.includes('throttleReply=http-503') === true
  )
    return true;
  return body.includes('"title":"No room"');
}

function shown({ status, headers, body }: Reply): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `The response: ${status}\n${lines.join('\n')}\n\n${body.toString('utf8').slice(0, 1000)}`;
}

const maxShown = 700;

function describe(number: number, { kind, pieces }: HostileRequest, why: string): string {
  const bytes = Buffer.concat(pieces);
  const text = JSON.stringify(bytes.toString('latin1', 0, maxShown));
  const more = bytes.length > maxShown ? ` and ${bytes.length - maxShown} more bytes` : '';
  const repeat = `CHAOS_SEED=${seed} CHAOS_ONLY=${number} npm run test:chaos -- hostile`;
  return `Request ${number} (${kind}): ${why}\nThe request, as latin1: ${text}${more}\nTo send it alone: ${repeat}`;
}

const slowCount = 40;
/** A client that takes longer than 10 s for its headers, or 20 s if the server is busy, is cut off in the next 5 s. */
const cutOffMs = 28_000;

/** Clients that send a byte now and then: the server cuts off those that do not finish their headers. */
async function slowClients(target: Target): Promise<void> {
  const text = 'POST /public/get-all-instructors HTTP/1.1\r\nHost: a\r\nX-Slow: ';
  const connections = Array.from({ length: slowCount }, () => new Connection(target.port));
  for (const connection of connections) connection.send(text);
  const timer = setInterval(() => connections.forEach((connection) => connection.send('a')), 500);
  const arrivals = await Promise.all(connections.map((connection) => connection.next('POST', cutOffMs)));
  clearInterval(timer);
  target.sent(slowCount);
  for (const connection of connections) connection.destroy();
  const wrong = arrivals.filter(
    (arrival) => arrival === null || 'ended' in arrival || arrival.status !== 408,
  );
  if (wrong.length > 0)
    target.wrong(
      `${wrong.length} of ${slowCount} slow clients did not get 408, the first: ${JSON.stringify(wrong[0])}`,
    );
}
