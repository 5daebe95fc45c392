import type { Records } from '../contract/generated/facts.ts';
import type { JournalEntry } from '../sandbox/journal.ts';
import { keyOf } from '../sandbox/keys.ts';
import { Misuse } from '../sandbox/misuse.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CollectionName } from '../sandbox/seed.ts';
import type { FaultRule, NewFaultRule } from '../faults/rule.ts';
import { addRule, listRules, playScenario, removeRule } from './faults.ts';
import { setClock, type ClockSetting } from './clock.ts';

/** A sandbox as a test holds it. Everything is asynchronous, so that it is the same for a server elsewhere. */
export interface SandboxHandle {
  readonly id: string;
  /** Where a client is to be pointed: operations are at `${baseUrl}/public/<operation>`. */
  readonly baseUrl: string;
  /** The API key of a school, by its slug. Throws Misuse for a school that is not there. */
  apiKey(school: string): string;
  readonly clock: {
    /** The sandbox's time, ISO 8601. */
    now(): Promise<string>;
    set(setting: ClockSetting): Promise<void>;
    advance(by: { readonly seconds: number }): Promise<void>;
  };
  readonly state: {
    list<N extends CollectionName>(collection: N): Promise<readonly Records[N][]>;
    get<N extends CollectionName>(collection: N, id: string): Promise<Records[N] | null>;
  };
  readonly journal: {
    /** The exchanges kept, newest last. */
    list(filter?: { readonly operation?: string; readonly outcome?: string }): Promise<readonly JournalEntry[]>;
  };
  readonly faults: {
    /** Adds a rule behind the others. Rejects with Misuse, and changes nothing, where it does not fit. */
    add(rule: NewFaultRule): Promise<FaultRule>;
    /** The rules in the order in which they are tried, the scenario's first, each with how often it matched and fired. */
    list(): Promise<readonly FaultRule[]>;
    /** Rejects with Misuse where there is no such rule. */
    remove(id: string): Promise<void>;
    /** Removes every rule, and ends the scenario. */
    clear(): Promise<void>;
  };
  readonly scenario: {
    /** Plays a scenario from now on, by its name or from a file, in the place of the one before. */
    play(nameOrFile: string): Promise<void>;
    stop(): Promise<void>;
    /** The name of the one that plays. */
    current(): Promise<string | null>;
  };
  /** Back to the seed and the beginning of the scenario, from the clock's present moment on; other rules are gone. */
  reset(): Promise<void>;
}

export function sandboxHandle(sandbox: Sandbox, baseUrl: string): SandboxHandle {
  const { id, clock, journal } = sandbox;
  return {
    id,
    baseUrl,
    apiKey: (slug) => {
      if (sandbox.school(slug) !== undefined) return keyOf(id, slug);
      const known = sandbox.schools().map((school) => school.slug);
      throw new Misuse(`The sandbox "${id}" has no school "${slug}". Its schools: ${known.join(', ')}.`);
    },
    clock: {
      now: async () => new Date(clock.now()).toISOString(),
      set: async (setting) => setClock(clock, setting),
      advance: async ({ seconds }) => clock.advance(seconds),
    },
    state: {
      list: async (collection) => [...sandbox.state.collection(collection).all()],
      get: async (collection, recordId) => sandbox.state.collection(collection).get(recordId) ?? null,
    },
    journal: { list: async (filter) => journal.list(filter) },
    faults: {
      add: async (rule) => addRule(sandbox, rule),
      list: async () => listRules(sandbox),
      remove: async (ruleId) => removeRule(sandbox, ruleId),
      clear: async () => sandbox.faults.clear(),
    },
    scenario: {
      play: async (nameOrFile) => playScenario(sandbox, nameOrFile),
      stop: async () => playScenario(sandbox, null),
      current: async () => sandbox.faults.scenario?.name ?? null,
    },
    reset: async () => sandbox.reset(),
  };
}
