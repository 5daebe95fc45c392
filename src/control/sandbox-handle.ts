import type { PartialOptions, ProfileName } from '../assumptions.ts';
import type { Templates } from '../settings/refusal-templates.ts';
import type { components } from '../contract/generated/control.ts';
import type { Records } from '../contract/generated/facts.ts';
import type { FaultRule, NewFaultRule } from '../faults/rule.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { JournalFilter } from '../sandbox/journal-page.ts';
import { keyOf } from '../sandbox/keys.ts';
import { SandboxError, NotFoundError } from '../base/errors.ts';
import type { CollectionName } from '../sandbox/seed.ts';
import type { ClockSetting } from './clock.ts';
import { listPageByPage } from './list-page-by-page.ts';

type Schemas = components['schemas'];

/**
 * A sandbox as tests use it, in this process or another. Methods that fail reject with SandboxError and
 * change nothing.
 */
export interface SandboxHandle {
  readonly id: string;
  /** The base URL for clients: operations are at `${baseUrl}/public/<operation>`. */
  readonly baseUrl: string;
  /** Returns the API key of a school, by its slug. Throws SandboxError for an unknown school. */
  apiKey(school: string): string;
  /**
   * The control token that permits only this sandbox. Null unless this handle created the sandbox, or issued its token,
   * on a server with a `tokenSecret`.
   */
  readonly token: string | null;
  /** Issues the next token, which `token` then returns. The one before is not valid any more. */
  issueToken(): Promise<string>;
  describe(): Promise<Schemas['Sandbox']>;
  readonly clock: {
    /** Returns the sandbox's time, ISO 8601. */
    now(): Promise<string>;
    set(setting: ClockSetting): Promise<void>;
    advance(by: { readonly seconds: number }): Promise<void>;
  };
  readonly state: {
    list<N extends CollectionName>(collection: N): Promise<readonly Records[N][]>;
    get<N extends CollectionName>(collection: N, id: string): Promise<Records[N] | null>;
    /** Adds a record, or replaces the record with its id. */
    put<N extends CollectionName>(collection: N, record: Records[N]): Promise<Records[N]>;
    /** Changes fields (RFC 7396): null removes one. */
    patch<N extends CollectionName>(collection: N, id: string, patch: object): Promise<Records[N]>;
    remove(collection: CollectionName, id: string): Promise<void>;
    /** Returns the records that differ from the seed, before and after. */
    changes(): Promise<readonly Schemas['RecordChange'][]>;
    export(): Promise<Schemas['StateDocument']>;
    import(document: Schemas['StateDocument']): Promise<void>;
  };
  readonly snapshots: {
    /** Stores state, clock, assumptions and rules under a name. */
    take(name: string): Promise<void>;
    restore(name: string): Promise<void>;
    list(): Promise<readonly Schemas['Snapshot'][]>;
    remove(name: string): Promise<void>;
  };
  readonly assumptions: {
    list(): Promise<readonly Schemas['Assumption'][]>;
    /** Chooses options, and sets the texts of their option `template`. */
    choose(options: PartialOptions & Partial<Templates>): Promise<void>;
    /** Applies a profile; assumptions that it does not set get their defaults. */
    profile(name: ProfileName): Promise<void>;
  };
  readonly faults: {
    /** Adds a rule at the end. */
    add(rule: NewFaultRule): Promise<FaultRule>;
    /**
     * Returns the rules in the order of evaluation, the scenario's first, with how often each matched and
     * fired.
     */
    list(): Promise<readonly FaultRule[]>;
    /** Changes members of a rule (RFC 7396) and resets its counters. */
    change(id: string, patch: object): Promise<FaultRule>;
    remove(id: string): Promise<void>;
    /** Removes every rule and ends the scenario. */
    clear(): Promise<void>;
  };
  readonly scenario: {
    /** Plays a scenario in place of the previous one: by its name, or (in this process) from a file. */
    play(nameOrFile: string): Promise<void>;
    stop(): Promise<void>;
    /** Returns the name of the current scenario, or null. */
    current(): Promise<string | null>;
  };
  /** What the server lets the sandbox use. Only the operator of the server can set it. */
  readonly quotas: {
    read(): Promise<Schemas['Quotas']>;
    /** Sets the quotas. Missing ones are those of the server. */
    set(quotas: Schemas['QuotaSetting']): Promise<void>;
  };
  readonly limits: {
    read(): Promise<Schemas['Limits']>;
    set(setting: Schemas['LimitSetting']): Promise<void>;
    /** Resets the counters of all limits. */
    clearCounters(): Promise<void>;
  };
  readonly journal: {
    /** Returns the stored entries, newest last. */
    list(filter?: JournalFilter): Promise<readonly JournalEntry[]>;
    get(requestId: string): Promise<Schemas['Exchange'] | null>;
    clear(): Promise<void>;
    /** Restores the entries that the last `clear` deleted. Rejects with ConflictError if there are none. */
    restore(): Promise<void>;
    /** Compares expectations with what the client sent. */
    verify(expectations: Schemas['Expectations']): Promise<Schemas['Verdict']>;
    /** Returns the journal as an HTTP Archive. */
    har(): Promise<object>;
  };
  /**
   * Starts a scope: the report judges the calls from now on by themselves, such as those of a test. Null ends
   * it.
   */
  scope(name: string | null): Promise<void>;
  /** Returns the report on the client, from the journal. */
  report(): Promise<Schemas['Report']>;
  /** Restores the seed and restarts the scenario, from the clock's current time. Deletes all other rules. */
  reset(): Promise<void>;
  /** Deletes the sandbox; resets it instead if it is the default one. */
  remove(): Promise<void>;
}

