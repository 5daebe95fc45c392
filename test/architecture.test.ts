import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../src/contract/operation-types.ts';

/** The program's files as text, by their path from `src/`; comments and generated files are left out. */
const sources: ReadonlyMap<string, string> = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/'))
    .map((path) => [path, withoutComments(readFileSync(`src/${path}`, 'utf8'))]),
);

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

/** What a file imports, types included: packages by name, files by their path from `src/`. */
function importsOf(path: string): readonly string[] {
  const specifiers = [...(sources.get(path) ?? '').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier = '']) => specifier,
  );
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? new URL(specifier, `file:///${path}`).pathname.slice(1) : specifier,
  );
}

/** Files that match and lie outside the rooms where that is allowed. */
function outside(
  rooms: readonly string[],
  matches: (path: string, text: string) => boolean,
): readonly string[] {
  return [...sources]
    .filter(([path, text]) => !rooms.some((room) => path.startsWith(room)) && matches(path, text))
    .map(([path]) => path);
}

function importing(...packages: readonly string[]) {
  return (path: string): boolean =>
    importsOf(path).some((name) => packages.some((known) => name === known || name.startsWith(`${known}/`)));
}

/**
 * The layers of `src/`, the lowest first. A file imports from its own layer and from lower ones. The console
 * is another program.
 */
const layers: readonly (readonly string[])[] = [
  ['base'],
  ['assumptions.ts', 'contract', 'settings'],
  ['faults'],
  ['sandbox'],
  ['operations', 'media', 'store', 'generate'],
  ['ledger'],
  ['answer', 'control', 'report', 'upstream'],
  ['http', 'pages'],
  ['server'],
  ['commands', 'index.ts', 'main.ts'],
];

/** The layer of a file, or -1 if it is in none. */
function layerOf(path: string): number {
  return layers.findIndex((members) => members.includes(path.split('/')[0] ?? ''));
}

