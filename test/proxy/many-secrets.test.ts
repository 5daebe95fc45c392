import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { ManyForms } from '../../src/upstream/proxy/many-forms.ts';
import { Secrets } from '../../src/upstream/proxy/secrets.ts';

/** Secrets, the longest first, each with a mask of its own. */
function masking(...secrets: readonly string[]): ManyForms {
  return new ManyForms(secrets.map((secret) => [secret, `<${secret.length}>`]));
}

describe('very many secrets', () => {
  it('are masked wherever they are in a text, of overlapping ones the longest first', () => {
    const forms = masking('secret-0001-long', 'secret-0001', 'ng-secret', 'aaaaaaaa');
    expect(forms.maskIn('secret-0001-long, secret-0001,secret-0001-lon')).toBe('<16>, <11>,<11>-lon');
    expect(forms.maskIn('secret-0001-long-secret')).toBe('<16>-secret');
    expect(forms.maskIn('xng-secretx aaaaaaaaaaaaaaaaa')).toBe('x<9>x <8><8>a');
    expect(forms.maskIn('secret-000')).toBe('secret-000');
  });

  it(
    'are masked with the whole text if it repeats the beginnings of many of them',
    { tags: ['slow'] },
    () => {
      const secrets = Array.from({ length: 100 }, (_, number) => `aaaaaaaa-${number}`);
      const forms = masking(...secrets);
      expect(forms.maskIn('a'.repeat(100))).toBe('a'.repeat(100));
      expect(forms.maskIn('a'.repeat(100_000))).toBe('…');
      expect(forms.shownIn('a'.repeat(100_000))).toBe('…');
    },
  );

  it('are found in names of headers in any case, and where a message cuts them', () => {
    const tokens = Array.from({ length: 100 }, (_, number) => [`x-token-${number}`, `Tok-${number}-Value`]);
    const secrets = new Secrets(
      { ...Object.fromEntries(tokens), 'service-api-key': 'one 4711-abcdefgh' },
      '',
    );
    expect(withoutPause(secrets.maskingHeaders(['x-TOK-77-value-x', '1', 'x-tok-77', '2']))).toEqual([
      '…',
      '1',
      'x-tok-77',
      '2',
    ]);
    expect(secrets.maskAll(['It is "Tok-55-V…".', 'It is "Tok-55-W…".'])).toEqual([
      'It is "…".',
      'It is "Tok-55-W…".',
    ]);
  });
});
