import { describe, expect, it } from 'vitest';
import { maskFor } from '../../src/upstream/key-mask/key-mask.ts';

const keys = ['7KmzPq3RtYv8XwNc5BdHj2'];

function reversed(text: string): string {
  return text.split('').toReversed().join('');
}

describe('The mask finds a key that is spelled', () => {
  it.each<[string, number, (piece: string, at: number) => string]>([
    ['characters with indexes and quotes', 1, (one, at) => `[${at}] = '${one}'\n`],
    ['characters before their indexes', 1, (one, at) => `${one} (${at})\n`],
    ['characters in words', 1, (one, at) => `character ${at} is ${one}, `],
    ['characters in objects', 1, (one, at) => `{"index":${at},"character":"${one}"},`],
    ['characters in YAML', 1, (one, at) => `- index: ${at}\n  character: ${one}\n`],
    ['numbered groups of three', 3, (three, at) => `${at}: ${three}\n`],
    ['groups of four in members', 4, (four, at) => `"part${at}":"${four}",`],
    ['groups of four in objects', 4, (four, at) => `{"i":${at},"value":"${four}"},`],
    ['characters in hexadecimal in braces', 1, (one) => `\\x{${one.charCodeAt(0).toString(16)}}`],
  ])('in %s', (_, size, form) => {
    for (const key of ['7KmzPq3RtYv8XwNc5BdHj2', 'Jx7v-Q2nB-t9Lw-4Ks8']) {
      const pieces = key.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
      for (const spelled of [pieces, pieces.map(reversed).toReversed()]) {
        const shown = maskFor([key])(spelled.map(form).join(''));
        const open = spelled.filter((piece, at) => /[a-z\d]/i.test(piece) && shown.includes(form(piece, at)));
        expect(open).toEqual([]);
      }
    }
  });

  it('in words of hexadecimal numbers, which become 0', () => {
    for (const size of [2, 4, 8]) {
      const words = '7KmzPq3RtYv8XwNc'.match(new RegExp(`.{${size}}`, 'g')) ?? [];
      const text = words.map((word) => `0x${Buffer.from(word).toString('hex')}`).join(', ');
      expect(maskFor(keys)(text)).toMatch(/^(?:0(?:, |$))+$/);
    }
  });

  it('and leaves lists in which only some pieces follow one another as they are', () => {
    const lists = ['{"a":"7","b":"K","c":"m"}', '1. 7\n2. K\n3. q\n4. 3', 'part1=7Km part2=xyz part3=zPq'];
    for (const text of lists) expect(maskFor(keys)(text)).toBe(text);
  });
});
