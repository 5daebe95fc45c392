import { useState } from 'preact/hooks';
import { asProblem, type ControlProblem } from '../api.ts';

/** Something that a person does: whether it is on its way, and what went wrong with it last. */
export interface Action {
  readonly busy: boolean;
  readonly problem: ControlProblem | null;
  /** Does it; true where it went well. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ busy: false, problem: null });
  const run = async (act: () => Promise<unknown>): Promise<boolean> => {
    setState({ busy: true, problem: null });
    try {
      await act();
      setState({ busy: false, problem: null });
      return true;
    } catch (error) {
      setState({ busy: false, problem: asProblem(error) });
      return false;
    }
  };
  return { ...state, run };
}
