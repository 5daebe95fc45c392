import { execFile, spawn } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCurl } from '../../src/control/curl.ts';
import type { JournalEntry } from '../../src/index.ts';
import { anyText } from '../support/any-text.ts';
import { items, quiz } from '../support/demo.ts';
import { world, type World } from '../support/world.ts';

/** What a shell writes that is given a command: as an argument, unless it is too long for one. */
function shell(command: string, env: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  return new Promise((done, fail) => {
    const variables = { PATH: process.env['PATH'] ?? '', ...env };
    execFile('sh', ['-c', command], { env: variables, encoding: 'buffer' }, (error, out) =>
      error === null ? done(out) : fail(error),
    );
  });
}

/** The same for a script that is too long to be an argument. */
function shellReading(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn('sh', ['-s'], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.on('error', fail).on('close', () => done(out));
    child.stdin.end(script);
  });
}

async function newest({ sandbox }: World): Promise<JournalEntry> {
  const entry = (await sandbox.journal.list()).at(-1);
  if (entry === undefined) throw new Error('The journal is empty');
  return entry;
}

/** Sends a body as it stands. */
function send({ post, sandbox }: World, body: string) {
  return post('get-quiz-details')
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .set('Content-Type', 'application/json')
    .send(body);
}

function variables({ sandbox }: World) {
  return { SANDBOX_API_KEY: sandbox.apiKey('riverside') };
}

/** Runs the command of the newest exchange: that exchange, and the one which came of it. */
async function again(
  own: World,
): Promise<{ readonly first: JournalEntry; readonly second: JournalEntry; readonly said: string }> {
  const first = await newest(own);
  const said = String(await shell(toCurl(first, own.url), variables(own)));
  const second = await newest(own);
  expect(second.requestId).not.toBe(first.requestId);
  return { first, second, said };
}

/** What has to be the same when a request is sent once more. */
function essence({ operation, school, status, outcome, url, request, response, faults }: JournalEntry) {
  return { operation, school, status, outcome, url, request, response, faults };
}

