import { parseKey, shortened, type ParsedKey } from './keys.ts';
import { KnownCallers, schoolOf, type Caller } from './known-callers.ts';
import type { Sandbox } from './sandbox.ts';

/** Where the sandboxes of keys are. */
interface KeyedSandboxes {
  /** Has the journal of calls that belong to no sandbox. */
  readonly fallback: () => Sandbox;
  readonly get: (id: string) => Sandbox | undefined;
  /** Creates the sandbox of a key, if keys do that. Returns why it cannot be created, if so. */
  readonly createFor: (key: ParsedKey) => Sandbox | string | undefined;
}

/** Finds the sandboxes and schools of keys. */
export class Callers {
  readonly #sandboxes: KeyedSandboxes;
  readonly #known = new KnownCallers();

  constructor(sandboxes: KeyedSandboxes) {
    this.#sandboxes = sandboxes;
  }

  isKnown(key: string): boolean {
    return this.#known.get(key) !== undefined;
  }

  forget(sandbox: Sandbox): void {
    this.#known.forget(sandbox);
  }

  /** Returns the sandbox and school of a key; for an invalid one, the sandbox whose journal gets the refusal. */
  identify(key: string | undefined): Caller {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { fallback, get, createFor } = this.#sandboxes;
    if (key === undefined) return { sandbox: fallback(), school: null, shownKey: null };
    const shownKey = shortened(key);
    const parsed = parseKey(key);
    if (parsed === null) return { sandbox: fallback(), school: null, shownKey };
    const sandbox = get(parsed.sandboxId) ?? createFor(parsed);
    if (typeof sandbox === 'string') return { sandbox: fallback(), school: null, shownKey, full: sandbox };
    const school = sandbox === undefined ? undefined : schoolOf(sandbox.school(parsed.slug), parsed);
    if (sandbox === undefined || school === undefined)
      return { sandbox: sandbox ?? fallback(), school: null, shownKey };
    const caller = { sandbox, school, shownKey, label: parsed.label };
    this.#known.set(key, caller);
    return caller;
  }
}
