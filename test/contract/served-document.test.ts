import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { operationNames } from '../../src/contract/operation-types.ts';
import { supertest } from '../support/supertest.ts';
import { sharedServer } from '../support/world.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minLength?: number;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-known-values'?: readonly string[];
}
interface Operation {
  readonly 'x-rate-limit'?: { readonly requests: number; readonly windowSeconds: number };
  readonly 'x-writes': boolean;
}
interface Document {
  readonly servers: readonly object[];
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

// The project's own file, linted, so its form is known.
const document = parse(readFileSync('openapi/learning-platform.yaml', 'utf8')) as Document;
const schemas = Object.values(document.components.schemas);
const specification = readFileSync('docs/specification.md', 'utf8');

/** A table of the specification: the heading above it, its column names, its rows. */
interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function cells(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const tables: readonly Table[] = specification.split(/^#+ (?=\S)/m).flatMap((section) => {
  const title = section.slice(0, section.indexOf('\n'));
  const [columns, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return columns === undefined ? [] : [{ title, columns: cells(columns), rows: rows.map(cells) }];
});
const fieldTables = tables.filter(({ columns: [first] }) => first === 'Field' || first === 'Request');

/** The schema keywords that a type in the specification's words asks for. */
function keywordsOf(type: string): object {
  // Results have the addresses of every option of `emailFormat`.
  const email: unknown = type.startsWith('string (e-mail')
    ? expect.stringMatching(/^(idn-)?email$/)
    : undefined;
  const format = /date-time/.test(type) ? 'date-time' : email;
  const minLength = /min length (\d+)/.exec(type)?.[1];
  const [name = ''] = /^\w+/.exec(type) ?? [];
  return {
    type: type.startsWith('string or null') ? ['string', 'null'] : name,
    ...(format === undefined ? {} : { format }),
    ...(minLength === undefined ? {} : { minLength: Number(minLength) }),
  };
}

function resolved(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return (name === undefined ? schema : document.components.schemas[name]) ?? {};
}

/** Every value that a keyword has anywhere in the document, examples left out. */
function valuesOf(keyword: string, node: unknown = document): readonly unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    if (name === 'examples') return [];
    return name === keyword ? [value] : valuesOf(keyword, value);
  });
}

describe('the served document', () => {
  it('is the file, as YAML and as JSON, but for the server asked', { tags: ['slow'] }, async () => {
    const { url } = await sharedServer();
    const yaml = await supertest(url).get('/openapi.yaml').expect(200);
    const json = await supertest(url).get('/openapi.json').expect(200);
    const expected = { ...document, servers: [{ ...document.servers[0], url }] };
    expect(parse(yaml.text)).toEqual(expected);
    expect(json.body).toEqual(expected);
  });

  it.each(['sandbox.riverside-academy.example:8080', 'localhost:4999'])(
    'names the server by the host %s when asked so',
    { tags: ['slow'] },
    async (host) => {
      const { url } = await sharedServer();
      const yaml = await supertest(url).get('/openapi.yaml').set('Host', host).expect(200);
      const json = await supertest(url).get('/openapi.json').set('Host', host).expect(200);
      const named = { servers: [{ url: `http://${host}` }] };
      expect(parse(yaml.text)).toMatchObject(named);
      expect(json.body).toMatchObject(named);
    },
  );
});

/** Texts that are null with an option of an assumption, though the specification does not say so. */
const nullByOption: ReadonlySet<string> = new Set(['endedAtIso']);

describe('the document beside the specification', () => {
  const limits = new Map(
    (tables.find(({ columns: [first] }) => first === 'Endpoint')?.rows ?? []).flatMap(
      ([names = '', limit = '']) => names.split(', ').map((name) => [name, limit] as const),
    ),
  );
  const headings = new Map(
    [...specification.matchAll(/^### \d+\. (.+)\n\n`POST \/public\/([\w-]+)`/gm)].map(
      ([, title = '', name = '']) => [name, title],
    ),
  );

  const specified = operationNames.filter((name) => headings.has(name) && limits.has(name));

  it('has its operations, and no other', () => {
    const missing = operationNames.filter((name) => !specified.includes(name)).join(', ');
    expect(
      missing,
      `docs/specification.md does not contain ${missing} under its endpoints and in its table of limits; an operation is added there first`,
    ).toBe('');
    expect(Object.keys(document.paths)).toEqual([...headings.keys()].map((name) => `/public/${name}`));
    expect([...operationNames].toSorted()).toEqual([...headings.keys()].toSorted());
    expect([...limits.keys()].toSorted()).toEqual([...headings.keys()].toSorted());
  });

  it.each(specified)('limits %s as its table of limits does', (operation) => {
    const stated = limits.get(operation);
    const expected = stated === 'not shown' ? undefined : { requests: Number(stated), windowSeconds: 60 };
    expect(document.paths[`/public/${operation}`]?.post['x-rate-limit']).toEqual(expected);
  });

  it.each(specified)('says whether %s writes as its title does', (operation) => {
    expect(document.paths[`/public/${operation}`]?.post['x-writes']).toBe(
      /^(Update|Submit|Create) /.test(headings.get(operation) ?? ''),
    );
  });

  it('finds the tables of fields in it', () => {
    expect(fieldTables.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'Quiz',
        'Quiz question',
        'Live event session',
        '1. Get quiz details',
        '4. Submit user course item',
      ]),
    );
    expect(fieldTables).toHaveLength(specification.match(/^\| (?:Field|Request) \|/gm)?.length ?? 0);
  });

  it.each(fieldTables)('has one schema with every field of "$title", of the type there', ({ rows }) => {
    const names = rows.map(([name = '']) => name);
    const schema = schemas.find(({ properties = {} }) =>
      names.every((name) => Object.hasOwn(properties, name)),
    );
    for (const [name = '', type = ''] of rows) {
      const field = resolved(schema?.properties?.[name]);
      const nullable = nullByOption.has(name) ? { type: ['string', 'null'] } : {};
      expect({ name, ...field }).toMatchObject({ name, ...keywordsOf(type), ...nullable });
    }
  });

  it('has every other name that it mentions', () => {
    const known = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)));
    const mentioned = specification.match(/\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g) ?? [];
    expect([...new Set(mentioned)].filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(mentioned).size).toBeGreaterThan(70);
  });

  it('closes no set of values but the two types of questions, and the statuses of outputs', () => {
    expect(valuesOf('enum')).toEqual([['MultiCorrect', 'SingleCorrect']]);
    expect(new Set(valuesOf('const'))).toEqual(new Set(['ok', 'error']));
  });

  it('knows the values of open sets that occur in it', () => {
    const occurring = [
      'percent-off',
      'Quiz',
      'CcFailed',
      'product-id',
      'Article',
      'All',
      'LiveEventProduct',
      'Active',
    ];
    expect(valuesOf('x-known-values').flat().map(String).toSorted()).toEqual(occurring.toSorted());
    for (const value of occurring) expect(specification).toContain(`\`${value}\``);
  });
});
