/** One limit of this server: a bound that protects the other clients of the server. None of them is behavior of the platform. */
interface ServerLimit {
  /** The default. */
  readonly standard: number;
  readonly least: number;
  readonly most: number;
  /** What is limited, with its unit. */
  readonly what: string;
  /** What a client sees beyond the limit. */
  readonly beyond: string;
}

const mib = 1_048_576;

/** Every limit that `--max NAME=N` sets, or the setting `max` in code. */
export const serverLimits = {
  replyBytes: {
    standard: 32 * mib,
    least: 1024,
    most: 256 * mib,
    what: 'bytes in the reply to one call',
    beyond: '413 and a problem document; nothing of the call takes effect',
  },
  editedReplyBytes: {
    standard: mib,
    least: 1024,
    most: 64 * mib,
    what: 'bytes in a reply whose outputs a fault changes, before the change',
    beyond: '413 and a problem document; nothing of the call takes effect',
  },
  repliesInFlightBytes: {
    standard: 256 * mib,
    least: mib,
    most: 65_536 * mib,
    what: 'bytes in replies above 1 MiB that are being built or sent, over all clients; a client that reads nothing of one for 30 s is disconnected',
    beyond: '503 with `Retry-After: 1` and a problem document; nothing of the call takes effect',
  },
  bodiesInFlightBytes: {
    standard: 256 * mib,
    least: mib,
    most: 65_536 * mib,
    what: 'bytes in bodies above 64 KiB that are being received, over all clients; the control plane has the same amount for its bodies, but at most a quarter of the heap',
    beyond: '503 with `Retry-After: 1` and a problem document; the connection is closed',
  },
  waitingCallsBytes: {
    standard: 256 * mib,
    least: 1024,
    most: 65_536 * mib,
    what: 'bytes that calls take up in memory while they wait, such as for a delay or between the slices of a long batch, over all clients; at most a quarter of the heap',
    beyond: '503 with `Retry-After: 1` and a problem document; nothing of the call takes effect',
  },
  batchElements: {
    standard: 10_000,
    least: 1,
    most: 1_000_000,
    what: 'elements in one call',
    beyond: '413 and a problem document; no element is processed',
  },
  jsonValues: {
    standard: 200_000,
    least: 1000,
    most: 100_000_000,
    what: 'values (objects, lists and their members) in the body of one call',
    beyond: '413 and a problem document; no element is processed',
  },
  objectFields: {
    standard: 10_000,
    least: 100,
    most: 10_000_000,
    what: 'fields in one object of the body of one call',
    beyond: '413 and a problem document; no element is processed',
  },
  faultsPerCall: {
    standard: 20,
    least: 1,
    most: 1000,
    what: 'different faults that one call asks for, by header or by magic identifiers',
    beyond: '400 and a problem document; the operation does not run',
  },
  faultLabelBytes: {
    standard: 1000,
    least: 100,
    most: 8000,
    what: 'bytes in the response header `Sandbox-Fault`',
    beyond: 'the header names the first faults and the number of the others',
  },
  faultRules: {
    standard: 100,
    least: 1,
    most: 10_000,
    what: 'fault rules in one sandbox, those of its scenario included',
    beyond: '503 and a problem document; no rule is added',
  },
  faultRuleBytes: {
    standard: 16_384,
    least: 1024,
    most: 4 * mib,
    what: 'characters in the texts and names of one fault rule; it has at most 1,000 JSON values',
    beyond: '400 and a problem document; no rule is added',
  },
  journalEntries: {
    standard: 2000,
    least: 1,
    most: 1_000_000,
    what: 'entries in one journal',
    beyond: 'the oldest entries are deleted; `evicted` counts them',
  },
  journalBytes: {
    standard: 16 * mib,
    least: 1024,
    most: 65_536 * mib,
    what: 'bytes in one journal; of one body it stores the first 64 Ki characters',
    beyond: 'the oldest entries are deleted; `evicted` counts them',
  },
  journalPage: {
    standard: 200,
    least: 1,
    most: 1_000_000,
    what: 'entries in one page of the journal, if the request sets no `limit`',
    beyond: '`more` is true; ask for the next page with `since`',
  },
  journalStreams: {
    standard: 100,
    least: 1,
    most: 10_000,
    what: 'journal streams that are open at once, over all sandboxes',
    beyond: '503 and a problem document',
  },
  streamBytes: {
    standard: mib,
    least: 1024,
    most: 1024 * mib,
    what: 'bytes that wait for a stream whose client does not read',
    beyond: 'the stream skips the oldest entries and sends the event `gap`',
  },
  expectations: {
    standard: 1000,
    least: 1,
    most: 100_000,
    what: 'expectations in one `verify`, counts and sequence together',
    beyond: '400 and a problem document',
  },
  snapshots: {
    standard: 100,
    least: 1,
    most: 10_000,
    what: 'snapshots of one sandbox',
    beyond: '409 and a problem document',
  },
  snapshotRecords: {
    standard: 50_000,
    least: 1,
    most: 10_000_000,
    what: 'changed records in all snapshots of one sandbox together',
    beyond: '503 and a problem document; use the export instead',
  },
  stateBytes: {
    standard: 256 * mib,
    least: 1024,
    most: 65_536 * mib,
    what: 'bytes that the changed records of one sandbox take up in memory, with its snapshots and fault rules',
    beyond: '413 and a problem document, 503 from the control plane; nothing of the request takes effect',
  },
  importBytes: {
    standard: 64 * mib,
    least: 1024,
    most: 512 * mib,
    what: 'bytes in the body of an import',
    beyond: '413 and a problem document',
  },
  importRecords: {
    standard: 250_000,
    least: 1,
    most: 10_000_000,
    what: 'records in one collection of an import',
    beyond: '400 and a problem document',
  },
  recordBytes: {
    standard: 4 * mib,
    least: 1024,
    most: 512 * mib,
    what: 'bytes in one record, and in the body of any other request to the control plane',
    beyond: '413 and a problem document; in an import 400, with a pointer to the record',
  },
  recordValues: {
    standard: 50_000,
    least: 100,
    most: 10_000_000,
    what: 'JSON values in one record, and in the body of any other request to the control plane',
    beyond: '400 and a problem document',
  },
  verifies: {
    standard: 100,
    least: 1,
    most: 10_000,
    what: 'requests to `verify` that run or wait at once, in one sandbox',
    beyond: '503 and a problem document',
  },
  violations: {
    standard: 50,
    least: 1,
    most: 10_000,
    what: 'violations that one message or one journal entry lists',
    beyond: 'the message ends with the number of the others',
  },
} as const satisfies Readonly<Record<string, ServerLimit>>;

export type ServerLimitName = keyof typeof serverLimits;

/** The value of every limit. */
export type ServerLimits = { readonly [N in ServerLimitName]: number };

/** `Object.keys` of the list itself, so the names are exactly its keys. */
export const serverLimitNames = Object.keys(serverLimits) as ServerLimitName[];

/** The limits as they are without settings. */
export const standardLimits: ServerLimits = limitsWith({});

/** The default of each limit, with some limits set. */
export function limitsWith(own: Partial<ServerLimits>): ServerLimits {
  const values = serverLimitNames.map((name) => [name, own[name] ?? serverLimits[name].standard]);
  // One value for each name of the list.
  return Object.freeze(Object.fromEntries(values)) as ServerLimits;
}
