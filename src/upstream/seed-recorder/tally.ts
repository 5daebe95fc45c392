import type { Kind } from './kinds.ts';

/** What happened to the values of one field. */
export interface FieldTally {
  readonly field: string;
  readonly kind: Kind;
  kept: number;
  replaced: number;
  leftOut: number;
}

/** A value of an enum that was kept. */
export interface KeptWord {
  readonly field: string;
  readonly word: string;
  readonly times: number;
}

/** Why a value is not recorded: the contract has no such field, or none with such a value. */
export type DropReason = 'unknown' | 'null' | 'wrong';

/** Unknown fields and values of a wrong type, with their numbers. */
export type DroppedFields = readonly {
  readonly field: string;
  readonly times: number;
  readonly why: DropReason;
}[];

/** Counts what the recording does with values, by field. Stores no value except the kept words. */
export class Tally {
  readonly #fields = new Map<string, FieldTally>();
  readonly #words = new Map<string, Map<string, number>>();
  readonly #dropped = new Map<string, { readonly field: string; readonly why: DropReason; times: number }>();

  count(field: string, kind: Kind, became: 'kept' | 'replaced' | 'leftOut'): void {
    const known = this.#fields.get(field) ?? { field, kind, kept: 0, replaced: 0, leftOut: 0 };
    known[became] += 1;
    this.#fields.set(field, known);
  }

  /** Adds the counts of an earlier recording. */
  restore(fields: readonly FieldTally[], words: readonly KeptWord[], dropped: DroppedFields): void {
    for (const one of fields) this.#fields.set(one.field, { ...one });
    for (const { field, word, times } of words) {
      const known = this.#words.get(field) ?? new Map<string, number>();
      this.#words.set(field, known.set(word, times));
    }
    for (const one of dropped) this.#dropped.set(`${one.field} ${one.why}`, { ...one });
  }

  /** Counts a word that is kept as it is. */
  keep(field: string, word: string): void {
    const words = this.#words.get(field) ?? new Map<string, number>();
    this.#words.set(field, words.set(word, (words.get(word) ?? 0) + 1));
  }

  /** Returns the kept words by field, the rarest first, because they are the most suspicious. */
  keptWords(): readonly KeptWord[] {
    const fields = [...this.#words].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return fields.flatMap(([field, words]) =>
      [...words]
        .map(([word, times]) => ({ field, word, times }))
        .toSorted((one, other) => one.times - other.times || (one.word < other.word ? -1 : 1)),
    );
  }

  /** Counts an unknown field, or a value of a wrong type. */
  drop(field: string, why: DropReason): void {
    const known = this.#dropped.get(`${field} ${why}`) ?? { field, why, times: 0 };
    known.times += 1;
    this.#dropped.set(`${field} ${why}`, known);
  }

  fields(): readonly FieldTally[] {
    return [...this.#fields.values()].toSorted((one, other) => (one.field < other.field ? -1 : 1));
  }

  dropped(): DroppedFields {
    const entries = [...this.#dropped.values()].map((one) => ({ ...one }));
    return entries.toSorted((one, other) => (one.field < other.field ? -1 : 1));
  }
}
