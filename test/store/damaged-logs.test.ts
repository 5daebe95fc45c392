import fs, { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { supertest } from '../support/supertest.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';

async function serve(data: string, warnings: string[] = []): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, data, warn: (message) => warnings.push(message) });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}

async function describeCoupon({ url }: SandboxServer, description: string): Promise<string> {
  const reply = await supertest(url)
    .post('/public/update-digital-product-coupon')
    .set('SERVICE-API-KEY', 'sbx_default_riverside')
    .send({
      data: [
        {
          data: {
            serviceCouponCodeId: coupon.id,
            serviceDigitalProductId: coupon.productId,
            description,
          },
        },
      ],
    });
  expect(reply.body).toMatchObject([{ output: { status: 'ok' } }]);
  return String(reply.headers['sandbox-request-id']);
}

const descriptionIn = async (server: SandboxServer): Promise<string | undefined> =>
  (await server.default.state.get('coupons', coupon.id))?.description;

/**
 * Leaves the files of a crash: a state file with "stored", and after it a line that reserves request ids, and lines
 * with "one", "two" and "three".
 */
async function crashed() {
  const data = temporaryFolder();
  const first = await serve(data);
  await describeCoupon(first, 'stored');
  await first.close();
  const second = await serve(data);
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) ids.push(await describeCoupon(second, text));
  const copy = crashCopy(data);
  const name = readdirSync(copy).find((file) => file.endsWith('.log')) ?? '';
  const lines = readFileSync(join(copy, name), 'utf8').split('\n').slice(0, -1);
  return { copy, name, lines, ids, firstLine: Number(name.split('.')[1]) };
}

const isSetAside = (name: string): boolean => name.includes('.unusable-');

describe('a damaged line of a log has no effect, and the lines before it have all of theirs', () => {
  it.each([
    ['is no JSON', '"changes":', '"changes"', 'JSON'],
    [
      'has counts with an unknown member',
      '"counted":',
      '"coqnted":',
      '/counts/window/coqnted is not a known',
    ],
    ['has an unknown member', '"changes":', '"chanfes":', '/chanfes is not a known field'],
    ['has an unknown collection', '"coupons":', '"cuopons":', '/changes/cuopons is not a collection'],
    ['has a record that does not fit', '"three"', '3', `/changes/coupons/${coupon.id}/description must be`],
    ['has no number', '{"line":', '{"lime":', '/lime is not a known field'],
    ['has no changes', /"changes":\{.*\}\]\}/, '"changes":[]', '/changes must be an object, but is an empty'],
  ])('if it %s', { tags: ['slow'] }, async (_, part, damage, reason) => {
    const { copy, name, lines, firstLine } = await crashed();
    const damaged = lines.with(3, (lines[3] ?? '').replace(part, damage));
    expect(damaged).not.toEqual(lines);
    writeFileSync(join(copy, name), `${damaged.join('\n')}\n`);
    const warnings: string[] = [];
    const server = await serve(copy, warnings);
    expect(warnings).toEqual([
      expect.stringContaining(`${join(copy, name)} is damaged: the part before byte `),
    ]);
    expect(warnings[0]).toContain(reason);
    expect(await descriptionIn(server)).toBe('two');
    // The next line has the number of the damaged one, so that none is missing.
    await eventually(() => {
      const stored: unknown = JSON.parse(readFileSync(join(copy, 'default.json'), 'utf8'));
      expect(stored).toMatchObject({ upTo: firstLine + 2 });
    });
    await describeCoupon(server, 'next');
    expect(await descriptionIn(await serve(crashCopy(copy), warnings))).toBe('next');
    expect(warnings).toHaveLength(1);
  });

  it(
    'even if a newer version could have written it in another form: then the files are not touched',
    { tags: ['slow'] },
    async () => {
      const { copy, name, lines } = await crashed();
      const newer = `${lines.join('\n')}\n{"line":9,"version":4,"changes":[{"op":"x"}],"new":{}}\n`;
      writeFileSync(join(copy, name), newer);
      await expect(serve(copy)).rejects.toThrow(
        `${join(copy, name)} cannot be used: its version is the number 4, but this program reads 3, 2 and 1.`,
      );
      expect(readFileSync(join(copy, name), 'utf8')).toBe(newer);
      expect(readdirSync(copy).filter(isSetAside)).toEqual([]);
    },
  );
});

