import { useState } from 'preact/hooks';
import { asProblem, type ControlProblem } from '../api.ts';

/** A user action: whether it is running, and its last error. */
export interface Action {
  readonly busy: boolean;
  readonly problem: ControlProblem | null;
  /** Runs the action. Returns whether it succeeded. */
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
