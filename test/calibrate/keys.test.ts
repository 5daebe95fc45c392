import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/base/is-object.ts';
import { maskFor, shareParts } from '../../src/upstream/calibrate/key-mask.ts';
import { toBeyondTable, toJson, toTable, toYaml } from '../../src/upstream/calibrate/render.ts';
import { shown, theirs } from '../../src/upstream/calibrate/shown-text.ts';
import { wrongKey } from '../../src/upstream/calibrate/wrong-key.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const key = 'sk_live_51H8xQ~Zr"7/pLmN2vB-wK9dTq';

/** The forms in which a service may repeat a key. */
function formsOf(text: string): readonly string[] {
  const hex = Buffer.from(text).toString('hex');
  const base64 = [0, 1, 2].flatMap((offset) =>
    (['base64', 'base64url'] as const).map((encoding) =>
      Buffer.from(`${'#'.repeat(offset)}${text}##`)
        .toString(encoding)
        .slice(Math.ceil((offset * 8) / 6), Math.floor(((text.length + offset) * 8) / 6)),
    ),
  );
  return [
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    encodeURIComponent(text),
    Array.from(text, (one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
    JSON.stringify(text).slice(1, -1),
    Array.from(text, (one) => `\\u00${one.charCodeAt(0).toString(16)}`).join(''),
    hex,
    hex.toUpperCase(),
    ...base64,
  ];
}

function partsOf(text: string, size = 5): readonly string[] {
  return Array.from({ length: text.length - size + 1 }, (_, at) => text.slice(at, at + size));
}

/** The parts of five characters of a key, in every form, that a text shows. An encoded character counts as one. */
function leaksIn(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const plain = formsOf(key).filter((form) => !/^(%..)+$|^(\\u....)+$/.test(form));
  const encoded = formsOf(key).filter((form) => !plain.includes(form));
  return [
    ...plain.flatMap((form) => partsOf(form.toLowerCase())),
    ...encoded.flatMap((form) => {
      const width = form.startsWith('%') ? 3 : 6;
      return partsOf(form.toLowerCase(), 5 * width).filter((_, at) => at % width === 0);
    }),
  ].filter((part) => lower.includes(part));
}

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
  it.each(formsOf(key))('hides %s, and each part of it', (form) => {
    const mask = maskFor(['another-key', key]);
    expect(mask(`no key "${form}".`)).toBe('no key "[key]".');
    for (let from = 0; from < form.length; from += 1)
      for (let to = from + 1; to <= form.length; to += 7)
        expect(leaksIn(mask(`<${form.slice(from, to)}…`))).toEqual([]);
  });

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
    const { verdicts, beyond } = await second.calibrated(
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
    const found = { verdicts, templates: {}, calls: 1, beyond };
    const occasion = { host: 'a.example', from: '', to: '', calls: 1 };
    const told =
      toTable(verdicts) + toYaml(found, occasion) + toBeyondTable(beyond) + toJson(found, occasion, null);
    expect(toBeyondTable(beyond)).toContain('[key]');
    expect(told).toContain('[key]');
    expect(leaksIn(told)).toEqual([]);
    expect(verdictOn('invalidKey', found).option).toBe('http-401');
  });
});
