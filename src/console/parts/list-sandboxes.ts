import { ask, contentOf, send, type Schemas } from '../api.ts';
import { orNull } from './or-null.ts';

/** The sandboxes that the token permits. */
export interface PermittedSandboxes {
  readonly sandboxes: readonly Schemas['Sandbox'][];
  /** The only one; null if the token permits all. */
  readonly permitted: string | null;
}

/** Lists the sandboxes that the token permits. */
export async function listSandboxes(): Promise<PermittedSandboxes> {
  const { sandboxId } = await ask('get', '/control/access', {});
  if (sandboxId === null)
    return { permitted: null, sandboxes: (await ask('get', '/control/sandboxes', {})).sandboxes };
  const only = await ask('get', '/control/sandboxes/{sandboxId}', { sandboxId });
  return { permitted: sandboxId, sandboxes: [only] };
}

/** A page of the list of sandboxes. */
export interface SandboxesPage extends PermittedSandboxes {
  /** The cursor of the next page; null if there is none. */
  readonly next: string | null;
  /** The number of sandboxes on all pages. */
  readonly total: number;
  /** Whether the current sandbox exists. It is the first one on each page. */
  readonly isCurrentThere: boolean;
}

/** Lists a page of the sandboxes that the token permits, the current one first. `cursor` is null for the first page. */
export async function listPage(current: string, cursor: string | null, size: number): Promise<SandboxesPage> {
  const { sandboxId } = await ask('get', '/control/access', {});
  if (sandboxId !== null) {
    const only = await ask('get', '/control/sandboxes/{sandboxId}', { sandboxId });
    return {
      permitted: sandboxId,
      sandboxes: [only],
      next: null,
      total: 1,
      isCurrentThere: sandboxId === current,
    };
  }
  const query = new URLSearchParams({
    order: 'created',
    limit: String(size),
    ...(cursor === null ? {} : { cursor }),
  });
  const [page, own] = await Promise.all([
    send('get', `/control/sandboxes?${query.toString()}`).then(contentOf<Schemas['SandboxList']>),
    // Of many sandboxes, it would be on a later page.
    orNull(() => ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: current })),
  ]);
  const others = page.sandboxes.filter(({ id }) => id !== current);
  return {
    permitted: null,
    sandboxes: own === null ? others : [own, ...others],
    next: page.next ?? null,
    total: page.total ?? page.sandboxes.length,
    isCurrentThere: own !== null,
  };
}
