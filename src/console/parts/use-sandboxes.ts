import { useEffect } from 'preact/hooks';
import { ask, type ControlProblem, type Schemas } from '../api.ts';
import { orNull } from './or-null.ts';
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
 * thousands.
 */
export function useSandboxes(id: string): Sandboxes {
  const list = useLoad(() => ask('get', '/control/sandboxes', {}), []);
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
  return { current, all, problem: one.problem ?? list.problem, refresh: list.refresh };
}
