import { groupBy } from '../base/group-by.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { refuse } from './fitting.ts';
import { pointerTo } from '../base/violation.ts';
import { splitTarget } from '../base/request-target.ts';
import { checkpoint, notCertain, storeFacts, storeUse, whenSafe } from '../sandbox/facts.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import {
  sandboxPath,
  type ControlRequest,
  type ControlRoute,
  type JsonRoute,
  type TextContent,
  type FollowedJournal,
} from './route.ts';
import { refuseConditions, tagOf } from './record-conditions.ts';
import { readRevision, type Revision } from './revision.ts';
import { requireCurrent } from './token-holder.ts';
import { findRoute } from './find-route.ts';

/**
 * The response of the control plane. The status of JSON is 204, and its content null, if there is no content.
 */
export type ControlAnswer =
  | ({ readonly sends: 'json' } & JsonAnswer)
  | { readonly sends: 'text'; readonly content: TextContent }
  | { readonly sends: 'journal stream'; readonly content: FollowedJournal };

interface JsonAnswer {
  readonly status: number;
  readonly content: unknown;
  /** The revision of the sandbox right after a request that may have changed it; missing for others. */
  readonly revision?: Revision | null;
  /** The entity tag of the record in the response. */
  readonly tag?: string;
}

/** What all requests from one entry point share. */
export type Surroundings = Pick<
  ControlRequest,
  'parts' | 'baseUrl' | 'pathPolicy' | 'lists' | 'holder' | 'conditions' | 'isGone'
>;

/**
 * Handles a request to the control plane. `target` is the path with its query. Throws SandboxError if the
 * request is not possible.
 */
export async function dispatch(
  surroundings: Surroundings,
  method: string,
  target: string,
  body?: unknown,
): Promise<ControlAnswer> {
  const { path, query } = splitTarget(target);
  const found = findRoute(method, path);
  await requireCurrent(surroundings.holder, surroundings.parts.sandboxes);
  refuseConditions(found.route, surroundings.conditions);
  const read = queryOf(query);
  if (method !== 'GET' || !readsQuery.test(found.route.path)) {
    const list = new ViolationList(surroundings.parts.sandboxes.caps.violations);
    for (const name of Object.keys(read))
      list.add(pointerTo('', name), () => `is unknown: ${method} ${path} accepts no query parameters.`);
    refuse('The query is invalid.', list);
  }
  return follow(found.route, { ...surroundings, params: found.params, query: read, body });
}

/** The paths of routes that read with a query, which they check themselves. */
const readsQuery =
  /^\/control\/sandboxes$|\/journal(?:\/stream)?$|\/state\/\{collection\}$|\/changes$|\/video-folders$|\/report(?:\.[a-z.]+)?$/;

/** Follows a route. Meanwhile its sandbox is in use, and neither expires nor makes room for another. */
async function follow(route: ControlRoute, request: ControlRequest): Promise<ControlAnswer> {
  const { sandboxId: id } = request.params;
  const { sandboxes } = request.parts;
  try {
    if (id !== undefined) await sandboxes.load(id);
  } catch (error) {
    if (route.sends !== 'json' || route.ifNotLoaded === undefined) throw error;
    await route.ifNotLoaded(request);
    return { sends: 'json', status: 204, content: null };
  }
  const sandbox = id === undefined ? undefined : sandboxes.get(id);
  if (sandbox === undefined) return run(route, request, null);
  sandbox.begin();
  try {
    const answered = await run(route, request, sandbox);
    if (sandbox.ledger?.holdsReads === true) await whenSafe(sandbox, notCertain);
    return answered;
  } finally {
    sandbox.finish();
    if (sandboxes.get(sandbox.id) === sandbox) storeUse(sandbox);
  }
}

async function run(
  route: ControlRoute,
  request: ControlRequest,
  sandbox: Sandbox | null,
): Promise<ControlAnswer> {
  if (route.sends === 'text') return { sends: 'text', content: await route.run(request) };
  if (route.sends === 'journal stream') return { sends: 'journal stream', content: route.run(request) };
  const { content, revision } = await (route.method === 'GET' || sandbox === null
    ? followedBy(null, route, request)
    : kept(route, request, sandbox));
  if (content === undefined) return { sends: 'json', status: 204, content: null, revision };
  const tag = route.isRecord === true ? { tag: tagOf(content) } : {};
  return { sends: 'json', status: route.status, content, revision, ...tag };
}

/** What a route returned, and the revision right after that. */
interface Outcome {
  readonly content: unknown;
  readonly revision: Revision | null;
}

async function followedBy(
  sandbox: Sandbox | null,
  route: JsonRoute,
  request: ControlRequest,
): Promise<Outcome> {
  const content = await route.run(request);
  return { content, revision: sandbox === null ? null : readRevision(sandbox) };
}

/**
 * Stores what a request changes in a sandbox, before it is answered. Rejects with StorageError. Such requests come
 * one after another: if one cannot be stored, it is undone, and another one may have changed the same meanwhile.
 */
function kept(route: JsonRoute, request: ControlRequest, sandbox: Sandbox): Promise<Outcome> {
  if (sandbox.ledger === null || changesNothing.test(within(route)))
    return followedBy(sandbox, route, request);
  const turn = sandbox.lastChange.then(() => changed(route, request, sandbox));
  sandbox.lastChange = turn.catch(() => {});
  return turn;
}

/** The paths in a sandbox of routes that change only the journal, or wait for calls. */
const changesNothing = /^\/journal\b/;

/** Returns the path of a route for a sandbox, without that of the sandbox. */
function within({ path }: JsonRoute): string {
  return path.slice(sandboxPath.length);
}

async function changed(route: JsonRoute, request: ControlRequest, sandbox: Sandbox): Promise<Outcome> {
  const undo = checkpoint(sandbox);
  const outcome = await followedBy(sandbox, route, request);
  // It may have been deleted.
  if (request.parts.sandboxes.get(sandbox.id) !== sandbox) return outcome;
  if (!storesItself.test(within(route))) storeFacts(sandbox, undo);
  await whenSafe(sandbox);
  return outcome;
}

/**
 * The paths in a sandbox of routes that store what they change: if the facts were stored again, and that failed, they
 * would be refused although they have taken effect.
 */
const storesItself = /^(?:$|\/(?:state|snapshots|reset)\b)/;

/** Returns the parameters of a query by name; those that it has several times as a list. */
function queryOf(query: string): Readonly<Record<string, unknown>> {
  const byName = groupBy([...new URLSearchParams(query)], ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, found]) => {
      const values = found.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
