import { it } from 'vitest';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { serverLimits } from '../../src/base/server-limits.ts';
import { requestExamples } from '../support/examples.ts';
import { ask, call, type Reply } from './support/connection.ts';
import { phase, type Target } from './support/phase.ts';

/** What a body may have, by the assumption `maxPayload`. In bytes. */
const payloads = { '1mb': 1_048_576, '10mb': 10_485_760 } as const;
type Payload = keyof typeof payloads;

const seed = 'generated:instructors=2000,videos=100000';
const maxElements = serverLimits.batchElements.default;
const maxValues = serverLimits.jsonValues.default;
const maxReplyBytes = serverLimits.replyBytes.default;

it('largest batches', async (context) => {
  await phase(context, { args: ['--seed', seed], maxMemoryMiB: 1536 }, async (target) => {
    // The default seed has long lists; the documented examples name records of the seed `demo`.
    await Promise.all([
      attack(target, { sandbox: 'long-lists', payload: '1mb', element: 'empty' }),
      attack(target, { sandbox: 'examples', payload: '1mb', element: 'example', seed: 'demo' }).then(() =>
        attack(target, { sandbox: 'long-bodies', payload: '10mb', element: 'long' }),
      ),
    ]);
  });
});

interface Plan {
  readonly sandbox: string;
  readonly payload: Payload;
  readonly element: 'example' | 'empty' | 'long';
  readonly seed?: string;
}

async function attack(target: Target, plan: Plan): Promise<void> {
  const ofSeed = plan.seed === undefined ? {} : { seed: plan.seed };
  const body = { id: plan.sandbox, assumptions: { maxPayload: plan.payload }, ...ofSeed };
  const created = await ask(target.port, 'POST', '/control/sandboxes', { body });
  if (created.status !== 201) throw new Error(`No sandbox: ${created.status} ${created.body.toString()}`);
  for (const operation of operationNames) await attackOperation(target, plan, operation);
}

/**
 * The largest batches of each kind, one after the other, each within the limits on what is sent, and one
 * beyond each of them.
 */
async function attackOperation(
  target: Target,
  { sandbox, payload, element: kind }: Plan,
  operation: OperationName,
): Promise<void> {
  const send = async (
    what: string,
    body: string,
    allowed: readonly (number | 'ended')[],
  ): Promise<Reply | null> => {
    if (target.crash() !== null) return null;
    target.sent();
    const about = `${operation} in ${sandbox}, ${what} (${body.length} bytes)`;
    try {
      const reply = await call(target.port, operation, {
        key: `sbx_${sandbox}_riverside`,
        body,
        within: 60_000,
      });
      const why = whatIsWrong(reply, allowed);
      if (why !== null) target.wrong(`${about}: ${why}`, reply.status);
      return reply;
    } catch (error) {
      if (!allowed.includes('ended') || !String(error).includes('the connection ended'))
        target.wrong(`${about}: ${String(error)}`);
      return null;
    }
  };
  const element = elementOf(kind, operation);
  const one = await send('one element', batch(element, 1), [200]);
  const fitting = maxFitting(element, payload);
  await send('as many elements as there may be', batch(element, fitting), [200, 413, 503]);
  if (kind === 'long') {
    await send('one huge element', huge(operation, payloads[payload]), [200]);
    // The server does not read on, so a client that is still sending may meet the end of the connection
    // first.
    await send('one byte too many', `{"data":[]}${' '.repeat(payloads[payload] - 10)}`, [413, 'ended']);
    return;
  }
  // The largest reply, too, if it takes fewer elements.
  const most = Math.floor((maxReplyBytes - 2) / Math.max(1, (one?.body.length ?? 0) - 1));
  if (most < fitting) await send('elements up to the largest reply', batch(element, most), [200, 503]);
  await send('one element too many', batch('{"data":{}}', maxElements + 1), [413]);
  await send('one value too many', `{"data":[{"data":{"a":[${'0,'.repeat(maxValues)}0]}}]}`, [413]);
  await send('one byte too many', `{"data":[]}${' '.repeat(payloads[payload] - 10)}`, [413]);
}

/** An element as JSON text: as documented, with a long text in it, or without parameters. */
function elementOf(kind: Plan['element'], operation: OperationName): string {
  if (kind === 'empty') return '{"data":{}}';
  // An example of a request is an envelope.
  const examples = Object.values(requestExamples(operation)).map(
    ({ value }) => value as { readonly data: readonly unknown[] },
  );
  const element = JSON.stringify(examples[0]?.data[0] ?? { data: {} });
  return kind === 'example' ? element : withText(element, 'x'.repeat(900));
}

/** The element with a text in the place of its first one; in a field of no operation if it has none. */
function withText(element: string, text: string): string {
  const open = /:"[^"]*"/.test(element) ? element.replace(/:"[^"]*"/, ':"@"') : '{"data":{"a":"@"}}';
  return open.replace('@', () => text);
}

function maxFitting(element: string, payload: Payload): number {
  const values = (element.match(/[,[{]/g) ?? []).length + 1;
  return Math.min(
    maxElements,
    Math.floor((payloads[payload] - 11) / (element.length * 1.05 + 1)),
    Math.floor((maxValues - 3) / values),
  );
}

function batch(element: string, count: number): string {
  return `{"data":[${`${element},`.repeat(count).slice(0, -1)}]}`;
}

/** One element whose first text is as long as the body may be. */
function huge(operation: OperationName, bytes: number): string {
  const element = elementOf('example', operation);
  const rest = Buffer.byteLength(batch(withText(element, ''), 1));
  return batch(withText(element, 'x'.repeat(bytes - rest)), 1);
}

/** A limit may refuse a call, and says which one it is. */
function whatIsWrong(
  { status, headers, body }: Reply,
  allowed: readonly (number | 'ended')[],
): string | null {
  const beginning = body.toString('utf8', 0, 300);
  if (!allowed.includes(status)) return `status ${status}, not ${allowed.join(' or ')}: ${beginning}`;
  if (status === 200)
    return body.at(-1) === 0x5d
      ? null
      : `it does not end as a list: ${body.toString('utf8', body.length - 50)}`;
  if (status === 503 && headers['retry-after'] === undefined) return `503 without Retry-After: ${beginning}`;
  const isNamed = headers['sandbox-limit'] !== undefined || beginning.includes('The body is larger than');
  return isNamed ? null : `status ${status} without the limit: ${beginning}`;
}
