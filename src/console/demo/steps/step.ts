import type { Captions, StepName } from '../script.ts';
import type { Stage } from '../stage.ts';

/** How a step ended. */
export interface Outcome {
  /** Why it did not end as the script says; null if it did. */
  readonly surprise: string | null;
  /** The address of the page that *Look* opens, if it depends on the calls. */
  readonly look?: string;
}

/** What *Do it* does in a step. It can be repeated: it removes first what an earlier run has left. */
export type Run<N extends StepName> = (stage: Stage, captions: Captions<N>) => Promise<Outcome>;

/** The outcome of a step that ended as the script says if the condition holds. */
export function outcome(isExpected: boolean, surprise: string, look?: string): Outcome {
  return { surprise: isExpected ? null : surprise, ...(look === undefined ? {} : { look }) };
}
