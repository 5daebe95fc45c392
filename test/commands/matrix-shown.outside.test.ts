import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { matrix } from '../../src/commands/matrix/command.ts';
import { tellingLine } from '../../src/commands/matrix/result.ts';
import { client } from '../support/client-program.ts';
import { browserIsThere, expectAccessible, withBrowser } from '../support/console-page.ts';
import { temporaryFolder, watched } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { invoke, isAlive } from '../support/invocation.ts';
import { readMarkup } from '../support/markup.ts';

/**
 * Passes with the defaults, fails in one run with words that are markup everywhere, never comes to another,
 * and may fail in a third.
 */
const mixed = client(`
  await call('get-all-instructors');
  if (env.SANDBOX_RUN === 'unknownId=http-404') { console.error('Error: a | b <b>&amp;\\u0007 \\u001b[31m*red*\\u001b[0m ]]>'); process.exit(2); }
  if (env.SANDBOX_RUN === 'emptyBatch=refuse') process.exit(3);`);
const flags = [
  '--only',
  'unknownId=http-404,emptyBatch,openValues,rateLimitHeaders=ietf',
  '--allow',
  'emptyBatch',
];

const open = withBrowser();

describe('what lp-sandbox matrix shows', () => {
  it('is a page of HTML with the failed runs first, their calls and their output', async () => {
    const folder = temporaryFolder();
    const page = join(folder, 'matrix.html');
    const { code } = invoke(matrix, [...flags, '--report', page, ...mixed]);
    expect(await code).toBe(1);
    const html = readFileSync(page, 'utf8');
    const { text } = readMarkup(html, ['meta']);
    expect(html).not.toContain('<b>');
    // Each is named first where its details are.
    const places = ['Failed runs (1)', 'unknownId=http-404', 'Failed runs that are allowed (1)', 'All runs'];
    const found = places.map((place) => text.indexOf(place, text.indexOf('Failed runs (1)')));
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(found).not.toContain(-1);
    const [failed = ''] = /<article[^]*?<\/article>/.exec(html) ?? [];
    for (const part of [
      'exit code 2: Error: a | b &lt;b&gt;',
      'POST /public/get-all-instructors',
      '&quot;instructors&quot;',
      '*red*',
      'To repeat it:',
    ])
      expect(failed).toContain(part);
    if (!browserIsThere) return;
    const url = 'http://matrix.example/';
    const prepare = (made: Page) =>
      made.route(url, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await expectAccessible(await open(url, { prepare }));
  });

  it('is a table, a page of Markdown and JUnit XML, in which nothing that a program wrote is markup', async () => {
    const folder = temporaryFolder();
    const [md, xml] = [join(folder, 'matrix.md'), join(folder, 'deep', 'matrix.xml')];
    const { code, said } = invoke(matrix, [...flags, '--report', md, xml, ...mixed]);
    expect(await code).toBe(1);
    const { out, err } = said();
    const line = (name: string): string => out.split('\n').find((one) => one.startsWith(`${name} `)) ?? '';
    expect(out).toMatch(/^run +result +calls +violations +conduct +seconds +reason\n/);
    expect(line('defaults')).toMatch(/^defaults +passed +1 +0 +\d passed +\d\.\d$/);
    expect(line('unknownId=http-404')).toMatch(
      / failed +1 +0 +\d passed +\d\.\d {2}exit code 2: Error: a \| b <b>&amp;\ufffd \*red\* \]\]>$/,
    );
    expect(line('emptyBatch=refuse')).toMatch(
      / failed, as allowed +1 +0 +\d passed +\d\.\d {2}exit code 3, no output$/,
    );
    expect(line('openValues=plausible')).toMatch(
      / not met +1 +0 +\d passed +\d\.\d {2}passed, but not met: no response depended on openValues$/,
    );
    expect(out).toMatch(
      /\n5 runs: 2 passed, 2 failed \(1 allowed\), 1 not met\. All runs together met 1 of \d+ situations \(1 %\)\.\n$/,
    );
    expect(withoutTime(err).split('\n')).toEqual([
      '1/5  defaults passed (0.1 s)',
      '2/5  unknownId=http-404 failed (0.1 s): exit code 2: Error: a | b <b>&amp;\ufffd *red* ]]>',
      '3/5  emptyBatch=refuse failed, as allowed (0.1 s): exit code 3, no output',
      '4/5  rateLimitHeaders=ietf passed (0.1 s)',
      '5/5  openValues=plausible not met (0.1 s)',
      `lp-sandbox: wrote ${md}, ${xml}`,
      '',
    ]);

    const page = readFileSync(md, 'utf8');
    expect(page).toMatch(
      /^### ✗ 5 runs: .*\n\n\| run \| result \| calls \| violations \| conduct \| seconds \| reason \|\n\| --- \|/,
    );
    expect(
      page.match(
        /^\| .*unknownId=http-404.* \| failed \| 1 \| 0 \| \d passed \| \d\.\d \| exit code 2: Error: a \\\| b &lt;b&gt;&amp;amp;\ufffd \\\*red\\\* \\\]\\\]&gt; \|$/gm,
      ),
    ).toHaveLength(2);
    expect(page.match(/^\| (?!run |---)/gm)).toHaveLength(2 + 5);

    const suite = readFileSync(xml, 'utf8');
    expect(suite).toMatch(
      /<testsuite name="matrix" tests="6" failures="1" errors="0" time="[\d.]+" skipped="2">/,
    );
    expect(suite.match(/<testcase /g)).toHaveLength(6);
    const reason = 'exit code 2: Error: a | b &lt;b&gt;&amp;amp;\ufffd *red* ]]&gt;';
    expect(suite).toContain(`<failure message="${reason}" type="assumption">${reason}\n`);
    expect(suite).toContain('<skipped message="failed, as allowed: exit code 3, no output"/></testcase>');
    expect(suite).toContain(
      '<skipped message="passed, but not met: no response depended on openValues"/></testcase>',
    );
    expect(suite).not.toContain('\u001b');
  });

  it('is a line per run, and on a terminal one more with the current runs, which is written anew', async () => {
    const failing = client("await call('get-all-instructors'); process.exitCode = 7;");
    const onTerminal = invoke(matrix, ['--only', 'unknownId=http-404', ...failing], {
      terminals: { err: true },
    });
    const elsewhere = invoke(matrix, ['--only', 'unknownId=http-404', ...failing]);
    expect(await Promise.all([onTerminal.code, elsewhere.code])).toEqual([1, 1]);
    const drawn = onTerminal.said().err.split('\r\u001b[K');
    const lines = [
      '1/2  defaults failed (0.1 s): exit code 7, no output\n',
      '2/2  unknownId=http-404 failed (0.1 s): exit code 7, no output\n',
    ] as const;
    expect(drawn.map(withoutTime)).toEqual([
      '',
      '0/2  0 failed  defaults',
      lines[0],
      '1/2  1 failed  ',
      '1/2  1 failed  unknownId=http-404',
      lines[1],
      '2/2  2 failed  ',
      '',
    ]);
    expect(withoutTime(elsewhere.said().err)).toBe(lines.join(''));
    expect(onTerminal.said().out).not.toContain('\u001b');
  });

  it('keeps the end of what a program wrote, and nothing of it on its own streams', async () => {
    const file = join(temporaryFolder(), 'matrix.json');
    const body = "process.stdout.write('first ' + 'x'.repeat(200_000) + ' last'); process.exitCode = 1;";
    const { code, said } = invoke(matrix, ['--only', 'defaults', '--report', file, ...client(body)]);
    await code;
    const { runs } = JSON.parse(readFileSync(file, 'utf8')) as { runs: { output: string; reason: string }[] };
    expect(runs[0]?.output).toMatch(/^…x{1000,} last$/);
    expect(runs[0]?.output.length).toBe(64 * 1024 + 1);
    expect(runs[0]?.reason).toMatch(/^exit code 1: …x+…$/);
    expect(runs[0]?.reason.length).toBeLessThan(180);
    expect(said().out).not.toContain('xxxxx last');
  });

  it('is what was done until a signal came: then the program is ended, and the exit code tells the signal', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const program = [
      'sh',
      '-c',
      `[ "$SANDBOX_RUN" = defaults ] && curl -s -X POST "$SANDBOX_URL/public/get-all-instructors" && exit 1; sleep 60 & echo $! >'${pidFile}'; wait`,
    ];
    const { child, ended } = watched(['matrix', '--only', 'unknownId,scenarios', '--', ...program], {});
    const pid = await eventually(() => writtenNumber(pidFile));
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect(code).toBe(130);
    expect(out).toMatch(
      /\ndefaults +failed .*\n\ndefaults\n(?: .*\n)* {2}repeat lp-sandbox exec -- sh -c .*\n\n1 run: 0 passed, 1 failed\. All .*\n$/,
    );
    expect(err).toMatch(/\nlp-sandbox: stopped by SIGINT after 1 of \d+ runs; no report was written\.\n$/);
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });
});

