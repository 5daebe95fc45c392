import { setFlagsFromString } from 'node:v8';
import ajvFormats from 'ajv-formats/dist/formats.js';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRfc3339, rfc3339Of } from '../../src/contract/date-time-format.ts';
import { createAjv } from '../../src/contract/compile.ts';
import { readDocument } from '../../src/contract/document.ts';
import { formats } from '../../src/contract/formats.ts';
import { failureOf, world } from '../support/world.ts';

const chars = 9_000_000;

// V8 does so itself in a process that has compiled many expressions: then loops such as \d+ need the stack.
beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
afterAll(() => setFlagsFromString('--regexp-optimization'));

/**
 * Texts as large as a body, between what makes them look like an address or a date-time. One at a time, because all
 * would fill the heap, and a server with a full heap refuses large bodies.
 */
function* hostile(): Iterable<string> {
  for (const unit of ['a.', 'a', '.', '@', 'a@', '-', 'a-', ' ', 't', '1', '\u00e9', '\u200b']) {
    const middle = unit.repeat(chars / unit.length);
    yield `${middle}@b.example`;
    yield `a@${middle}.example`;
    yield `2026-01-01T00:00:00.${middle}Z`;
    yield `2026-01-01T00:00:00${middle}`;
    yield middle;
  }
}

function accepts(format: string): (text: string) => unknown {
  return createAjv().compile({ type: 'string', format });
}

/** Returns every value of a keyword in a document. */
function valuesOf(value: unknown, keyword: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === keyword && typeof inner === 'string' ? [inner] : valuesOf(inner, keyword),
  );
}

/** Returns the check of ajv-formats. */
function checkOfAjv(format: 'email' | 'date-time'): (text: string) => boolean {
  const theirs = ajvFormats.fullFormats[format];
  // Cast: the types of ajv-formats do not state which kind of format it is.
  return theirs instanceof RegExp
    ? (text) => theirs.test(text)
    : (theirs as { readonly validate: (text: string) => boolean }).validate;
}

const documents = (['learning-platform', 'state', 'control'] as const).map(readDocument);

describe('a text as large as a body', () => {
  it.each(Object.keys(formats))('has the format %s or not, whatever is in it', (format) => {
    const isValid = accepts(format);
    for (const text of hostile()) expect(typeof isValid(text)).toBe('boolean');
  });

  it('matches the patterns of the documents or not, whatever is in it', () => {
    const patterns = new Set(documents.flatMap((document) => valuesOf(document, 'pattern')));
    expect(patterns.size).toBeGreaterThan(3);
    for (const pattern of patterns) {
      const isValid = createAjv().compile({ type: 'string', pattern });
      for (const text of hostile()) expect(typeof isValid(text)).toBe('boolean');
    }
    for (const text of hostile())
      expect([typeof isRfc3339(text), rfc3339Of(text)]).toEqual(['boolean', null]);
  });

  it('is an e-mail address if it has its form, even if no record can store it', async () => {
    const { call } = await world({ assumptions: { maxPayload: '10mb' } });
    const local = 'a.'.repeat(3_800_000);
    const valid = await call('create-instructor-account', { instructorEmail: `${local}b@school.example` });
    expect([valid.status, valid.headers['sandbox-limit']]).toEqual([413, 'recordBytes; max=1048576']);
    const invalid = await call('create-instructor-account', { instructorEmail: `${local}@school.example` });
    expect(failureOf(invalid)).toContain('must be an e-mail address');
  });
});

describe('the formats', () => {
  it('are all that the documents use', () => {
    const used = new Set(documents.flatMap((document) => valuesOf(document, 'format')));
    expect([...used].filter((format) => !Object.hasOwn(formats, format))).toEqual([]);
  });

  it.each<readonly [format: 'email' | 'date-time', almost: string, other: string]>([
    ['email', 'mira.b-c@school-1.example', 'Z9.-@!_ \u00e9'],
    ['date-time', '2026-02-28T23:59:60.5+01:30', '29tTZz :+.-'],
  ])('%s accepts what ajv-formats accepts', (format, almost, other) => {
    const isValid = accepts(format);
    const isTheirs = checkOfAjv(format);
    const place = fc.nat(almost.length);
    const slips = fc.array(fc.tuple(place, fc.nat(2), fc.constantFrom('', ...other.split(''))), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(slips, (all) => {
        let text = almost;
        for (const [at, cut, put] of all) text = `${text.slice(0, at)}${put}${text.slice(at + cut)}`;
        expect([text, isValid(text)]).toEqual([text, isTheirs(text)]);
      }),
      { numRuns: 500 },
    );
  });

  it('date-time rounds a long fraction as ajv-formats does', () => {
    const isValid = accepts('date-time');
    const isTheirs = checkOfAjv('date-time');
    // As a number, the first of these is 60 and the second is less.
    const half = '999999999999996447286321199499070644378662109375';
    const below = `${half.slice(0, -1)}4`;
    for (const fraction of [half, below, `${below}${'9'.repeat(100)}`, '9'.repeat(100), '5'.repeat(100)]) {
      const text = `2026-01-01T12:00:59.${fraction}Z`;
      expect([text, isValid(text)]).toEqual([text, isTheirs(text)]);
    }
    expect(isValid(`2026-01-01T12:00:59.${half}Z`)).toBe(false);
    expect(isValid(`2026-01-01T12:00:59.${below}Z`)).toBe(true);
  });
});
