import {
  array,
  assert,
  constantFrom,
  oneof,
  property,
  string,
  stringMatching,
  tuple,
  uuid,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kind } from '../../src/upstream/seed-recorder/kinds.ts';
import { Masker } from '../../src/upstream/seed-recorder/mask/masker.ts';

const pictures = { portraits: ['/assets/a.svg', '/assets/b.svg'], events: ['/assets/c.svg'] };

function maskerWith(secret = 'a secret of the tests'): Masker {
  return new Masker({ secret, pictures });
}

function mask(kind: Kind, value: unknown, beside: string | null = null): unknown {
  return maskerWith().mask(kind, value, beside);
}

const anyId = oneof(
  stringMatching(/^[0-9a-f]{24}$/),
  uuid(),
  stringMatching(/^[1-9][0-9]{0,5}$/),
  stringMatching(/^[a-z]{2,9}-[A-Z0-9]{1,9}$/),
  string({ minLength: 1 }),
);

describe('ids', () => {
  it('are replaced one to one, by others', () => {
    assert(
      property(array(anyId, { maxLength: 60 }), (ids) => {
        const masker = maskerWith();
        const masked = ids.map((id) => masker.mask('id', id, null));
        expect(new Set(masked).size).toBe(new Set(ids).size);
        expect(ids.map((id) => masker.mask('id', id, null))).toEqual(masked);
        expect(ids.filter((id, at) => id === masked[at])).toEqual([]);
      }),
    );
  });

  it.each<[string, Arbitrary<string>, RegExp]>([
    ['24 hexadecimal digits', stringMatching(/^[0-9a-f]{24}$/), /^[0-9a-f]{24}$/],
    ['UUIDs', uuid({ version: 4 }), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ['prefixes and numbers', stringMatching(/^(vid|mov)_[xyz]{4}-[0-9]{6}$/), /^[a-z]{3}_[a-z]{4}-\d{6}$/],
    ['capitals', stringMatching(/^[A-Z]{2}:[A-Z]{3}[0-9]$/), /^[A-Z]{2}:[A-Z]{3}\d$/],
  ])('keep their form: %s', (_, ids, form) => {
    assert(property(ids, (id) => form.test(String(mask('id', id)))));
  });

  it.each(['7'.repeat(24), 'a'.repeat(24), 'f7'.repeat(12)])(
    'of one repeated character become ids of many: %s',
    (beginning) => {
      const ids = Array.from({ length: 200 }, (_, number) => `${beginning.slice(3)}${100 + number}`);
      const masker = maskerWith();
      const masked = ids.map((id) => String(masker.mask('id', id, null)));
      expect(masked.filter((id) => id.length !== 24)).toEqual([]);
      // 24 digits by chance have 9 different ones on average; with fewer than 4 they do not come by chance.
      expect(masked.filter((id) => new Set(id).size < 4)).toEqual([]);
    },
  );

  it('become longer where a form has room for no more', () => {
    const masker = maskerWith();
    const masked = Array.from({ length: 10 }, (_, digit) => masker.mask('id', String(digit), null));
    masked.push(masker.mask('id', 'é', null), masker.mask('id', 'è', null));
    expect(new Set(masked).size).toBe(12);
    expect(mask('id', '7'.repeat(500))).toMatch(/^[0-9a-f]{32}$/);
    expect(mask('id', '')).toBe('');
  });
});

describe('people', () => {
  it('have an address on a host that cannot be, and a name that goes with it', () => {
    const email = String(mask('email', 'Mira.Okafor@riverside.org'));
    expect(email).toMatch(/^[a-z]+\.[a-z]+@[a-z-]+\.example$/);
    const name = String(mask('name', 'Mira Okafor', 'mira.okafor@RIVERSIDE.org'));
    expect(
      `${name
        .toLowerCase()
        .split(' ')
        .map((part) => part.replaceAll(/[^a-z]/g, ''))
        .join('.')}@`,
    ).toBe(email.slice(0, email.indexOf('@') + 1));
  });

  it('are the same whichever letters their address is written in, and two for two addresses', () => {
    assert(
      property(array(stringMatching(/^[a-z]{1,3}@[ab]\.org$/), { maxLength: 40 }), (addresses) => {
        const masker = maskerWith();
        const masked = addresses.map((address) => masker.mask('email', address, null));
        expect(new Set(masked).size).toBe(new Set(addresses).size);
        expect(addresses.map((address) => masker.mask('email', address.toUpperCase(), null))).toEqual(masked);
      }),
    );
  });

  it('of one host stay on one host', () => {
    const masker = maskerWith();
    const hosts = ['a@one.org', 'b@one.org', 'c@two.org'].map(
      (address) => String(masker.mask('email', address, null)).split('@')[1],
    );
    expect(hosts[0]).toBe(hosts[1]);
    expect(hosts[2]).not.toBe(hosts[0]);
  });
});

describe('free text', () => {
  it('keeps its tags, its punctuation, its capitals and about its length, and no word', () => {
    const text =
      '<p class="secret">Hello **Quentin**, see <a href="https://intranet.org/quentin" onclick="x()">THIS</a> &amp; call 0171 2345:<br/>\n- <Quentin> (quentin@home.org)</p>';
    const masked = String(mask('text', text));
    expect(masked).toMatch(
      /^<p>[A-Z][a-z]+ \*\*[A-Z][a-z]+\*\*, [a-z]+ <a href="https:\/\/[a-z-]+\.example\/[a-z]+">[A-Z]{2,}<\/a> &amp; [a-z]+ \d{4} \d{4}:<br \/>\n- <[A-Z][a-z]+> \([a-z]+\.[a-z]+@[a-z-]+\.example\)<\/p>$/,
    );
    expect(masked).not.toMatch(/quentin|secret|intranet|onclick|0171/i);
  });

  it('loses every word, in every script', () => {
    const word = constantFrom(
      'Quackenbush',
      'Ζεφυρίνη',
      '山田太郎',
      'Ⓠⓤⓐⓒⓚ',
      'Quäck',
      '𝒬uack',
      'محمد',
      'x₁₂₃z',
      '☎',
    );
    const glue = constantFrom(
      ' ',
      '\n',
      ', ',
      '-',
      '/',
      '<b>',
      '&amp;',
      '@',
      '://',
      '"',
      '_',
      '.',
      '\\',
      '&#81;',
    );
    assert(
      property(array(tuple(word, glue), { minLength: 1 }), (parts) => {
        const masked = String(mask('text', parts.flat().join('')));
        for (const [found] of parts) expect(masked).not.toContain(found);
      }),
    );
  });

  it('is the same each time, whatever was masked before', () => {
    const text = 'See https://school.org/lessons or write to anna@school.org, then read on.';
    const masker = maskerWith();
    const first = masker.mask('text', text, null);
    masker.mask('text', 'Something else', null);
    expect(masker.mask('text', text, null)).toBe(first);
    expect(mask('text', text)).toBe(first);
  });

  it.each([
    ['very long without a space', 'q'.repeat(200_000)],
    ['full of beginnings of tags', '<a '.repeat(50_000)],
    ['full of at signs', 'q@'.repeat(50_000)],
  ])('is masked in no time where it is %s', { timeout: 5000 }, (_, text) => {
    expect(String(mask('text', text))).not.toMatch(/q{3}/);
  });
});

describe('documents', () => {
  const article = {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2, id: 'anna' }, content: [{ type: 'text', text: 'Anna teaches' }] },
      { type: 'image', attrs: { src: 'https://school.org/anna.png', phone: 491711234567, annas: true } },
      { type: 'annaBlock' },
    ],
  };

  it('keep their structure, and nothing else', () => {
    const masked = JSON.parse(String(mask('document', JSON.stringify(article)))) as typeof article;
    expect(masked.content[0]).toMatchObject({
      type: 'heading',
      attrs: { level: 2 },
      content: [{ type: 'text' }],
    });
    expect(masked.content[1]).toMatchObject({
      type: 'image',
      attrs: { src: expect.stringMatching(/^https:\/\/[a-z-]+\.example\/.*\.png$/) },
    });
    expect(JSON.stringify(masked)).not.toMatch(/anna|4917|phone|school/i);
  });

  it('have a lower-case word of 3 to 12 letters for the name of each field that is not known, and the same one each time', () => {
    const fields = ['42', 'anna', 'Anna-S', 'émilie', 'birthday', 'undefined', 'annasFavouriteColour'];
    const masker = maskerWith();
    const namesOf = (): readonly string[] => {
      const masked = masker.mask(
        'document',
        JSON.stringify({ content: Object.fromEntries(fields.map((name) => [name, true])) }),
        null,
      );
      return Object.keys((JSON.parse(String(masked)) as { content: object }).content);
    };
    const names = namesOf();
    expect(names.filter((name) => !/^[a-z]{3,12}$/.test(name))).toEqual([]);
    expect(names).not.toContain('undefined');
    expect(new Set(names).size).toBe(fields.length);
    expect(namesOf()).toEqual(names);
  });

  it('keep whole numbers up to 100, which say how something looks, and no others', () => {
    const masked = JSON.parse(
      String(mask('document', '[0,6,100,-100,101,-101,1.5,4911]')),
    ) as readonly number[];
    expect(masked.slice(0, 4)).toEqual([0, 6, 100, -100]);
    expect(masked.slice(4).filter((number) => [101, -101, 1.5, 4911].includes(number))).toEqual([]);
    expect(masked.slice(4).map((number) => String(number).length)).toEqual([3, 3, 1, 4]);
  });

  it('that are no JSON are text', () => {
    expect(mask('document', '# Anna\n')).toMatch(/^# [A-Z][a-z]+\n$/);
    expect(mask('document', '"Anna"')).toMatch(/^"[A-Z][a-z]+"$/);
  });

  it('may be as deep as they like', () => {
    const deep = `${'['.repeat(3000)}"Anna"${']'.repeat(3000)}`;
    expect(mask('document', deep)).not.toContain('Anna');
  });
});

