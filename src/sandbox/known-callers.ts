import { BoundedMap } from '../base/bounded-map.ts';
import { inNextTurn } from './clock.ts';
import type { ParsedKey } from './keys.ts';
import type { Sandbox, School } from './sandbox.ts';

/** The sandbox and school of a call. The school is null if the key is invalid. */
export interface Caller {
  readonly sandbox: Sandbox;
  readonly school: School | null;
  /** The shortened key. Null if the call has none. */
  readonly shownKey: string | null;
  /** The label at the end of a valid key. */
  readonly label?: string | null;
  /** Why the key could not create a sandbox, if there are too many. */
  readonly full?: string;
}

type ValidCaller = Caller & { readonly school: School };

/** The maximum number of callers cached by key; more than any client needs. */
const maxCached = 10_000;

/** The latest callers, by key. */
export class KnownCallers {
  readonly #byKey = new BoundedMap<string, ValidCaller>(maxCached);
  /** The sandboxes that have left in this turn of the event loop. */
  readonly #gone = new Set<Sandbox>();

  /** Returns the caller with a key whose school has not changed since. */
  get(key: string | undefined): ValidCaller | undefined {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    if (known === undefined) return undefined;
    const { sandbox, school } = known;
    if (this.#gone.has(sandbox)) return undefined;
    return sandbox.state.collection('schools').get(school.id) === school ? known : undefined;
  }

  set(key: string, caller: ValidCaller): void {
    this.#byKey.set(key, caller);
  }

  /** Forgets the callers of a sandbox that has left. Looks for them once for all that leave together. */
  forget(sandbox: Sandbox): void {
    if (this.#gone.size === 0) inNextTurn(() => this.#forgetGone());
    this.#gone.add(sandbox);
  }

  #forgetGone(): void {
    for (const [key, { sandbox }] of this.#byKey.entries())
      if (this.#gone.has(sandbox)) this.#byKey.delete(key);
    this.#gone.clear();
  }
}

/** In the labels of a school: keys with any other label are valid, too. */
export const anyLabel = '*';

/** Returns the school if the key of it may have the label: one of its labels, or any if it lists none or `*`. */
export function schoolOf(school: School | undefined, { label }: ParsedKey): School | undefined {
  const labels = school?.keyLabels ?? [anyLabel];
  return label === null || labels.includes(label) || labels.includes(anyLabel) ? school : undefined;
}
