import type { components } from '../contract/generated/control.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { describe } from '../base/violation.ts';
import { parseJson } from '../contract/envelope.ts';
import {
  pageOf,
  sandboxOrders,
  type PageEnd,
  type PageRequest,
  type SandboxOrder,
} from '../sandbox/sandbox-page.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Summary } from '../sandbox/summary.ts';
import { describeSandbox, type SandboxDescription } from './describe-sandbox.ts';
import { refuse } from './fitting.ts';
import { addUnknownFilters, countIn } from './query.ts';
import type { ControlRequest } from './route.ts';
import { inSlices } from './work.ts';

type SandboxList = components['schemas']['SandboxList'];

const filters = ['order', 'limit', 'cursor'];
const usualLimit = 100;
const maxLimit = 1000;

/**
 * Lists the sandboxes page by page; without a query, all of them, unless only a database knows which there are. Throws
 * ValidationError for an invalid query.
 */
export async function listSandboxes(request: ControlRequest): Promise<SandboxList> {
  const { sandboxes } = request.parts;
  const wanted = wantedIn(request);
  const described = (summaries: readonly Summary[]): Promise<readonly SandboxDescription[]> =>
    inSlices(request, describedIn(summaries, request.baseUrl));
  const stored = sandboxes.storedPage(wanted);
  if (stored === null && Object.keys(request.query).length === 0)
    return { sandboxes: await described(pageOf(await allSummaries(request), everything).sandboxes) };
  const page = await (stored ?? pageOf(await allSummaries(request), wanted));
  const shown = await described(page.sandboxes);
  return {
    sandboxes: shown.map((one, at) => ({ ...one, ...useOf(page.sandboxes[at]) })),
    next: page.end === null ? null : cursorOf(wanted.order, page.end),
    total: page.total,
  };
}

/** The whole list, in the order of creation. */
const everything: PageRequest = { order: 'created', limit: Infinity, after: null };

/** What a page shows besides the description: what it can be ordered by. */
function useOf(summary: Summary | undefined): Pick<SandboxDescription, 'usedAt' | 'stateBytes'> {
  if (summary === undefined) return {};
  return { usedAt: new Date(summary.usedAt).toISOString(), stateBytes: summary.stateBytes };
}

function* describedIn(
  summaries: readonly Summary[],
  baseUrl: string,
): SlicedWork<readonly SandboxDescription[]> {
  const list: SandboxDescription[] = [];
  for (const summary of summaries) list.push(yield* describeSandbox(summary, baseUrl, 'shortened'));
  return list;
}

/** Returns what is known of each sandbox. Stored ones are loaded for it, except those that were in memory before. */
async function allSummaries({ parts: { sandboxes } }: ControlRequest): Promise<readonly Summary[]> {
  const found: Summary[] = [];
  for (const id of sandboxes.ids) {
    // One that cannot be loaded is reported where the server runs, and in the response to a request for it.
    if (sandboxes.summary(id) === null) await sandboxes.load(id)?.catch(() => {});
    const summary = sandboxes.summary(id);
    // It may have been deleted meanwhile.
    if (summary !== null) found.push(summary);
  }
  return found;
}

function wantedIn({ query, parts: { sandboxes } }: ControlRequest): PageRequest {
  const list = new ViolationList(sandboxes.caps.violations);
  addUnknownFilters(list, query, filters);
  const cursor = cursorIn(list, query['cursor']);
  const order = orderIn(list, query['order']) ?? cursor?.order ?? 'created';
  if (cursor !== null && cursor.order !== order)
    list.add(
      '/cursor',
      () => `belongs to the order "${cursor.order}". Send the same order with it, or none.`,
    );
  const limit = countIn(list, query, 'limit') ?? usualLimit;
  if (limit > maxLimit) list.add('/limit', () => `must be at most ${maxLimit}, but is ${limit}.`);
  refuse('The query is invalid.', list);
  return { order, limit, after: cursor };
}

function orderIn(list: ViolationList, value: unknown): SandboxOrder | null {
  if (value === undefined) return null;
  const order = sandboxOrders.find((one) => one === value);
  if (order !== undefined) return order;
  const hint = typeof value === 'string' ? didYouMean(value, sandboxOrders) : '';
  list.add('/order', () => `must be one of ${sandboxOrders.join(', ')}, but is ${describe(value)}.${hint}`);
  return null;
}

interface Cursor extends PageEnd {
  readonly order: SandboxOrder;
}

/** Returns the text with which the next page is requested. */
function cursorOf(order: SandboxOrder, { value, id }: PageEnd): string {
  return Buffer.from(JSON.stringify([order, value, id])).toString('base64url');
}

function cursorIn(list: ViolationList, text: unknown): Cursor | null {
  if (text === undefined) return null;
  const parsed = typeof text === 'string' ? parseJson(Buffer.from(text, 'base64url').toString()) : null;
  const [name, value, id, ...more] = Array.isArray(parsed) ? (parsed as readonly unknown[]) : [];
  const order = sandboxOrders.find((one) => one === name);
  if (order !== undefined && Number.isSafeInteger(value) && typeof id === 'string' && more.length === 0)
    return { order, value: Number(value), id };
  list.add('/cursor', () => `must be the field next of an earlier page, but is ${describe(text)}.`);
  return null;
}
