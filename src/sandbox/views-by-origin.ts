import type { OptionOf } from '../assumptions.ts';
import { fieldRules } from './field-rule.ts';
import type { ViewMemory } from './view-memory.ts';
import { Views } from './views.ts';

/**
 * The maximum number of origins with cached views, so that a client with random Host headers cannot fill the
 * memory.
 */
const maxCachedOrigins = 8;

/** The views of one sandbox, by origin. */
export class ViewsByOrigin {
  readonly #maxBytes: number;
  readonly #memory: ViewMemory;
  readonly #views = new Map<string, Views>();

  constructor(maxBytes: number, memory: ViewMemory) {
    this.#maxBytes = maxBytes;
    this.#memory = memory;
  }

  /** `fields` says which fields the records have. */
  from(origin: string, fields: OptionOf<'responseFields'> = 'all'): Views {
    const key = fields === 'all' ? origin : `${fields} ${origin}`;
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    if (this.#views.size >= maxCachedOrigins) this.end();
    const count = (bytes: number): void => this.#memory.grow(this, bytes);
    const fresh = new Views(origin, this.#maxBytes, count, fieldRules[fields]);
    this.#views.set(key, fresh);
    return fresh;
  }

  /** Empties the cache. */
  forget(): void {
    this.#views.clear();
  }

  /** Empties the cache and gives back its memory. */
  end(): void {
    this.forget();
    this.#memory.remove(this);
  }
}
