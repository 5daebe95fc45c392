import type { VNode } from 'preact';
import type { Records } from '../../contract/generated/facts.ts';
import { contentOf, send, type Schemas } from '../api.ts';
import type { ApiCall } from './api-call.ts';

/** The school that the page shows, and what its cards need. */
export interface School {
  readonly sandbox: string;
  readonly slug: string;
  readonly name: string;
  /** Undefined while it is unknown, or if the school has none. */
  readonly timeZone: string | undefined;
  /** The URL of the public API. */
  readonly baseUrl: string;
  /** The sandbox's time when the page was loaded, in milliseconds since 1970. */
  readonly now: number;
  /** Grows after each call that changes records. */
  readonly changes: number;
  /** The rules that this page has added, by id. */
  readonly rules: ReadonlyMap<string, Schemas['FaultRule']>;
  /** Makes the next such call fail. */
  readonly arm: (call: ApiCall, what: string) => void;
  readonly disarm: (ruleId: string, what: string) => void;
}

/** Props of a section. */
export interface SectionProps {
  readonly school: School;
  /** The query of the address. */
  readonly query: URLSearchParams;
}

/** A part of the page with an address of its own. */
export interface Section {
  /** The section's segment in the address. */
  readonly name: string;
  readonly title: string;
  readonly component: (props: SectionProps) => VNode;
}

/** Returns the address of a section, or of something in it. */
export function schoolPath(
  sandbox: string,
  school: string,
  section: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const asked = new URLSearchParams(query).toString();
  const parts = [sandbox, school, section].filter((part) => part !== '').map(encodeURIComponent);
  return `/school/${parts.join('/')}${asked === '' ? '' : `?${asked}`}`;
}

/** Returns the records of a collection that belong to a school. */
export async function recordsOf<N extends keyof Records>(
  school: Pick<School, 'sandbox' | 'slug'>,
  collection: N,
): Promise<readonly Records[N][]> {
  return (await listRecords(school, collection, {})).records;
}

/** A page of the records of a school. */
export interface RecordPage<N extends keyof Records> {
  readonly records: readonly Records[N][];
  /** The number of records on all pages. */
  readonly total: number;
}

/** Returns those records of a school that match a query of the control plane, which has a `limit`. */
export async function pageOf<N extends keyof Records>(
  school: Pick<School, 'sandbox' | 'slug'>,
  collection: N,
  query: Readonly<Record<'limit', string>> & Readonly<Record<string, string>>,
): Promise<RecordPage<N>> {
  const { records, total = records.length } = await listRecords(school, collection, query);
  return { records, total };
}

async function listRecords<N extends keyof Records>(
  { sandbox, slug }: Pick<School, 'sandbox' | 'slug'>,
  collection: N,
  query: Readonly<Record<string, string>>,
): Promise<Pick<RecordPage<N>, 'records'> & Partial<RecordPage<N>>> {
  const asked = new URLSearchParams({ school: slug, ...query }).toString();
  const path = `/control/sandboxes/${encodeURIComponent(sandbox)}/state/${collection}?${asked}`;
  // The server has checked each record against the schema of its collection.
  return contentOf(await send('get', path));
}
