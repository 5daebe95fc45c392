import type { PlannedRun, Run } from './plan.ts';
import { resultText } from './table.ts';

/** Width of a narrow terminal: a wrapped line cannot be overwritten. */
const columns = 79;

/** Shows progress: one line per completed run, and on a terminal an overwritten line with the current ones. */
export class Progress {
  readonly #err: (text: string) => void;
  readonly #isTerminal: boolean;
  readonly #total: number;
  readonly #underWay: string[] = [];
  #done = 0;
  #failed = 0;

  constructor(err: (text: string) => void, isTerminal: boolean, total: number) {
    this.#err = err;
    this.#isTerminal = isTerminal;
    this.#total = total;
  }

  started({ name }: PlannedRun): void {
    this.#underWay.push(name);
    this.#draw();
  }

  /**
   * Counts the options that a completed run decides, by their results, which may come from earlier runs. `hasMore` is
   * whether some of its own options run again.
   */
  ended(run: Run, decided: readonly Run['result'][] = [run.result], hasMore = false): void {
    this.#underWay.splice(this.#underWay.indexOf(run.name), 1);
    this.#done += decided.length;
    this.#failed += decided.filter((result) => result === 'failed').length;
    const more = hasMore ? ['its other options run next'] : [];
    const why = decided.length === 0 ? ['its parts run next'] : [...reasonOf(run), ...more];
    this.clear();
    this.#err(
      `${this.#done}/${this.#total}  ${run.name} ${resultText(run)} (${run.seconds.toFixed(1)} s)${why.length === 0 ? '' : `: ${why.join('; ')}`}\n`,
    );
    this.#draw();
  }

  /** Counts a run that is skipped, and returns it. The summary names those, because there may be many. */
  skipped(run: Run): Run {
    this.#done += 1;
    this.#draw();
    return run;
  }

  /** Clears the progress line. */
  clear(): void {
    if (this.#isTerminal) this.#err('\r\u001b[K');
  }

  #draw(): void {
    if (!this.#isTerminal) return;
    const line = `${this.#done}/${this.#total}  ${this.#failed} failed  ${this.#underWay.join(' ')}`;
    this.#err(`\r\u001b[K${line.slice(0, columns)}`);
  }
}

function reasonOf({ result, reason }: Run): readonly string[] {
  return result === 'failed' && reason !== null ? [reason] : [];
}
