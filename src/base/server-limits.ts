import { keysOf, recordOf } from './keys.ts';
import type { ServerLimit } from './server-limit.ts';

const mib = 1_048_576;

/** The limits that `--max NAME=N` sets, or the setting `max` in code. */
export const serverLimits = {
  callsPerSecond: {
    default: 1_000_000,
    min: 1,
    max: 1_000_000,
    what: 'calls with a valid key to one sandbox in one second of real time, on each server; the default means no limit',
    beyond: '503 with `Retry-After: 1` and a problem document; the call has no effect',
  },
  replyBytes: {
    default: 32 * mib,
    min: 1024,
    max: 256 * mib,
    what: 'bytes in the response to one call',
    beyond: '413 and a problem document; the call has no effect',
  },
  editedReplyBytes: {
    default: mib,
    min: 1024,
    max: 64 * mib,
    what: 'bytes in a response whose outputs a fault changes, before the change',
    beyond: '413 and a problem document; the call has no effect',
  },
  repliesInFlightBytes: {
    default: 256 * mib,
    min: mib,
    max: 65_536 * mib,
    what: 'bytes in all responses above 1 MiB that the server is building or sending (control plane: above 64 KiB), at most a quarter of the heap',
    beyond: '503 with `Retry-After: 1` and a problem document; the call has no effect',
  },
  pipelinedRequests: {
    default: 100,
    min: 1,
    max: 10_000,
    what: 'waiting pipelined requests on one connection, to the control plane and to pages',
    beyond: 'the server closes the connection',
  },
  bodiesInFlightBytes: {
    default: 256 * mib,
    min: mib,
    max: 65_536 * mib,
    what: 'bytes in all request bodies above 64 KiB that the server is receiving, at most a quarter of the heap',
    beyond: '503 with `Retry-After: 1` and a problem document; the connection is closed',
  },
  waitingCallsBytes: {
    default: 256 * mib,
    min: 1024,
    max: 65_536 * mib,
    what: 'bytes of memory for all waiting calls, at most a quarter of the heap',
    beyond: '503 with `Retry-After: 1` and a problem document; the call has no effect',
  },
  batchElements: {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    what: 'elements in one call',
    beyond: '413 and a problem document; no element is processed',
  },
  jsonValues: {
    default: 200_000,
    min: 1000,
    max: 100_000_000,
    what: 'values (objects, lists and their members) in the body of one call',
    beyond: '413 and a problem document; no element is processed',
  },
  objectFields: {
    default: 10_000,
    min: 100,
    max: 10_000_000,
    what: 'fields in one object of the body of one call, or of a request to the control plane',
    beyond: '413 and a problem document; no element is processed; 400 from the control plane',
  },
  faultsPerCall: {
    default: 20,
    min: 1,
    max: 1000,
    what: 'different faults that one call requests, by header or by magic identifiers',
    beyond: '400 and a problem document; the operation does not run',
  },
  faultLabelBytes: {
    default: 1000,
    min: 100,
    max: 8000,
    what: 'bytes in the response header `Sandbox-Fault`',
    beyond: 'the header lists the first faults and counts the others',
  },
  faultRules: {
    default: 100,
    min: 1,
    max: 10_000,
    what: 'fault rules in one sandbox, including those of its scenario',
    beyond: '503 and a problem document; no rule is added',
  },
  faultRuleBytes: {
    default: 16_384,
    min: 1024,
    max: 4 * mib,
    what: 'characters in the texts and names of one fault rule; a rule has at most 1,000 JSON values',
    beyond: '400 and a problem document; no rule is added',
  },
  rateCounters: {
    default: 1000,
    min: 1,
    max: 1_000_000,
    what: 'rate limit counters of one sandbox',
    beyond: 'the server deletes the oldest counters, and their callers start from zero',
  },
  journalEntries: {
    default: 2000,
    min: 1,
    max: 1_000_000,
    what: 'entries in one journal',
    beyond: 'the oldest entries are deleted; `evicted` counts them',
  },
  journalBytes: {
    default: 16 * mib,
    min: 1024,
    max: 65_536 * mib,
    what: 'bytes in one journal; it stores the first 64 Ki characters of each body',
    beyond: 'the oldest entries are deleted; `evicted` counts them',
  },
  journalPage: {
    default: 200,
    min: 1,
    max: 1_000_000,
    what: 'entries in one page of the journal, if the request sets no `limit`',
    beyond: '`more` is true; request the next page with `since`',
  },
  journalStreams: {
    default: 100,
    min: 1,
    max: 10_000,
    what: 'open journal streams, for all sandboxes together',
    beyond: '503 and a problem document',
  },
  streamBytes: {
    default: mib,
    min: 1024,
    max: 1024 * mib,
    what: 'bytes waiting in a stream whose client does not read',
    beyond: 'the stream skips the oldest entries and sends the event `gap`',
  },
  expectations: {
    default: 1000,
    min: 1,
    max: 100_000,
    what: 'expectations in one `verify` request, counts and sequence together',
    beyond: '400 and a problem document',
  },
  snapshots: {
    default: 100,
    min: 1,
    max: 10_000,
    what: 'snapshots of one sandbox',
    beyond: '409 and a problem document',
  },
  snapshotRecords: {
    default: 50_000,
    min: 1,
    max: 10_000_000,
    what: 'changed records in all snapshots of one sandbox together',
    beyond: '503 and a problem document; use the export instead',
  },
  stateRecords: {
    default: 10_000_000,
    min: 1,
    max: 10_000_000,
    what: 'records of one sandbox that differ from its seed: added, changed and removed ones',
    beyond: '413 and a problem document, 503 from the control plane; the request has no effect',
  },
  stateBytes: {
    default: 256 * mib,
    min: 1024,
    max: 65_536 * mib,
    what: 'bytes of memory for the changed records of one sandbox, including its snapshots and fault rules',
    beyond: '413 and a problem document, 503 from the control plane; the request has no effect',
  },
  importBytes: {
    default: 64 * mib,
    min: 1024,
    max: 512 * mib,
    what: 'bytes in the body of an import',
    beyond: '413 and a problem document',
  },
  importRecords: {
    default: 250_000,
    min: 1,
    max: 10_000_000,
    what: 'records in one collection of an import',
    beyond: '400 and a problem document',
  },
  recordBytes: {
    default: mib,
    min: 1024,
    max: 512 * mib,
    what: 'bytes of JSON in one record, and in the body of any other request to the control plane',
    beyond:
      '413 and a problem document, also for a call that would make a record exceed the limit; in an import 400, with a pointer to the record',
  },
  recordValues: {
    default: 50_000,
    min: 100,
    max: 10_000_000,
    what: 'JSON values in one record, and in the body of any other request to the control plane',
    beyond: '400 and a problem document; 413 for a call that would make a record exceed the limit',
  },
  verifies: {
    default: 100,
    min: 1,
    max: 10_000,
    what: '`verify` requests that run or wait in one sandbox',
    beyond: '503 and a problem document',
  },
  violations: {
    default: 50,
    min: 1,
    max: 1000,
    what: 'violations listed in one message or journal entry',
    beyond: 'the message ends with the number of further violations',
  },
} as const satisfies Readonly<Record<string, ServerLimit>>;

export type ServerLimitName = keyof typeof serverLimits;

/** The value of every limit. */
export type ServerLimits = { readonly [N in ServerLimitName]: number };

export const serverLimitNames = keysOf(serverLimits);

/** The defaults of all limits. */
export const defaultLimits: ServerLimits = limitsWith({});

/** Returns the given limits, with the defaults for the others. */
export function limitsWith(given: Partial<ServerLimits>): ServerLimits {
  return Object.freeze(recordOf(serverLimitNames, (name) => given[name] ?? serverLimits[name].default));
}
