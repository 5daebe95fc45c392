import type { Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { Scenario } from '../faults/scenario.ts';
import { parseKey, shortened, type ParsedKey } from './keys.ts';
import { Sandbox, type SandboxPlan, type School } from './sandbox.ts';
import type { Seed } from './seed.ts';

/** Whose a call is. The school is null where the key names none. */
export interface Caller {
  readonly sandbox: Sandbox;
  readonly school: School | null;
  /** The key as it may be shown and kept; null where none came. */
  readonly shownKey: string | null;
}

/** What a sandbox is made from when nobody says otherwise. */
export interface SandboxDefaults {
  readonly seed: Seed;
  readonly options: Options;
  readonly checks: ParameterChecks;
  readonly randomSeed: number;
  readonly limitScale: number | null;
  readonly scenario: Scenario | null;
  readonly labels: boolean;
}

export type SandboxRequest = Pick<SandboxPlan, 'id' | 'clock'> & Partial<SandboxDefaults>;

/** Callers kept by their key; more than any honest client needs. */
const keptCallers = 10_000;

/** The sandboxes of one server, found by key. */
export class Sandboxes {
  readonly default: Sandbox;
  readonly #defaults: SandboxDefaults;
  /** Whether a key of a sandbox that is not there yet makes it. */
  readonly #autoCreate: boolean;
  readonly #onCreate: (sandbox: Sandbox) => void;
  readonly #byId = new Map<string, Sandbox>();
  readonly #callers = new Map<string, Caller & { readonly school: School }>();

  constructor(
    defaults: SandboxDefaults,
    { autoCreate = true, onCreate = () => {} }: { autoCreate?: boolean; onCreate?: (sandbox: Sandbox) => void },
  ) {
    this.#defaults = defaults;
    this.#autoCreate = autoCreate;
    this.#onCreate = onCreate;
    this.default = this.create({ id: 'default' });
  }

  get(id: string): Sandbox | undefined {
    return this.#byId.get(id);
  }

  create(request: SandboxRequest): Sandbox {
    const sandbox = new Sandbox({ ...this.#defaults, ...request });
    this.#byId.set(sandbox.id, sandbox);
    this.#onCreate(sandbox);
    return sandbox;
  }

  /** The sandbox and school that a key names. Where it names none, the sandbox that the refusal belongs to. */
  identify(key: string | undefined): Caller {
    const known = key === undefined ? undefined : this.#callers.get(key);
    if (known !== undefined && known.sandbox.state.collection('schools').get(known.school.id) === known.school) return known;
    if (key === undefined) return { sandbox: this.default, school: null, shownKey: null };
    const shownKey = shortened(key);
    const parsed = parseKey(key);
    if (parsed === null) return { sandbox: this.default, school: null, shownKey };
    const sandbox = this.#byId.get(parsed.sandboxId) ?? this.#open(parsed);
    const school = sandbox === undefined ? undefined : schoolOf(sandbox.school(parsed.slug), parsed);
    if (sandbox === undefined || school === undefined) return { sandbox: sandbox ?? this.default, school: null, shownKey };
    if (this.#callers.size >= keptCallers) this.#callers.clear();
    const caller = { sandbox, school, shownKey };
    this.#callers.set(key, caller);
    return caller;
  }

  /** A sandbox of its own for a key whose school is one of the seed. */
  #open(key: ParsedKey): Sandbox | undefined {
    const school = schoolOf(this.#defaults.seed.collections.schools.index('slug').get(key.slug)[0], key);
    return this.#autoCreate && school !== undefined ? this.create({ id: key.sandboxId }) : undefined;
  }
}

function schoolOf(school: School | undefined, { label }: ParsedKey): School | undefined {
  return label === null || school?.keyLabels?.includes(label) === true ? school : undefined;
}
