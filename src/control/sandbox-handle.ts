import type { Records } from '../contract/generated/facts.ts';
import type { JournalEntry } from '../sandbox/journal.ts';
import { keyOf } from '../sandbox/keys.ts';
import { Misuse } from '../sandbox/misuse.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CollectionName } from '../sandbox/seed.ts';
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
  /** Back to the seed, from the clock's present moment on. */
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
    reset: async () => sandbox.reset(),
  };
}