/** Returns the first line of a log that continues others. */
function withHeader(
  line: string,
  header: { readonly id: string; readonly after: readonly string[] },
): string {
  return line.replace(/^\{"line":\d+/, (start) => `${start},"version":3,"log":${JSON.stringify(header)}`);
}

/** Starts a server on the lines of a crash in several logs, each of which begins with the line at a place. */
async function startOn(edit: (logs: string[]) => void, places: readonly number[] = [0, 3]) {
  const { copy, name, lines, ids, firstLine } = await crashed();
  rmSync(join(copy, name));
  const [, firstId = ''] = /"log":\{"id":"([^"]+)"/.exec(lines[0] ?? '') ?? [];
  const logs = places.map((place, index) => {
    const [first = '', ...others] = lines.slice(place, places[index + 1]);
    const header = { id: `log ${index}`, after: [index === 1 ? firstId : `log ${index - 1}`] };
    return `${[index === 0 ? first : withHeader(first, header), ...others].join('\n')}\n`;
  });
  edit(logs);
  const names = places.map((place) => `default.${firstLine + place}.log`);
  for (const [index, log] of logs.entries()) writeFileSync(join(copy, names[index] ?? ''), log);
  const warnings: string[] = [];
  const start = (): Promise<SandboxServer> => serve(copy, warnings);
  return { copy, names, ids, warnings, start };
}

const edited = (index: number, edit: (text: string) => string) => (logs: string[]) => {
  logs[index] = edit(logs[index] ?? '');
};

describe('one of several logs', () => {
  it.each([
    ['the last of two', [0, 3], 1, 'two'],
    ['the first of two', [0, 3], 0, 'stored'],
    ['the one in the middle', [0, 2, 3], 1, 'one'],
  ] as const)(
    'that is %s, and whose beginning is damaged, is reported and set aside',
    { tags: ['slow'] },
    async (_, places, at, left) => {
      const { names, warnings, start } = await startOn(
        edited(at, (text) => `z${text.slice(1)}`),
        places,
      );
      const server = await start();
      expect(warnings).toEqual([expect.stringContaining(names[at] ?? '')]);
      expect(await descriptionIn(server)).toBe(left);
      await describeCoupon(server, 'next');
    },
  );

  it(
    'that another program has replaced keeps the server from starting, which names it',
    { tags: ['slow'] },
    async () => {
      const { copy, names, start } = await startOn(edited(1, () => 'hello\n'));
      const file = join(copy, names[1] ?? '');
      await expect(start()).rejects.toThrow(
        `would be stored in ${file}, but that file is not a file of this`,
      );
      expect(readFileSync(file, 'utf8')).toBe('hello\n');
    },
  );

  it(
    'that another program has replaced is damaged if a later one shows that it was ours',
    { tags: ['slow'] },
    async () => {
      const { names, warnings, start } = await startOn(
        edited(1, () => 'hello\n'),
        [0, 2, 3],
      );
      expect(await descriptionIn(await start())).toBe('one');
      expect(warnings).toEqual([expect.stringContaining(`${names[1]}`)]);
    },
  );

  it(
    'that is missing keeps the server from starting until the later ones are moved away',
    { tags: ['slow'] },
    async () => {
      const { copy, names, warnings, start } = await startOn(() => {}, [0, 2, 3]);
      rmSync(join(copy, names[1] ?? ''));
      const [first = '', last = ''] = [names[0], names[2]].map((name) => join(copy, name ?? ''));
      await expect(start()).rejects.toThrow(
        `${last} cannot be used: it does not continue ${first}, which ends`,
      );
      rmSync(last);
      expect(await descriptionIn(await start())).toBe('one');
      expect(warnings).toEqual([]);
    },
  );

  it(
    'that was cut off, although others follow, is copied and does not count as never acknowledged',
    { tags: ['slow'] },
    async () => {
      const { copy, names, warnings, start } = await startOn(edited(0, (text) => text.slice(0, -40)));
      expect(await descriptionIn(await start())).toBe('one');
      expect(warnings).toEqual([expect.stringContaining(`${names[0]} is damaged: the part before byte `)]);
      expect(warnings[0]).not.toContain('acknowledged');
      expect(readdirSync(copy).filter(isSetAside)).toHaveLength(2);
    },
  );
});

