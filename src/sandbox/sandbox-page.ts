import type { Summary } from './summary.ts';

/** The orders of a list of sandboxes. */
export const sandboxOrders = ['id', 'created', 'used', 'size'] as const;

export type SandboxOrder = (typeof sandboxOrders)[number];

/** Where a page of a list ends: what the list is ordered by, and the id, of its last sandbox. */
export interface PageEnd {
  /** 0 for the order by id. */
  readonly value: number;
  readonly id: string;
}

/** The page of a list that is wanted. */
export interface PageRequest {
  readonly order: SandboxOrder;
  readonly limit: number;
  /** Null for the first page. */
  readonly after: PageEnd | null;
}

/** A page of a list of sandboxes. */
export interface SandboxPage {
  readonly sandboxes: readonly Summary[];
  /** Where it ends; null if it is the last one. */
  readonly end: PageEnd | null;
  /** The number of sandboxes on all pages. */
  readonly total: number;
}

/** Orders in which the highest value comes first: what was used last, and what is largest. */
export const descending: ReadonlySet<SandboxOrder> = new Set(['used', 'size']);

/** Returns what a list is ordered by. */
export function endAt(order: SandboxOrder, { id, createdAt, usedAt, stateBytes }: Summary): PageEnd {
  // The default sandbox comes before those that were created.
  const values = { id: 0, created: id === 'default' ? 0 : createdAt, used: usedAt, size: stateBytes };
  return { value: values[order], id };
}

/** Returns a page of all sandboxes. A sandbox that is created or deleted meanwhile moves no other one. */
export function pageOf(all: readonly Summary[], { order, limit, after }: PageRequest): SandboxPage {
  const sign = descending.has(order) ? -1 : 1;
  const compare = (one: PageEnd, other: PageEnd): number =>
    sign * (one.value - other.value || (one.id < other.id ? -1 : Number(one.id > other.id)));
  const placed = all.map((summary) => ({ summary, at: endAt(order, summary) }));
  const later = after === null ? placed : placed.filter(({ at }) => compare(at, after) > 0);
  const sorted = later.toSorted((one, other) => compare(one.at, other.at));
  const shown = sorted.slice(0, limit);
  return {
    sandboxes: shown.map(({ summary }) => summary),
    end: sorted.length > limit ? (shown.at(-1)?.at ?? null) : null,
    total: all.length,
  };
}
