import { resultSchemas } from '../../contract/generated/result-schemas.js';
import type { Schema } from '../../contract/openapi.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import type { Collections, Filled } from './complete.ts';
import type { Notebook } from './notebook.ts';
import type { DroppedFields, DropReason, FieldTally, KeptWord, Tally } from './tally.ts';

/** The calls of an operation, and how many elements added data. */
export interface OperationCount {
  readonly operation: string;
  calls: number;
  told: number;
  /** Elements that failed, were refused or unreadable. */
  toldNothing: number;
}

/** Statistics of a recording: names of fields, numbers and the kept words, but no other value, masked or not. */
export interface RecordReport {
  readonly operations: readonly Readonly<OperationCount>[];
  /** Number of keys used; keys that show the same records belong to one school. */
  readonly keys: number;
  /** Records by collection. */
  readonly records: Readonly<Record<string, number>>;
  readonly fields: readonly Readonly<FieldTally>[];
  /** Values of enums in the seed as the service sent them, to review before the seed is shared. */
  readonly keptWords: readonly KeptWord[];
  /** The options without which a sandbox does not send what was recorded. */
  readonly assume: Readonly<Record<string, string>>;
  /** Unknown fields and values of a wrong type, which are not recorded. */
  readonly dropped: DroppedFields;
  /** Fields that no response contained. */
  readonly filledIn: readonly Filled[];
  /** Data that the service has but no response showed. */
  readonly unseen: readonly { readonly what: string; readonly seen: number; readonly of: number }[];
}

/** What a report is created from. */
export interface Findings {
  readonly collections: Collections;
  readonly filled: readonly Filled[];
  readonly counts: readonly OperationCount[];
  readonly tally: Tally;
  readonly notebook: Notebook;
  readonly keys: number;
}

export function reportOn({ collections, filled, counts, tally, notebook, keys }: Findings): RecordReport {
  const records = Object.entries(collections).map(([name, members]) => [name, members.length] as const);
  const keptWords = tally.keptWords();
  return {
    operations: counts.toSorted((one, other) => (one.operation < other.operation ? -1 : 1)),
    keys,
    records: Object.fromEntries(records),
    fields: tally.fields(),
    keptWords,
    assume: keptWords.some(isUnshown) ? { openValues: 'plausible' } : {},
    dropped: tally.dropped(),
    filledIn: filled,
    unseen: unseenIn(collections, notebook),
  };
}

/** Whether the specification does not show a value, in a field for which it does not list all values. */
function isUnshown({ field, word }: KeptWord): boolean {
  const [operation = '', path = ''] = field.split(' ');
  const [side, ...steps] = path.split(/\.|(?=\[\])/);
  if (!isOperationName(operation) || side !== 'result') return false;
  const schema = steps.reduce<Schema | undefined>(
    (part, step) => (step === '[]' ? part?.items : part?.properties?.[step]),
    resultSchemas[operation],
  );
  const known = schema?.['x-known-values'];
  return Array.isArray(known) && !known.includes(word);
}

function unseenIn(
  { videos, permissionPresets }: Collections,
  { totals, folders }: Notebook,
): RecordReport['unseen'] {
  const sum = (what: 'videos' | 'presets'): number =>
    [...totals.values()].reduce((total, { [what]: number }) => total + number, 0);
  const listed = new Set([...folders.values()].flatMap((paths) => [...paths]));
  const shown = [...listed].filter((path) =>
    videos.some(({ folderPath }) => `${folderPath}/`.startsWith(`${path}/`)),
  );
  const rows = [
    { what: 'videos', seen: videos.length, of: sum('videos') },
    { what: 'permission presets', seen: permissionPresets.length, of: sum('presets') },
    { what: 'folders', seen: shown.length, of: listed.size },
  ];
  return rows.filter(({ seen, of }) => seen < of);
}

/** Renders the report in a few lines for a terminal. */
export function reportText(report: RecordReport): string {
  const calls = total(report.operations.map((one) => one.calls));
  const nothing = total(report.operations.map(({ toldNothing }) => toldNothing));
  const records = Object.entries(report.records).filter(([, count]) => count > 0);
  const replaced = total(report.fields.map((field) => field.replaced));
  const lines = [
    `${counted(calls, 'call')} with ${counted(report.keys, 'key')}; ${counted(nothing, 'element')} without data, because they failed or were unreadable.`,
    `Records: ${records.map(([name, count]) => `${name} ${count}`).join(', ')}.`,
    `${counted(replaced, 'value')} replaced, ${counted(total(report.fields.map(({ leftOut }) => leftOut)), 'secret')} left out.`,
    ...(report.keptWords.length === 0
      ? []
      : [
          `${counted(new Set(report.keptWords.map(({ word }) => word)).size, 'word')} kept: review keptWords in record-report.json before you share the seed.`,
        ]),
    ...Object.entries(report.assume).map(
      ([name, option]) =>
        `To send the recorded values of statuses and types, a sandbox needs --assume ${name}=${option}.`,
    ),
    ...(['unknown', 'null', 'wrong'] as const).flatMap((why) => {
      const fields = report.dropped.flatMap((one) => (one.why === why ? [one.field] : []));
      return fields.length === 0 ? [] : [`${dropReasons[why]}, so not recorded: ${fields.join(', ')}.`];
    }),
    ...(report.filledIn.length === 0
      ? []
      : [
          `Not in any response, so filled in: ${report.filledIn.map(({ field, times }) => `${field} (${times})`).join(', ')}.`,
        ]),
    ...report.unseen.map(
      ({ what, seen, of }) =>
        `Only ${seen} of ${of} ${what} ${what === 'folders' ? 'showed a video' : 'were seen'}.`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const dropReasons: Readonly<Record<DropReason, string>> = {
  unknown: 'Not in the contract',
  null: 'Null',
  wrong: 'Not a value that the contract allows there',
};

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