describe('the last line of a log', () => {
  it('is used if only its line break is missing', { tags: ['slow'] }, async () => {
    const { warnings, start } = await startOn(
      edited(0, (text) => text.slice(0, -1)),
      [0],
    );
    expect(await descriptionIn(await start())).toBe('three');
    expect(warnings).toEqual([]);
  });

  it.each([
    ['blank lines follow it', (text: string) => `${text}\n \r\n`],
    ['a blank line is before it', (text: string) => text.replace(/\n(?=.*\n$)/, '\n\n')],
    ['a byte order mark is in front of the log', (text: string) => `\u{feff}${text}`],
  ])('is used if %s', { tags: ['slow'] }, async (_, edit) => {
    const { copy, warnings, start } = await startOn(edited(0, edit), [0]);
    const server = await start();
    expect(await descriptionIn(server)).toBe('three');
    expect(warnings).toEqual([]);
    await server.close();
    const state = join(copy, 'default.json');
    writeFileSync(state, `\u{feff}${readFileSync(state, 'utf8')}`);
    expect(await descriptionIn(await serve(copy))).toBe('three');
  });

  it.each([
    ['its line break was overwritten', (text: string) => `${text.slice(0, -1)}J`],
    ['zeros follow its beginning', (text: string) => `${text.slice(0, -60)}${'\0'.repeat(60)}`],
  ])(
    'is not taken for one that was never acknowledged if %s: the log is copied',
    { tags: ['slow'] },
    async (_, edit) => {
      const { copy, warnings, start } = await startOn(edited(0, edit), [0]);
      expect(await descriptionIn(await start())).toBe('two');
      expect(warnings).toEqual([expect.stringContaining('is damaged: the part before byte ')]);
      expect(warnings[0]).not.toContain('acknowledged');
      expect(readdirSync(copy).filter(isSetAside)).toHaveLength(1);
    },
  );

  it.each([[2], [3]])(
    'or another one whose number is lower than it must be is reported: line %i',
    { tags: ['slow'] },
    async (at) => {
      const { copy, warnings, start } = await startOn(
        edited(0, (text) =>
          text
            .split('\n')
            .map((line, index) => (index === at ? line.replace(/^\{"line":\d+/, '{"line":1') : line))
            .join('\n'),
        ),
        [0],
      );
      expect(await descriptionIn(await start())).toBe(['one', 'two'][at - 2]);
      expect(warnings).toEqual([expect.stringMatching(/Its log has a line 1 in the place of line \d/)]);
      expect(readdirSync(copy).filter(isSetAside)).toHaveLength(1);
    },
  );
});

describe('a log that the state file supersedes', () => {
  it.each([
    ['has a damaged line', (text: string) => text.replace('"one"', '1')],
    ['has a damaged last line', (text: string) => text.replace('"three"', '3')],
    ['has a line with a lower number', (text: string) => text.replace(/\n\{"line":\d+/, '\n{"line":1')],
    ['is damaged at its beginning', (text: string) => `z${text.slice(1)}`],
    ['was cut off', (text: string) => text.slice(0, -40)],
    ['has one more line break', (text: string) => `${text.slice(0, -40)}\n${text.slice(-39)}`],
  ])('is not reported if it %s, because nothing is missing', { tags: ['slow'] }, async (_, edit) => {
    const { copy, name, lines } = await crashed();
    await (await serve(copy)).close();
    writeFileSync(join(copy, name), edit(`${lines.join('\n')}\n`));
    const warnings: string[] = [];
    expect(await descriptionIn(await serve(copy, warnings))).toBe('three');
    expect(warnings).toEqual([]);
    expect(readdirSync(copy).filter(isSetAside)).toEqual([]);
  });
});

describe('a line that is valid only by itself', () => {
  it('is damaged, and the lines before it are used', { tags: ['slow'] }, async () => {
    const { names, warnings, start } = await startOn(
      edited(0, (text) => {
        const at = text.lastIndexOf(coupon.productId);
        return `${text.slice(0, at)}0${text.slice(at + 1)}`;
      }),
      [0],
    );
    expect(await descriptionIn(await start())).toBe('two');
    expect(warnings).toEqual([expect.stringContaining(`${names[0]} is damaged: the part before byte `)]);
    expect(warnings[0]).toContain('must name a record of products');
  });
});

function restoreDisk(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

describe('a recovery', () => {
  it(
    'issues no request id again if the server is killed before it has written the state file',
    { tags: ['slow'] },
    async () => {
      const { copy, names, ids, start } = await startOn(
        edited(0, (text) => text.replace('"two"', '2')),
        [0],
      );
      vi.spyOn(fs, 'truncateSync').mockImplementation(() => {
        throw new Error('killed');
      });
      syncBuiltinESMExports();
      onTestFinished(restoreDisk);
      await expect(start()).rejects.toThrow('killed');
      restoreDisk();
      // What the killed server would have done next.
      const log = join(copy, names[0] ?? '');
      writeFileSync(log, readFileSync(log, 'utf8').split('\n').slice(0, 1).join('\n'));
      expect(ids).not.toContain(await describeCoupon(await start(), 'next'));
    },
  );
});