/** Sends a request to the control plane, in this process or elsewhere. Rejects with SandboxError. */
export type Send = (method: string, target: string, body?: unknown) => Promise<unknown>;

/** The sandbox of a handle. */
export interface About {
  readonly id: string;
  readonly baseUrl: string;
  /** The slugs of the schools. */
  readonly schools: () => readonly string[];
  /** Its control token, if it is known. */
  readonly token: string | null;
}

export function sandboxHandle({ id, baseUrl, schools, token }: About, send: Send): SandboxHandle {
  // openapi/control.yaml defines each response, and a test validates the responses against it.
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await send(method, `/control/sandboxes/${encodeURIComponent(id)}${path}`, body)) as T;
  const tell = async (method: string, path: string, body?: unknown): Promise<void> =>
    void (await ask(method, path, body));
  let current = token;
  return {
    id,
    baseUrl,
    apiKey: (slug) => {
      if (schools().includes(slug)) return keyOf(id, slug);
      throw new SandboxError(
        `The sandbox "${id}" has no school "${slug}". Its schools: ${schools().join(', ')}.`,
      );
    },
    get token() {
      return current;
    },
    issueToken: async () => (current = (await ask<Schemas['SandboxToken']>('POST', '/token')).token),
    describe: () => ask('GET', ''),
    clock: {
      now: async () => (await ask<Schemas['Clock']>('GET', '/clock')).now,
      set: (setting) => tell('PUT', '/clock', setting),
      advance: (by) => tell('POST', '/clock/advance', by),
    },
    state: {
      list: async <N extends CollectionName>(collection: N) =>
        (await ask<{ readonly records: readonly Records[N][] }>('GET', `/state/${collection}`)).records,
      get: (collection, recordId) => orNull(ask('GET', record(collection, recordId))),
      put: (collection, kept) => ask('PUT', record(collection, kept.id), kept),
      patch: (collection, recordId, patch) => ask('PATCH', record(collection, recordId), patch),
      remove: (collection, recordId) => tell('DELETE', record(collection, recordId)),
      changes: async () => (await ask<Schemas['ChangeList']>('GET', '/changes')).changes,
      export: () => ask('GET', '/state'),
      import: (document) => tell('PUT', '/state', document),
    },
    snapshots: {
      take: (name) => tell('PUT', snapshot(name)),
      restore: (name) => tell('POST', `${snapshot(name)}/restore`),
      list: async () => (await ask<Schemas['SnapshotList']>('GET', '/snapshots')).snapshots,
      remove: (name) => tell('DELETE', snapshot(name)),
    },
    assumptions: {
      list: async () => (await ask<Schemas['AssumptionList']>('GET', '/assumptions')).assumptions,
      choose: (options) => tell('PATCH', '/assumptions', options),
      profile: (profile) => tell('PUT', '/profile', { profile }),
    },
    faults: {
      add: (added) => ask('POST', '/faults', added),
      list: async () => (await ask<{ readonly rules: readonly FaultRule[] }>('GET', '/faults')).rules,
      change: (ruleId, patch) => ask('PATCH', rule(ruleId), patch),
      remove: (ruleId) => tell('DELETE', rule(ruleId)),
      clear: () => tell('DELETE', '/faults'),
    },
    scenario: {
      play: (name) => tell('PUT', '/scenario', { name }),
      stop: () => tell('DELETE', '/scenario'),
      current: async () => (await ask<Schemas['FaultRuleList']>('GET', '/faults')).scenario,
    },
    quotas: {
      read: () => ask('GET', '/quotas'),
      set: (quotas) => tell('PUT', '/quotas', quotas),
    },
    limits: {
      read: () => ask('GET', '/limits'),
      set: (setting) => tell('PUT', '/limits', setting),
      clearCounters: () => tell('DELETE', '/limits/counters'),
    },
    journal: {
      list: async (filter = {}) => listPageByPage((query) => ask('GET', `/journal${query}`), filter),
      // Other words at this place of the path are other routes.
      get: async (requestId) =>
        /-\d+$/.test(requestId) ? orNull(ask('GET', `/journal/${encodeURIComponent(requestId)}`)) : null,
      clear: () => tell('DELETE', '/journal'),
      restore: () => tell('POST', '/journal/restore'),
      verify: (expectations) => ask('POST', '/journal/verify', expectations),
      har: () => ask('GET', '/journal.har'),
    },
    scope: (name) => tell('POST', '/journal/scopes', { name }),
    report: () => ask('GET', '/report'),
    reset: () => tell('POST', '/reset'),
    remove: () => tell('DELETE', ''),
  };
}

function record(collection: string, id: string): string {
  return `/state/${collection}/${encodeURIComponent(id)}`;
}

function snapshot(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`;
}

function rule(id: string): string {
  return `/faults/${encodeURIComponent(id)}`;
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