/** Every time in it becomes the same. */
function withoutTime(text: string): string {
  return text.replaceAll(/\d\.\d s/g, '0.1 s');
}

/** The number in a file. Throws where it is not there yet. */
function writtenNumber(file: string): number {
  const [, digits] = /^(\d+)\n/.exec(readFileSync(file, 'utf8')) ?? [];
  if (digits === undefined) throw new Error('It is not written yet.');
  return Number(digits);
}

describe('the line that tells why a program failed', () => {
  const node = `file:///client.mjs:3
throw new TypeError('boom')
      ^

TypeError: boom
    at file:///client.mjs:3:7
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25) {
  code: 'ERR_X'
}

Node.js v20.20.2
`;
  const python = `Traceback (most recent call last):
  File "<string>", line 7, in <module>
    raise HTTPError(req.full_url, code, msg, hdrs, fp)
urllib.error.HTTPError: HTTP Error 403: Forbidden
`;
  const npm = `${node}npm error Lifecycle script \`test\` failed with error:\nnpm error code 1\nnpm error A complete log of this run can be found in: /x\n`;

  it.each([
    ['of Node', '', node, 'TypeError: boom'],
    ['of Python', '', python, 'urllib.error.HTTPError: HTTP Error 403: Forbidden'],
    ['of Node under npm', '> test\n> node client.mjs\n', npm, 'TypeError: boom'],
    [
      'of curl',
      '',
      'curl: (22) The requested URL returned error: 503\n',
      'curl: (22) The requested URL returned error: 503',
    ],
    [
      'of pytest, which writes to its output',
      'E   AssertionError: assert 2 == 1\n=== 1 failed, 3 passed in 0.12s ===\n',
      'a warning\n',
      'E AssertionError: assert 2 == 1',
    ],
    [
      'of a test runner',
      'ok 1\nnot ok 2 - lists assignments\n# pass 1\n',
      '',
      'not ok 2 - lists assignments',
    ],
    ['without colours', '', '\u001b[31mFAIL\u001b[39m  one\n\u001b[1mtwo\u001b[0m\n', 'FAIL one'],
    ['the last one where none looks like an error', 'one\ntwo\n\n', '', 'two'],
    ['the last one of stderr first', 'one\n', 'two\n', 'two'],
    ['nothing where there is nothing', '', ' \n', ''],
  ])('%s', (_, out, err, line) => {
    expect(tellingLine(out, err)).toBe(line);
  });

  it('is one line of at most 160 characters', () => {
    expect(tellingLine('', `Error: ${'é'.repeat(300)}`)).toHaveLength(160);
    expect(tellingLine('', 'Error: one\ttwo\rthree')).toBe('Error: one two');
  });
});
