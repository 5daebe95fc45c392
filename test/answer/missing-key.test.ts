import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyHint } from '../../src/answer/key-header.ts';
import { startSandbox } from '../../src/index.ts';
import { supertest } from '../support/supertest.ts';

interface Violations {
  readonly violations: readonly {
    readonly id: string;
    readonly operation: string;
    readonly pointer: string;
    readonly message: string;
    readonly count: number;
  }[];
}

/** Makes calls on a server of its own, and returns the report on its default sandbox. */
async function reportAfter(
  ...calls: readonly (readonly [operation: string, headers: Readonly<Record<string, string>>])[]
): Promise<{ readonly text: string; readonly report: Violations }> {
  const server = await startSandbox({ port: 0 });
  onTestFinished(() => server.close());
  for (const [operation, headers] of calls)
    await supertest(server.url)
      .post(`/public/${operation}`)
      .set(headers)
      .send({ data: [{ data: {} }] });
  const report = await supertest(server.url).get('/control/sandboxes/default/report');
  const { text } = await supertest(server.url).get('/control/sandboxes/default/report.md');
  // The schema of reports has these members.
  return { text, report: report.body as Violations };
}

const sent = 'was sent without the header SERVICE-API-KEY, which every call must have.';

describe('a call without a key', () => {
  it(
    'violates the specification, also if the client never makes a call with one',
    { tags: ['slow'] },
    async () => {
      const { report, text } = await reportAfter(
        ['get-all-instructors', {}],
        ['get-all-instructors', {}],
        ['get-all-live-events', {}],
      );
      expect(report.violations).toEqual([
        expect.objectContaining({ operation: 'get-all-instructors', pointer: '', message: sent, count: 2 }),
        expect.objectContaining({ operation: 'get-all-live-events', pointer: '', message: sent, count: 1 }),
      ]);
      expect(text).toContain('violated the contract 3 times');
      expect(text).toContain(`| \`the body\` | ${sent} |`);
    },
  );

  it.each([
    ['SERVICE_API_KEY', 'It has a header "SERVICE_API_KEY", but the name is SERVICE-API-KEY, with dashes.'],
    ['SERVICES-API-KEY', 'It has a header "SERVICES-API-KEY". Did you mean "SERVICE-API-KEY"?'],
    ['X-Api-Key', 'A key was found in the header "X-Api-Key": send it in SERVICE-API-KEY instead.'],
  ])('names a similar header: %s', { tags: ['slow'] }, async (name, hint) => {
    const { report } = await reportAfter(['get-all-instructors', { [name]: 'sbx_default_riverside' }]);
    expect(report.violations.map(({ message }) => message)).toEqual([
      expect.stringMatching(new RegExp(`^${sent.replaceAll('.', '\\.')} `)),
    ]);
    expect(report.violations[0]?.message.toLowerCase()).toContain(hint.toLowerCase());
  });

  it('is told which header has the key, although another one has a similar name', async () => {
    const { report } = await reportAfter([
      'get-all-instructors',
      { 'SERVICE-API-KIND': 'sandbox', 'X-Token': 'sbx_default_riverside' },
    ]);
    expect(report.violations.map(({ message }) => message)).toEqual([
      `${sent} A key was found in the header "X-Token": send it in SERVICE-API-KEY instead.`,
    ]);
  });

  it('is one with an empty header, too', { tags: ['slow'] }, async () => {
    const { report } = await reportAfter(['get-all-instructors', { 'SERVICE-API-KEY': '' }]);
    expect(report.violations.map(({ message }) => message)).toEqual([
      'was sent with an empty header SERVICE-API-KEY, but every call must have a key.',
    ]);
  });

  const key = 'sbx_default_riverside';

  it.each([
    `Bearer ${key}`,
    `"${key}"`,
    `'${key}'`,
    `${key}, ${key}`,
    `SERVICE-API-KEY: ${key}`,
    `{{${key}}}`,
  ])('is one with more than a key in its header, too: %s', async (value) => {
    const { report } = await reportAfter(['get-all-instructors', { 'SERVICE-API-KEY': value }]);
    expect(report.violations.map(({ message }) => message)).toEqual([
      'was sent with more than a key in the header SERVICE-API-KEY. Send the key alone, once, without quotes and without a scheme such as "Bearer".',
    ]);
  });

  const advice = 'Send the key itself: check the variable or the template that it comes from.';

  it.each([
    ['undefined', 'the text of an empty variable'],
    ['null', 'the text of an empty variable'],
    ['None', 'the text of an empty variable'],
    ['NaN', 'the text of an empty variable'],
    ['[object Object]', 'the text of an empty variable'],
    ['Bearer undefined', 'the text of an empty variable'],
    ['"null"', 'the text of an empty variable'],
    ['${SANDBOX_API_KEY}', 'a placeholder that was not replaced'],
    ['$SANDBOX_API_KEY', 'a placeholder that was not replaced'],
    ['{{apiKey}}', 'a placeholder that was not replaced'],
    ['${{ secrets.KEY }}', 'a placeholder that was not replaced'],
  ])('is one whose header has a text that a program writes by mistake, too: %s', async (value, mistake) => {
    const { report } = await reportAfter(['get-all-instructors', { 'SERVICE-API-KEY': value }]);
    expect(report.violations.map(({ message }) => message)).toEqual([
      `was sent with ${mistake} in the header SERVICE-API-KEY. ${advice}`,
    ]);
  });

  it('has a finding with the same id in each run, which --allow names', { tags: ['slow'] }, async () => {
    const [one, other] = [
      await reportAfter(['get-all-instructors', {}]),
      await reportAfter(['get-all-instructors', {}]),
    ];
    expect(one.report.violations.map(({ id }) => id)).toEqual(other.report.violations.map(({ id }) => id));
    expect(one.report.violations[0]?.id).toMatch(/^violations:get-all-instructors:/);
  });

  it('differs from one with a key that matches no school: it may have been revoked', async () => {
    const { report } = await reportAfter(
      ['get-all-instructors', { 'SERVICE-API-KEY': 'sbx_default_nobody' }],
      ['get-all-instructors', { 'SERVICE-API-KEY': 'wrong' }],
      ['get-all-instructors', { 'SERVICE-API-KEY': 'invalid key' }],
      ['get-all-instructors', { 'SERVICE-API-KEY': 'Bearer wrong' }],
      ['get-all-instructors', { 'SERVICE-API-KEY': `wrong-${key}` }],
      ['get-all-instructors', { 'SERVICE-API-KEY': `${key}!` }],
      ['get-all-instructors', { 'SERVICE-API-KEY': key.toUpperCase() }],
      ['get-all-instructors', { 'SERVICE-API-KEY': 'nullified' }],
    );
    expect(report.violations).toEqual([]);
  });
});

describe('a call with several key headers', () => {
  it('violates the specification, which has one', async () => {
    const server = await startSandbox({ port: 0 });
    onTestFinished(() => server.close());
    const key = ['sbx_default_riverside', 'sbx_default_riverside'];
    const sending = request(`${server.url}/public/get-all-instructors`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'SERVICE-API-KEY': key },
    });
    sending.end('{"data":[{"data":{}}]}');
    await once(sending, 'response');
    const { violations } = await server.default.report();
    expect(violations.map(({ message }) => message)).toEqual([
      'was sent with 2 headers SERVICE-API-KEY, but every call must have exactly one.',
    ]);
  });
});

it('looks for the key once in all headers of a name, whatever their number', () => {
  let looks = 0;
  const headers = Array.from({ length: 190 }, () => ['a', '%2541']).flat();
  const header = (name: string): string | undefined => {
    looks += name === 'a' ? 1 : 0;
    return name === 'a' ? '%2541, '.repeat(190) : undefined;
  };
  expect(keyHint({ headers, header, query: '', body: '' })).toBe('');
  expect(looks).toBe(1);
});
