import { useEffect } from 'preact/hooks';
import { ask, type ControlProblem, type Schemas } from '../api.ts';
import { orNull } from './or-null.ts';
import { listSandboxes } from './list-sandboxes.ts';
import { useLoad } from './use-load.ts';

type Sandbox = Schemas['Sandbox'];

/** The sandbox that a page shows, and the others that it offers. */
export interface Sandboxes {
  /** Null if there is none of this id; undefined until that is known. */
  readonly current: Sandbox | null | undefined;
  /** All, as they were when last listed. */
  readonly all: readonly Sandbox[];
  readonly problem: ControlProblem | null;
  /** Lists them again. */
  readonly refresh: () => void;
}

/** How often a page looks at its sandbox, in milliseconds. */
const everyMs = 5000;

/**
 * Follows the sandbox of a page. Lists the others once, and when the person opens the list, because there can be
 * thousands. Calls back if the token permits only another sandbox than the default one that the page would show.
 */
export function useSandboxes(id: string, onElsewhere: (permitted: string) => void): Sandboxes {
  const list = useLoad(listSandboxes, []);
  const one = useLoad(
    async () => ({
      id,
      about: await orNull(() => ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: id })),
    }),
    [id],
    everyMs,
  );
  const all = list.value?.sandboxes ?? [];
  const current = one.value?.id === id ? one.value.about : undefined;
  const isListed = all.some((each) => each.id === id);
  const isThere = current === undefined ? isListed : current !== null;
  // It was created or deleted since.
  useEffect(() => {
    if (list.value !== null && isThere !== isListed) list.refresh();
  }, [id, isThere]);
  const permitted = list.value?.permitted ?? null;
  // The address of a page without a sandbox is that of the default one, which replicas do not have.
  const instead = current === null && !isListed ? all[0]?.id : permitted;
  const elsewhere = id === 'default' && instead !== id ? (instead ?? null) : null;
  const isElsewhere = elsewhere !== null;
  useEffect(() => {
    if (elsewhere !== null) onElsewhere(elsewhere);
  }, [elsewhere]);
  // Until the list is there, the token may permit another sandbox.
  const isKnown = list.value !== null || list.problem !== null;
  const problem = isElsewhere || !isKnown ? null : (one.problem ?? list.problem);
  return { current, all, problem, refresh: list.refresh };
}
