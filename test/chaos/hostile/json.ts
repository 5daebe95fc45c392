import type { Random } from '../support/random.ts';

/** JSON text that stands for itself, also if it is none. */
class RawText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const texts = [
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u2028\\u2029"',
  '"\u202e\ufeff\u{1f9ff}"',
  '"__proto__"',
  '"constructor"',
  '"hasOwnProperty"',
  '"<script>alert(1)</script>"',
  '"\'; DROP TABLE videos; --"',
  '"{{7*7}}${7*7}"',
  '"../../../etc/passwd"',
  '"%00%2e%2e%2f"',
  '"a@b.example"',
  '"2026-02-30T25:61:00Z"',
  '"-271821-04-20T00:00:00Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"9d5afed5df87086d04584dbf"',
  '"5bb6bf98e3b6a0f3c19b07c3"',
  '"e14eab51f0b9dee5b286f9ec"',
  '"default"',
  '"sbx_calm-1_riverside"',
];
const numbers = [
  '0',
  '-0',
  '-1',
  '1',
  '0.1',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '2147483648',
  '4294967296',
  '-9223372036854775808',
  '1234567890123456789012345678901234567890',
  '8640000000000001',
];
const others = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[[]]',
  '[{}]',
  '[null]',
  '{"":""}',
  '{"length":1e9}',
  '{"toString":null}',
];
const pollution = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2,"a":[]}',
  '{"toJSON":1,"then":1}',
];
const broken = [
  'NaN',
  'Infinity',
  'undefined',
  "'a'",
  '01',
  '.5',
  '1.',
  '+1',
  '0x10',
  '"\u0001"',
  '"\\x"',
  '"open',
  '{a:1}',
  '[1,]',
  '/**/1',
  '',
];

/** A value that careless programs break at, as text. */
function hostileValue(random: Random): string {
  switch (
    random.weighted({
      text: 6,
      number: 6,
      other: 5,
      pollution: 3,
      long: 2,
      deep: 2,
      many: 2,
      unicode: 2,
      wordy: 1,
      broken: 1,
    })
  ) {
    case 'text':
      return random.pick(texts);
    case 'number':
      // Also as text, which is what many clients send.
      return random.isTrue(0.3) ? `"${random.pick(numbers)}"` : random.pick(numbers);
    case 'other':
      return random.pick(others);
    case 'pollution':
      return random.pick(pollution);
    case 'long':
      return `"${random.pick(['x', ' ', '\\n', 'é', '\u{1f9ff}', '\\u0000']).repeat(random.pick([100, 1000, 10_000, 60_000]))}"`;
    case 'deep':
      return nested(random, random.pick([10, 100, 900, 1001, 5000]));
    case 'many': {
      const count = random.pick([10, 100, 1000, 10_000]);
      return random.isTrue(0.5)
        ? `[${Array.from({ length: count }, () => '0').join(',')}]`
        : `{${Array.from({ length: count }, (_, number) => `"k${number}":0`).join(',')}}`;
    }
    case 'unicode':
      return JSON.stringify(
        Array.from({ length: random.integer(1, 40) }, () =>
          String.fromCharCode(random.integer(0, 0xffff)),
        ).join(''),
      );
    case 'wordy':
      return `"fault.${random.pick(['http-error', 'element-error', 'no-such', 'http-error.99999', 'http-error.status=1', 'delay.0', '.', 'null-fields'])}"`;
    case 'broken':
      return random.pick(broken);
  }
}

function nested(random: Random, depth: number): string {
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"data":', '}'],
    ['{"__proto__":', '}'],
  ] as const);
  const end = random.isTrue(0.8) ? close.repeat(depth) : '';
  return `${open.repeat(depth)}0${end}`;
}

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'data',
  'id',
  '',
  '\u0000',
  'a'.repeat(5000),
  'é',
  '$ref',
  'then',
];

/** The example as JSON text, changed in a few places. */
export function mutatedJson(random: Random, example: unknown): string {
  let value = structuredClone(example);
  for (let left = random.pick([0, 1, 1, 1, 1, 2, 2, 5]); left > 0; left -= 1) value = mutate(random, value);
  return write(value);
}

function mutate(random: Random, value: unknown): unknown {
  if (value instanceof RawText) return value;
  // The deeper the more often, because that is where most fields are.
  if (typeof value === 'object' && value !== null && random.isTrue(0.8)) {
    const inner = Array.isArray(value) ? mutateMember(random, value) : mutateField(random, value);
    if (inner !== undefined) return inner;
  }
  return new RawText(hostileValue(random));
}

function mutateMember(random: Random, list: readonly unknown[]): unknown {
  if (list.length === 0) return undefined;
  const at = random.integer(0, list.length - 1);
  switch (random.weighted({ inside: 8, remove: 1, repeat: 2, add: 1 })) {
    case 'inside':
      return list.with(at, mutate(random, list[at]));
    case 'remove':
      return list.toSpliced(at, 1);
    case 'repeat':
      return Array.from({ length: random.pick([2, 30, 300]) }, () => list[at]);
    case 'add':
      return [...list, new RawText(hostileValue(random))];
  }
}

function mutateField(random: Random, object: object): unknown {
  const fields = Object.entries(object);
  if (fields.length === 0) return undefined;
  const at = random.integer(0, fields.length - 1);
  const [name, value] = fields[at] ?? ['', null];
  switch (random.weighted({ inside: 10, remove: 2, rename: 1, add: 2, twice: 1 })) {
    case 'inside':
      return { ...object, [name]: mutate(random, value) };
    case 'remove':
      return Object.fromEntries(fields.toSpliced(at, 1));
    case 'rename':
      return new RawText(
        writeFields([
          ...fields.toSpliced(at, 1),
          [random.pick([...names, name.toUpperCase(), `${name} `]), value],
        ]),
      );
    case 'add':
      return new RawText(writeFields([...fields, [random.pick(names), new RawText(hostileValue(random))]]));
    case 'twice':
      return new RawText(writeFields([...fields, [name, new RawText(hostileValue(random))]]));
  }
}

function write(value: unknown): string {
  if (value instanceof RawText) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value === 'object' && value !== null) return writeFields(Object.entries(value));
  return JSON.stringify(value) ?? 'null';
}

function writeFields(fields: readonly (readonly [string, unknown])[]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(',')}}`;
}

/** The text as bytes, sometimes not as the UTF-8 that it should be. */
export function asBytes(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  switch (random.weighted({ plain: 20, invalid: 2, cut: 2, mark: 1, wide: 1, null: 1 })) {
    case 'plain':
      return bytes;
    case 'invalid': {
      const at = random.integer(0, bytes.length);
      return Buffer.concat([bytes.subarray(0, at), random.bytes(random.integer(1, 4)), bytes.subarray(at)]);
    }
    case 'cut':
      return bytes.subarray(0, random.integer(0, bytes.length));
    case 'mark':
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 'wide':
      return Buffer.from(text, 'utf16le');
    case 'null':
      return Buffer.concat([bytes, Buffer.alloc(random.integer(1, 100))]);
  }
}
