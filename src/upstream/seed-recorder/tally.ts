import type { Kind } from './kinds.ts';

/** What happened to the values of one field. */
export interface FieldTally {
  readonly field: string;
  readonly kind: Kind;
  kept: number;
  replaced: number;
  leftOut: number;
}

/** Counts what the recording does with values, by field. Never stores a value. */
export class Tally {
  readonly #fields = new Map<string, FieldTally>();
  readonly #unknown = new Map<string, number>();

  count(field: string, kind: Kind, became: 'kept' | 'replaced' | 'leftOut'): void {
    const known = this.#fields.get(field) ?? { field, kind, kept: 0, replaced: 0, leftOut: 0 };
    known[became] += 1;
    this.#fields.set(field, known);
  }

  /** Counts an unknown field, or a value of a wrong type. */
  drop(field: string): void {
    this.#unknown.set(field, (this.#unknown.get(field) ?? 0) + 1);
  }

  fields(): readonly Readonly<FieldTally>[] {
    return [...this.#fields.values()].toSorted((one, other) => (one.field < other.field ? -1 : 1));
  }

  dropped(): readonly { readonly field: string; readonly times: number }[] {
    const entries = [...this.#unknown].map(([field, times]) => ({ field, times }));
    return entries.toSorted((one, other) => (one.field < other.field ? -1 : 1));
  }
}
