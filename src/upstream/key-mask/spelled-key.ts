import { compacted } from './views.ts';

/** The longest piece that is looked up. Parts of at least five characters are found as such. */
const maxPieceChars = 8;

/** How much may stand between two pieces. */
const maxGapTokens = 8;
const maxGapChars = 100;

/** The shortest spelled part of a key. Two pieces alone have nothing that repeats, so they must be longer. */
const shortest = 5;
const shortestPair = 7;

const token = /[\da-z]+/g;

/** A run of letters and digits. */
interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A key whose pieces may be spelled one after another, with the same text before each, apart from counters. */
export class SpelledKey {
  readonly #key: string;
  /** The places of each piece in the key. */
  readonly #places = new Map<string, number[]>();

  constructor(key: string) {
    this.#key = compacted(key);
    for (let at = 0; at < this.#key.length; at += 1)
      for (let length = 1; length <= maxPieceChars && at + length <= this.#key.length; length += 1) {
        const piece = this.#key.slice(at, at + length);
        const known = this.#places.get(piece);
        if (known === undefined) this.#places.set(piece, [at]);
        else known.push(at);
      }
  }

  /** Calls `found` with each piece in a text in lower case, of which `tokens` are all tokens. */
  findIn(text: string, tokens: readonly Token[], found: (from: number, to: number) => void): void {
    for (let first = 0; first < tokens.length; first += 1) {
      for (const place of this.#places.get(tokens[first]?.text ?? '') ?? []) {
        const pieces = this.#spelledFrom(text, tokens, first, place);
        for (const { from, to } of pieces) found(from, to);
      }
    }
  }

  /** Returns the pieces that begin with a token at a place of the key; none if they are too short. */
  #spelledFrom(text: string, tokens: readonly Token[], first: number, place: number): readonly Token[] {
    const start = tokens[first];
    if (start === undefined) return [];
    for (const second of this.#nextPieces(tokens, first, place + start.text.length)) {
      const pieces = [start];
      const repeated = gapBefore(text, tokens, first, second);
      let done = place + start.text.length;
      let last = first;
      for (let next: number | undefined = second; next !== undefined;) {
        const piece: Token | undefined = tokens[next];
        if (piece === undefined) break;
        pieces.push(piece);
        done += piece.text.length;
        last = next;
        const from: number = last;
        next = this.#nextPieces(tokens, from, done).find((one) => {
          const gap = gapBefore(text, tokens, from, one);
          // A dash of the key may be a piece of its own.
          return ['', repeated, repeated.repeat(2)].includes(gap);
        });
      }
      const chars = done - place;
      if (chars >= (pieces.length > 2 ? shortest : shortestPair)) return pieces;
    }
    return [];
  }

  /** Returns the tokens soon after another one that continue the key. */
  #nextPieces(tokens: readonly Token[], last: number, place: number): readonly number[] {
    const end = tokens[last]?.to ?? 0;
    const next: number[] = [];
    if (place >= this.#key.length) return next;
    for (let at = last + 1; at <= last + maxGapTokens; at += 1) {
      const one = tokens[at];
      if (one === undefined || one.from - end > maxGapChars) break;
      if (this.#key.startsWith(one.text, place)) next.push(at);
    }
    return next;
  }
}

/** Returns the runs of letters and digits of a text in lower case. */
export function tokensOf(text: string): readonly Token[] {
  return Array.from(text.matchAll(token), ({ 0: run, index }) => ({
    text: run,
    from: index,
    to: index + run.length,
  }));
}

/** Returns what is between two tokens, without numbers, and without what keys have between their letters. */
function gapBefore(text: string, tokens: readonly Token[], one: number, other: number): string {
  const gap = text.slice(tokens[one]?.to ?? 0, tokens[other]?.from ?? 0);
  return gap.replaceAll(/\d+/g, '#').replaceAll(/[_-]/g, '');
}
