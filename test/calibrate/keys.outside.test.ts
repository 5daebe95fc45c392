import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/base/is-object.ts';
import {
  toBeyondTable,
  toDepartureTable,
  toJson,
  toTable,
  toYaml,
} from '../../src/upstream/calibrate/render.ts';
import { maskFor, shareParts } from '../../src/upstream/key-mask/key-mask.ts';
import { shown, theirs } from '../../src/upstream/calibrate/shown-text.ts';
import { wrongKey } from '../../src/upstream/calibrate/wrong-key.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const key = 'sk_live_51H8xQ~Zr"7/pLmN2vB-wK9dTq';

/** A form of a key: its pieces, of which `least` show five characters of the key. */
interface Form {
  readonly pieces: readonly string[];
  readonly least: number;
}

function code(one: string): number {
  return one.charCodeAt(0);
}

function whole(form: string, least: number): Form {
  return { pieces: form.split(''), least };
}

/** The forms in which a service may repeat a key. */
function piecesOf(text: string): readonly Form[] {
  const base64 = [0, 1, 2].flatMap((offset) =>
    (['base64', 'base64url'] as const).map((encoding) =>
      Buffer.from(`${'#'.repeat(offset)}${text}##`)
        .toString(encoding)
        .slice(Math.ceil((offset * 8) / 6), Math.floor(((text.length + offset) * 8) / 6)),
    ),
  );
  const hex = Buffer.from(text).toString('hex');
  const each = (form: (character: string) => string): Form => ({
    pieces: Array.from(text, form),
    least: 5,
  });
  return [
    each((one) => one),
    each((one) => one.toUpperCase()),
    each((one) => one.toLowerCase()),
    each((one) => encodeURIComponent(one)),
    each((one) => encodeURIComponent(encodeURIComponent(one))),
    each((one) => `%${code(one).toString(16)}`),
    each((one) => JSON.stringify(one).slice(1, -1)),
    each((one) => `\\u00${code(one).toString(16)}`),
    each((one) => `\\\\u00${code(one).toString(16)}`),
    each((one) => `\\x${code(one).toString(16)}`),
    each((one) => `&#${code(one)};`),
    each((one) => `&#x${code(one).toString(16)};`),
    whole(text.split('').toReversed().join(''), 5),
    whole(hex, 10),
    whole(hex.toUpperCase(), 10),
    ...base64.map((form) => whole(form, 8)),
  ];
}

function formsOf(text: string): readonly string[] {
  return piecesOf(text).map(({ pieces }) => pieces.join(''));
}

/** The parts of a form that show five characters of the key. */
const shortestParts = [
  ...new Set(
    piecesOf(key).flatMap(({ pieces, least }) =>
      Array.from({ length: pieces.length - least + 1 }, (_, at) =>
        pieces
          .slice(at, at + least)
          .join('')
          .toLowerCase(),
      ),
    ),
  ),
];

function leaksIn(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return shortestParts.filter((part) => lower.includes(part));
}

/** The ways to write one character of the key as a number. */
const numbers: readonly (readonly [form: string, of: (one: string) => string])[] = [
  ['decimal', (one) => String(code(one))],
  ['hexadecimal', (one) => `0x${code(one).toString(16)}`],
  ['eight bits', (one) => code(one).toString(2).padStart(8, '0')],
  ['seven bits', (one) => code(one).toString(2).padStart(7, '0')],
];