describe('an exchange as a curl command', () => {
  it('is one that a person can read', async () => {
    const own = await world();
    await own
      .call('get-quiz-details', { quizId: "it's" })
      .set('Sandbox-Fault', 'delay; ms=1')
      .query({ page: 1 });
    expect(toCurl(await newest(own), 'http://sandbox.example:4010')).toBe(
      [
        "curl 'http://sandbox.example:4010/public/get-quiz-details?page=1' \\",
        '  -H "SERVICE-API-KEY: $SANDBOX_API_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        "  -H 'sandbox-fault: delay; ms=1' \\",
        `  --data-raw '{"data":[{"data":{"quizId":"it'\\''s"}}]}'`,
      ].join('\n'),
    );
  });

  it.each([
    ['a good call', { quizId: quiz.id }],
    ['quotes of every kind', { quizId: `'"\`'' "'"$(id)` }],
    [
      'what a shell would replace',
      { quizId: '$HOME ${PATH} $(echo 1) `echo 1` ~ * ? [a] {a,b} ! # & ; | < > \\ \\n %s %%' },
    ],
    ['letters beyond ASCII', { quizId: 'größer 語 🎓 \u2028' }],
    ['an at-sign at the beginning', { quizId: '@/etc/hostname' }],
  ])('repeats %s', async (_, parameters) => {
    const own = await world();
    const reply = await own.call('get-quiz-details', parameters);
    const { first, second, said } = await again(own);
    expect(essence(second)).toEqual(essence(first));
    expect(said).toBe(reply.text);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', "@file 'x"],
    ['lines', '{\n  "data": [\n    { "data": {} }\n  ]\n}\n'],
    [
      'lines as Windows has them, and tabs',
      '{\r\n\t"data": [\r\n\t\t{ "data": { "quizId": "100%\\n" } }\r\n\t]\r\n}\r\n',
    ],
    ['control characters', '-n \0\x01\x1b[2J\x7f\u0085 %d \\0'],
  ])('repeats a body of %s', async (_, body) => {
    const own = await world();
    await send(own, body);
    const { first, second } = await again(own);
    expect(first.request).toBe(body);
    expect(essence(second)).toEqual(essence(first));
  });

  it('repeats a body that is longer than an argument may be', async () => {
    const own = await world();
    const reply = await own.call('get-quiz-details', { quizId: '語'.repeat(50_000) });
    const first = await newest(own);
    const said = await shellReading(toCurl(first, own.url), variables(own));
    expect(essence(await newest(own))).toEqual(essence(first));
    expect(said).toBe(reply.text);
  });

  it('repeats a query, even where curl would take it for a range', async () => {
    const own = await world();
    const { url, sandbox } = own;
    await fetch(`${url}/public/get-all-instructors?ids[]={1,2}&page=[1-3]&who='me'`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': sandbox.apiKey('riverside'), 'Content-Type': 'application/json' },
      body: '{"data":[{"data":{}}]}',
    });
    const { first, second } = await again(own);
    expect(first.url).toContain('ids[]={1,2}');
    expect(essence(second)).toEqual(essence(first));
    expect(await sandbox.journal.list()).toHaveLength(2);
  });

  it('repeats headers, an injected fault too, but not those that every client has of its own', async () => {
    const own = await world();
    await own
      .call('get-course-item-data', { courseItemId: items.article })
      .set('Sandbox-Fault', 'http-error; status=503; message="it\'s $HOME"')
      .set({ Origin: own.url, 'X-Forwarded-For': '192.0.2.1', 'Sandbox-Page': 'console' })
      .set('X-Trace', 'a "b" \\c')
      .set('X-Empty', '');
    const command = toCurl(await newest(own), own.url);
    expect(command).not.toMatch(
      /-H ['"](host|content-length|connection|user-agent|accept|accept-encoding|origin|x-forwarded-for|sandbox-page):/i,
    );
    const { first, second } = await again(own);
    expect(essence(second)).toEqual(essence(first));
    for (const name of ['content-type', 'sandbox-fault', 'x-trace', 'x-empty']) {
      expect({ [name]: second.requestHeaders[name] }).toEqual({ [name]: first.requestHeaders[name] });
      expect(first.requestHeaders).toHaveProperty(name);
    }
  });

  it('declares a type only where the call did', async () => {
    const own = await world();
    const { url, sandbox } = own;
    // fetch, unlike the other client, can be kept from declaring a type.
    const body = new Blob(['{"data":[{"data":{}}]}']);
    await fetch(`${url}/public/get-all-instructors`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': sandbox.apiKey('riverside') },
      body,
    });
    const { first, second } = await again(own);
    expect(first).toMatchObject({ status: 415, outcome: 'not-json' });
    expect(second.requestHeaders).not.toHaveProperty('content-type');
    expect(essence(second)).toEqual(essence(first));
  });

  it('never has the key in it, and asks for one only where the call had one', async () => {
    const own = await world();
    await own.call('get-all-instructors');
    const command = toCurl(await newest(own), own.url);
    expect(command).not.toContain(own.sandbox.apiKey('riverside'));
    expect(command).not.toContain('…');
    expect(
      toCurl({ ...(await newest(own)), requestHeaders: { 'content-type': 'application/json' } }, own.url),
    ).not.toContain('API');
  });

  it('says so where the body was not kept whole, and is a command all the same', async () => {
    const own = await world();
    await send(own, `{"data":[{"data":{"quizId":"${'x'.repeat(70_000)}"}}]}`);
    const first = await newest(own);
    expect(toCurl(first, own.url)).toMatch(
      /^# The body is incomplete: the journal did not store \d+ more characters\.\ncurl '/,
    );
    const { second } = await again(own);
    expect(second).toMatchObject({ outcome: 'malformed', request: first.request });
  });

  it('means just what it says to a shell, whatever is in it', async () => {
    const own = await world();
    await own.call('get-all-instructors');
    const entry = await newest(own);
    // In the place of curl: writes its arguments, and its input where it is told to read that.
    const stand = `curl() { printf '%s\\0' "$@"; case "$*" in *' --data-binary @-') cat;; esac; }`;
    const request = fc.string({ unit: fc.oneof(nasty, anyText({ minLength: 1, maxLength: 1 })) });
    const value = fc.string({ unit: nasty.filter((character) => character > '\r'), minLength: 1 });
    // A shell takes its time to start, so each is given several commands.
    const cases = fc.array(fc.record({ request, value }), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cases, async (several) => {
        const commands = several.map((one) =>
          toCurl({ ...entry, request: one.request, requestHeaders: { 'x-it': one.value } }, 'http://s'),
        );
        const meant = several.map((one, place) => {
          const options = [
            'http://s/public/get-all-instructors',
            '-H',
            'Content-Type:',
            '-H',
            `x-it: ${one.value}`,
          ];
          const piped = commands[place]?.endsWith(' --data-binary @-') ?? false;
          return [
            ...options,
            ...(piped ? ['--data-binary', '@-', one.request] : ['--data-raw', one.request, '']),
          ].join('\0');
        });
        expect(String(await shell([stand, ...commands].join('\n')))).toBe(meant.join(''));
      }),
      { numRuns: 2 },
    );
  });
});

const nasty = fc.constantFrom(...`'"\\$\`%-@!\n\r\t\0 #&;{}*1`.split(''));