describe('the house', () => {
  it('has its files where they are looked for, so that the rules below cannot pass by finding none', () => {
    expect(sources.size).toBeGreaterThan(60);
    expect(importsOf('http/pages-app.ts')).toContain('express');
    expect(importsOf('answer/answer.ts')).toContain('answer/throttle.ts');
  });

  it.each([
    ['express and node:http', ['http/'], importing('express', 'node:http')],
    [
      'ajv and its formats',
      ['contract/'],
      importing('ajv', 'ajv-formats', 'json-schema-faker', '@stoplight'),
    ],
    ['Faker', ['generate/', 'upstream/seed-recorder/'], importing('@faker-js/faker')],
    ['lowdb and files', ['store/', 'base/package-files.ts'], importing('lowdb', 'node:fs')],
    ['pg', ['ledger/'], importing('pg')],
    [
      'the process',
      // V8 tells the size of the old space only to those who know the flags of the process.
      ['main.ts', 'base/heap.ts'],
      (_: string, text: string) => /\bprocess\.|from 'node:process'/.test(text),
    ],
    [
      'the wall clock and timers',
      // The console is a program of its own, in a browser. The time-out of a connection is a method of the
      // connection.
      ['sandbox/clock.ts', 'console/'],
      (_: string, text: string) =>
        /Date\.now\(|new Date\(\)|(?<!\.)\bset(Timeout|Interval|Immediate)\(|performance\./.test(text),
    ],
    [
      'chance',
      ['sandbox/random.ts'],
      (_: string, text: string) => /Math\.random\(|randomBytes|randomUUID/.test(text),
    ],
  ])('keeps %s in %j', (_, rooms, matches) => {
    expect(outside(rooms, matches)).toEqual([]);
  });

  it('keeps operations apart from each other, from the answering and from HTTP', () => {
    const operations = operationNames.map((name) => `operations/${name}.ts`);
    expect([...sources.keys()]).toEqual(expect.arrayContaining(operations));
    const reaching = operations.filter((path) =>
      importsOf(path).some(
        (name) => operations.includes(name) || /^(answer|http|control|store)\//.test(name),
      ),
    );
    expect(reaching).toEqual([]);
  });

  it('imports pg on demand, because most servers have no database', () => {
    const eager = [...sources].filter(([, text]) =>
      /^(?:import(?! type\b)|export)\b[^;]*from 'pg'/m.test(text),
    );
    expect(eager.map(([path]) => path)).toEqual([]);
    const onDemand = [...sources].filter(([, text]) => text.includes("import('pg')"));
    expect(onDemand.map(([path]) => path)).toEqual(['ledger/connection.ts']);
    const loading = [...sources.keys()].filter(
      (path) =>
        !path.startsWith('ledger/') && valueImportsOf(path).some((name) => name.startsWith('ledger/')),
    );
    expect(loading).toEqual([]);
  });

  it("lists the children of a record with childrenOf, because a synthesized record can have another school's id", () => {
    const listing = [...sources].filter(
      ([path, text]) =>
        path.startsWith('operations/') && /\.(?:list|where|remembered)\(\s*'product'/.test(text),
    );
    expect(listing.map(([path]) => path)).toEqual([]);
  });

  it('says in each folder what lives there', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(
      folders.filter(({ name }) => !existsSync(`src/${name}/README.md`)).map(({ name }) => name),
    ).toEqual([]);
  });

  it('has every file in a layer', () => {
    expect([...sources.keys()].filter((path) => !path.startsWith('console/') && layerOf(path) < 0)).toEqual(
      [],
    );
  });

  it('has no import that points to a higher layer, types and lazy imports included', () => {
    const upward = [...sources.keys()].flatMap((path) =>
      path.startsWith('console/')
        ? []
        : importsOf(path)
            .filter((target) => layerOf(target) > layerOf(path))
            .map((target) => `${path} → ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('has no two folders that import from each other', () => {
    const pairs = new Set(
      [...sources.keys()].flatMap((path) =>
        importsOf(path).map((target) => `${path.split('/')[0]} ${target.split('/')[0]}`),
      ),
    );
    const mutual = [...pairs].filter((pair) => {
      const [one, other] = pair.split(' ');
      return one !== other && pairs.has(`${other} ${one}`);
    });
    expect(mutual).toEqual([]);
  });

  it('keeps answering and control apart', () => {
    expect(
      outside(
        ['answer/'],
        (path) => path.startsWith('control/') && importsOf(path).some((name) => name.startsWith('answer/')),
      ),
    ).toEqual([]);
    expect(
      outside(
        ['control/'],
        (path) => path.startsWith('answer/') && importsOf(path).some((name) => name.startsWith('control/')),
      ),
    ).toEqual([]);
  });

  it('keeps the console a client: of all that is the server it knows the types of the control plane and of records', () => {
    const known = /^(console\/|contract\/generated\/(control|facts)\.ts$|preact|htm|hls\.js|marked)/;
    const reaching = [...sources.keys()].filter(
      (path) =>
        path.startsWith('console/') &&
        (importsOf(path).some((name) => !known.test(name)) ||
          valueImportsOf(path).some((name) => !name.startsWith('console/'))),
    );
    expect(reaching).toEqual([]);
    expect(
      outside(['console/'], (path) => importsOf(path).some((name) => /^(console\/|preact|htm)/.test(name))),
    ).toEqual([]);
    expect(sources.has('console/api.ts')).toBe(true);
  });

  it('has no mutable state in modules', () => {
    const mutable =
      /^(?:export )?(?:let |var |const \w+(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet|Array)(?:<[^(]*>)?\((?:\)|\[\]))/m;
    expect(outside([], (_, text) => mutable.test(text))).toEqual([]);
  });

  it('has no generator functions in functions, whose objects live on until the next full collection', () => {
    const inner = /^[ ].*\bfunction ?\*|^ {4,}\*\w+\(/m;
    expect(outside([], (_, text) => inner.test(text))).toEqual([]);
  });

  it('has no default exports, and no any', () => {
    expect(outside([], (_, text) => /^export default/m.test(text))).toEqual([]);
    expect(outside([], (_, text) => /[:<] ?any\b|as any\b/.test(text))).toEqual([]);
  });

  it('has no cycles between files', () => {
    const seen = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path))
        throw new Error(`A cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
      if (seen.has(path) || !sources.has(path)) return;
      for (const next of valueImportsOf(path)) visit(next, [...trail, path]);
      seen.add(path);
    };
    for (const path of sources.keys()) visit(path, []);
    expect(seen.size).toBe(sources.size);
  });

  it('has no file over 250 lines but the list of assumptions', () => {
    expect(
      outside(['assumptions.ts'], (path) => readFileSync(`src/${path}`, 'utf8').split('\n').length > 250),
      'files that are too long: move a part that has a name of its own to another file',
    ).toEqual([]);
  });

  it('has operations that are read without scrolling', () => {
    const long = [...sources.keys()].filter(
      (path) => path.startsWith('operations/') && readFileSync(`src/${path}`, 'utf8').split('\n').length > 86,
    );
    expect(long, 'operations with more than 85 lines').toEqual([]);
  });
});

/** Imports that remain at run time: types do not make a cycle. */
function valueImportsOf(path: string): readonly string[] {
  const text = (sources.get(path) ?? '').replaceAll(/import type [^;]+;/g, '');
  const specifiers = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, specifier = '']) => specifier);
  return specifiers.map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1));
}