describe('the wrong key', () => {
  it('keeps a prefix of at most four characters and the separators, and the kind of each other character', () => {
    const wrong = wrongKey('sk_live_51H8-xQZr.7pLm');
    expect(wrong).toMatch(/^sk_l[a-z]{3}_\d\d[A-Z]\d-[a-z][A-Z]{2}[a-z]\.\d[a-z][A-Z][a-z]$/);
    expect(wrong).not.toBe(wrongKey('sk_live_51H8-xQZr.7pLm'));
  });

  it('shares no part of five characters with the real one, whatever that looks like', () => {
    const characters = fc.constantFrom(...'01ab_-.~AZ'.split(''));
    const keys = fc.string({ unit: characters, minLength: 1, maxLength: 60 });
    const odd = ['1'.repeat(300), '-'.repeat(40), 'abcd-----efgh', '0123456789'.repeat(200)];
    fc.assert(
      fc.property(keys, (real) => {
        const wrong = wrongKey(real);
        expect(wrong).not.toBe(real);
        expect(real.length >= 5 && shareParts(real, wrong)).toBe(false);
        expect(wrong).toMatch(/^[\u0021-\u007e]+$/);
      }),
      { examples: odd.map((key) => [key]) },
    );
  });
});

describe('the mask of a key', () => {
  const mask = maskFor(['another-key', key]);

  it.each(piecesOf(key))('hides $pieces, and each part of it', ({ pieces }) => {
    expect(mask(`no key "${pieces.join('')}".`)).toBe('no key "[key]".');
    for (let from = 0; from < pieces.length; from += 3)
      for (let to = from + 1; to <= pieces.length; to += 5)
        expect(leaksIn(mask(`<${pieces.slice(from, to).join('')}…`))).toEqual([]);
  });

  it.each([' ', '-', '_', ', ', '":"', '\n', '\\n', '&nbsp;', '\u200b'])(
    'hides a key with %j between its characters, and leaves quotes as they are',
    (between) => {
      const spaced = mask(JSON.stringify({ key: key.split('').join(between), next: 1 }));
      expect(leaksIn(spaced.replaceAll(JSON.stringify(between).slice(1, -1), ''))).toEqual([]);
      expect(JSON.parse(spaced)).toMatchObject({ next: 1 });
    },
  );

  it.each(numbers)('hides a key, and each part of it, as a list of numbers: %s', (_, of) => {
    const list = Array.from(key, of);
    expect(mask(list.join(' '))).toBe(list.map(() => '0').join(' '));
    for (const between of [' ', ',', ', ', '-', '\n', '\\n'])
      for (let from = 0; from + 5 <= list.length; from += 1) {
        const part = list.slice(from, from + 5).join(between);
        expect(mask(`HTTP 401: 7${between}${part}${between}200`)).not.toContain(part);
        expect(mask(part).replaceAll(between, '')).toBe('00000');
      }
  });

  it('hides the bytes of a key in JSON, which stays valid', () => {
    const bytes = [200, ...Buffer.from(key), 7];
    const zeros = [200, ...Array.from(key, () => 0), 7];
    const buffer = Buffer.from(bytes);
    expect(JSON.parse(mask(JSON.stringify({ buffer })))).toEqual({ buffer: { type: 'Buffer', data: zeros } });
    expect(Object.values(JSON.parse(mask(JSON.stringify(new Uint8Array(buffer)))) as object)).toEqual(zeros);
    expect(JSON.parse(mask(JSON.stringify([...bytes].toReversed(), null, 2)))).toEqual(zeros.toReversed());
    const nested = mask(
      JSON.stringify(JSON.stringify({ ...buffer.toJSON(), index: Object.fromEntries(buffer.entries()) })),
    );
    expect(nested).not.toMatch(/115|107|95/);
  });

  it('leaves other numbers as they are', () => {
    const text = JSON.stringify({
      counts: [115, 107, 95, 5],
      at: '2026-11-20T10:00:00.115Z',
      x: 0.115,
      bytes: [1, 2, 3],
    });
    expect(mask(text)).toBe(text);
  });

  it.each([
    ['of full width', 0xff01 - 0x21],
    ['of a mathematical font', 0x1d5ba - 0x61],
  ])('hides letters %s', (_, distance) => {
    const other = key.replaceAll(distance < 0x10000 ? /[!-~]/g : /[a-z]/g, (one) =>
      String.fromCodePoint(code(one) + distance),
    );
    expect(mask(`no key (${other}).`)).toBe('no key ([key]).');
    expect(mask(other.slice(3, distance < 0x10000 ? 8 : 20))).toMatch(/^[^\p{L}]*\[key\]/u);
    expect(mask('Ｗｏｎｄｅｒ ⑩ ℃ ª 学校')).toBe('Ｗｏｎｄｅｒ ⑩ ℃ ª 学校');
  });

  it('hides a key in pieces of JSON and of a JSON Pointer', () => {
    expect(mask(JSON.stringify({ [key.slice(0, 14)]: key.slice(9) }))).toBe('{"[key]":"[key]"}');
    expect(mask(`/data/${key.slice(9).replaceAll('~', '~0').replaceAll('/', '~1')}/1`)).toBe('/data/[key]/1');
  });

  it.each(['\\', '%25', '&#', '~', `s${' '.repeat(9999)}`, '115,', `7${' '.repeat(9999)}`, '"1":', 'ｓ'])(
    'takes time proportional to the text, even for many %j',
    (part) => {
      const text = part.repeat(Math.ceil(500_000 / part.length));
      expect(mask(text)).toBe(text);
    },
  );

  it('leaves other texts as they are', () => {
    expect(maskFor([key, ''])('sk_l: HTTP 401 at 2026-11-20T10:00:00Z; sk-live')).toBe(
      'sk_l: HTTP 401 at 2026-11-20T10:00:00Z; sk-live',
    );
    expect(maskFor([])('anything')).toBe('anything');
  });

  it('hides nothing in our own words, and cannot be escaped by marks in a text of the service', () => {
    const mask = maskFor(['refusalBody']);
    expect(shown(`refusalBody: ${theirs('a \ue001refusalBody\ue000')}, refusalBody`, mask)).toBe(
      'refusalBody: a \ufffd[key]\ufffd, refusalBody',
    );
  });
});