describe('times and words of enumerations', () => {
  it.each([
    ['2026-09-01T07:52:04.937Z', '2026-09-01T07:52:04.937Z'],
    ['2026-09-01T07:52:04Z', '2026-09-01T07:52:04Z'],
    ['2026-09-01T09:52:04+02:00', '2026-09-01T07:52:04.000Z'],
    ['Tue, 01 Sep 2026 07:52:04 GMT', '2026-09-01T07:52:04.000Z'],
    ['1788249124937', '2026-09-01T07:52:04.937Z'],
    ['1788249124', '2026-09-01T07:52:04.000Z'],
    ['2026-02-31T00:00:00Z', expect.stringMatching(/^2026-03-03T|undefined/)],
    ['after the holidays', 'undefined'],
    ['+020000-01-01T00:00:00Z', 'undefined'],
  ])('are kept as times of seeds: %s', (text, kept) => {
    expect(String(mask('moment', text))).toEqual(kept);
  });

  it.each(['CcFailed', 'percent-off', 'courses:read', 'All'])(
    'are kept where they look like one: %s',
    (word) => {
      expect(mask('word', word)).toBe(word);
      expect(mask('permission', word)).toBe(word);
    },
  );

  it.each(['Anna Schmidt', 'course:5f3a1b', 'anna@school.org', 'Älter', 'A'.repeat(41)])(
    'are text where they do not: %s',
    (word) => {
      expect(mask('word', word)).not.toBe(word);
      expect(mask('permission', { resource: word })).not.toBe(word);
    },
  );
});

const someKinds = ['id', 'code', 'email', 'name', 'text', 'slug', 'link', 'folder'] as const;

function all(secret: string): readonly unknown[] {
  return someKinds.map((kind) => maskerWith(secret).mask(kind, 'anna-schmidt-of-the-school', null));
}

describe('a secret', () => {
  it('makes all replacements the same, and another one others', () => {
    expect(all('one secret')).toEqual(all('one secret'));
    expect(all('one secret').filter((masked, at) => masked === all('another secret')[at])).toEqual([]);
  });
});

describe('folders', () => {
  it('stay in the folders that they are in', () => {
    const masker = maskerWith();
    const [top, inner, other, beside] = [
      '/Physics',
      '/Physics/Week 1',
      '/Biology/Week 1',
      '/Physics/Week 2',
    ].map((path) => String(masker.mask('folder', path, null)));
    expect(inner?.startsWith(`${top}/`)).toBe(true);
    expect(beside?.startsWith(`${top}/`)).toBe(true);
    expect(new Set([top, inner, other, beside]).size).toBe(4);
    expect(['/', ''].map((path) => masker.mask('folder', path, null))).toEqual(['/', '']);
  });
});
