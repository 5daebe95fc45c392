import { it } from 'vitest';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { serverLimits } from '../../src/server-limits.ts';
import { requestExamples } from '../support/examples.ts';
import { ask, call, type Reply } from './support/connection.ts';
import { phase, type Target } from './support/phase.ts';

/** What a body may have, by the assumption `maxPayload`. In bytes. */
const payloads = { '1mb': 1_048_576, '10mb': 10_485_760 } as const;
type Payload = keyof typeof payloads;

const seed = 'generated:instructors=2000,videos=100000';
/** One with the long lists of the server's seed, one with the records that the documented examples name. */
const sandboxes = ['long-lists', 'examples'] as const;

const mostElements = serverLimits.batchElements.standard;
const mostValues = serverLimits.jsonValues.standard;
const mostReplyBytes = serverLimits.replyBytes.standard;

it('largest batches', async (context) => {
  await phase(context, { args: ['--seed', seed], maxMemoryMiB: 1536 }, (target) => attack(target, '1mb'));
});

it('largest batches, 10 MiB', async (context) => {
  await phase(context, { args: ['--seed', seed, '--assume', 'maxPayload=10mb'], maxMemoryMiB: 1536 }, (target) => attack(target, '10mb'));
});

async function attack(target: Target, payload: Payload): Promise<void> {
  const body = { id: 'examples', seed: 'demo', assumptions: { maxPayload: payload } };
  const created = await ask(target.port, 'POST', '/control/sandboxes', { body });
  if (created.status !== 201) throw new Error(`No sandbox: ${created.status} ${created.body.toString()}`);
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      for (const operation of operationNames) await attackOperation(target, { sandbox, operation, payload });
    }),
  );
}

interface Place {
  readonly sandbox: string;
  readonly operation: OperationName;
  readonly payload: Payload;
}

/** The largest batches of each kind, one after the other, each within the limits on what is sent, and one beyond each of them. */
async function attackOperation(target: Target, { sandbox, operation, payload }: Place): Promise<void> {
  const send = async (what: string, body: string, allowed: readonly number[]): Promise<Reply | null> => {
    if (target.crash() !== null) return null;
    target.sent();
    const about = `${operation} in ${sandbox}, ${what} (${body.length} bytes)`;
    try {
      const reply = await call(target.port, operation, { key: `sbx_${sandbox}_riverside`, body, within: 60_000 });
      const why = whatIsWrong(reply, allowed);
      if (why !== null) target.wrong(`${about}: ${why}`, reply.status);
      return reply;
    } catch (error) {
      target.wrong(`${about}: ${String(error)}`);
      return null;
    }
  };
  for (const [name, element] of Object.entries(elementsOf(operation))) {
    const one = await send(`one ${name}`, batch(element, 1), [200]);
    await send(`as many ${name} as there may be`, batch(element, mostThatFit(element, payload)), [200, 413, 503]);
    // The largest reply, too, if it takes fewer elements.
    const most = Math.floor((mostReplyBytes - 2) / Math.max(1, (one?.body.length ?? 0) - 1));
    if (most < mostThatFit(element, payload)) await send(`${name} up to the largest reply`, batch(element, most), [200, 503]);
  }
  await send('one huge element', huge(operation, payloads[payload]), [200]);
  await send('one element too many', batch('{"data":{}}', mostElements + 1), [413]);
  await send('one byte too many', `{"data":[]}${' '.repeat(payloads[payload] - 10)}`, [413]);
  await send('one value too many', `{"data":[{"data":{"a":[${'0,'.repeat(mostValues)}0]}}]}`, [413]);
}

/** Elements as JSON text, by what they are: each documented example, and one without parameters. */
function elementsOf(operation: OperationName): Readonly<Record<string, string>> {
  const examples = Object.entries(requestExamples(operation)).map(([name, { value }]) => {
    // An example of a request is an envelope.
    const { data } = value as { readonly data: readonly unknown[] };
    return [`"${name}"`, JSON.stringify(data[0])] as const;
  });
  return Object.fromEntries([...examples.slice(0, 1), ['empty elements', '{"data":{}}']]);
}

function mostThatFit(element: string, payload: Payload): number {
  const values = (element.match(/[,[{]/g) ?? []).length + 1;
  return Math.min(mostElements, Math.floor((payloads[payload] - 11) / (element.length * 1.05 + 1)), Math.floor((mostValues - 3) / values));
}

function batch(element: string, count: number): string {
  return `{"data":[${`${element},`.repeat(count).slice(0, -1)}]}`;
}

/** One element whose first text is as long as the body may be. */
function huge(operation: OperationName, bytes: number): string {
  const [element = '{"data":{}}'] = Object.values(elementsOf(operation));
  const withText = element.replace(/:"[^"]*"/, ':"@"');
  const text = `{"data":[${withText}]}`;
  return text.replace('@', () => 'x'.repeat(bytes - Buffer.byteLength(text)));
}

/** A limit may refuse a call, and says which one it is. */
function whatIsWrong({ status, headers, body }: Reply, allowed: readonly number[]): string | null {
  const beginning = body.toString('utf8', 0, 300);
  if (!allowed.includes(status)) return `status ${status}, not ${allowed.join(' or ')}: ${beginning}`;
  if (status === 200) return body.at(-1) === 0x5d ? null : `it does not end as a list: ${body.toString('utf8', body.length - 50)}`;
  if (status === 503 && headers['retry-after'] === undefined) return `503 without Retry-After: ${beginning}`;
  const isNamed = headers['sandbox-limit'] !== undefined || beginning.includes('The body is larger than');
  return isNamed ? null : `status ${status} without the limit: ${beginning}`;
}