function isEchoed(name: string, member: string): boolean {
  return /message|title|name|status|createdAt|detail|path/i.test(name) && !/^(ok|error)$/.test(member);
}

/** Puts a form of the key into every text of a reply but identifiers and dates. */
function echoed(value: unknown, next: () => string): unknown {
  if (Array.isArray(value)) return value.map((member) => echoed(member, next));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member !== 'string') return [name, echoed(member, next)];
      return [name, isEchoed(name, member) ? `${next()} ${member} ${next()}` : member];
    }),
  );
}

const second = secondSandbox();

describe('a service that repeats keys', () => {
  const keyFor = new Map([
    [key, 'sbx_default_riverside'],
    [`${key}2`, 'sbx_default_riverside_second'],
    ['other-key', 'sbx_default_hillcrest'],
  ]);

  it('in all forms gets no part of one into the table and the file', async () => {
    const forms = formsOf(key);
    let count = 0;
    const next = (): string => forms[(count += 1) % forms.length] ?? key;
    const keys = { own: key, second: `${key}2`, other: 'other-key' };
    const { verdicts, beyond, departures } = await second.calibrated(
      {},
      {
        keys,
        keyFor,
        change: async (_, reply) => {
          const text = await reply.text();
          const headers = new Headers(reply.headers);
          headers.set('access-control-allow-origin', next());
          if (headers.has('retry-after')) headers.set('retry-after', next());
          headers.set('content-type', `application/json; x=${next()}`);
          const body = text.startsWith('[') ? JSON.stringify(echoed(JSON.parse(text), next)) : next();
          return new Response(reply.status === 204 ? null : body, { status: reply.status, headers });
        },
      },
    );
    const found = { verdicts, templates: {}, calls: 1, beyond, departures };
    const occasion = { host: 'a.example', from: '', to: '', calls: 1 };
    const told =
      toTable(verdicts) +
      toYaml(found, occasion) +
      toBeyondTable(beyond) +
      toDepartureTable(departures) +
      toJson(found, occasion, null);
    expect(toBeyondTable(beyond)).toContain('[key]');
    expect(departures.length).toBeGreaterThan(0);
    expect(told).toContain('[key]');
    expect(leaksIn(told)).toEqual([]);
    expect(verdictOn('invalidKey', found).option).toBe('http-401');
  });
});
