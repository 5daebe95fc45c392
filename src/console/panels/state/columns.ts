import type { components } from '../../../contract/generated/control.ts';

type Record = components['schemas']['Record'];

/** More columns do not fit beside the id. */
const maxColumns = 6;

/** Longer texts are not readable in a cell. */
const maxLength = 80;

/** The number of records that are enough to know the fields. */
export const sampled = 50;

/** What a person looks for first. Fields that match none come last. */
const order: readonly RegExp[] = [
  /(?:title|name)$/i,
  /(?:slug|email)$/i,
  /(?:allowed|inSecs|pageSize)$/i,
  /^(?:status|type)$/,
  /(?:folderPath|isPublished|isCompleted)$/,
  /Ids?$/,
  /(?:IsoString|Iso|At)$/,
];

/** Content and addresses are in the record itself. */
const hidden = /(?:^id|UniqueId|Json|Markdown|Content|Url|Command|^link|^userId)$/;

/** Returns the fields that a table of records shows, the most telling ones first. */
export function columnsOf(records: readonly Record[]): readonly string[] {
  const sample = records.slice(0, sampled);
  const names = new Set(sample.flatMap((record) => Object.keys(record)));
  const short = [...names].filter(
    (name) => !hidden.test(name) && sample.every((record) => isShort(record[name])),
  );
  return short.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, maxColumns);
}

function rankOf(name: string): number {
  const rank = order.findIndex((pattern) => pattern.test(name));
  return rank < 0 ? order.length : rank;
}

function isShort(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= 3 && value.every((member) => typeof member === 'string');
  return typeof value === 'string' ? value.length <= maxLength : typeof value !== 'object';
}

/** Returns the collection that a field refers to, such as `products` for `productId`; null if to none. */
export function targetOf(field: string, collections: readonly string[]): string | null {
  const noun = /^(\w+?)Ids?$/.exec(field)?.[1];
  if (noun === undefined) return null;
  return collections.find((name) => name === `${noun}s` || name === `${noun}zes`) ?? null;
}

/** Returns what a person calls a record: its title, name or address, else its id. */
export function labelOf(record: Record): string {
  const field = Object.keys(record).find((name) => /(?:title|name)$/i.test(name)) ?? 'email';
  const label = record[field];
  return typeof label === 'string' && label !== '' ? label : String(record['id']);
}
