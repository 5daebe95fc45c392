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

  /** Counts a completed run, and returns it. */
  ended(run: Run): Run {
    if (run.result === 'failed') this.#failed += 1;
    this.#tell(run, 1, reasonText(run));
    return run;
  }

  /** Counts the options that a combined run settled. The others run again. */
  shared(run: Run, settled: number, hasMore: boolean): void {
    if (run.result === 'failed') this.#failed += settled;
    const more = hasMore ? ['its other options run next'] : [];
    const why = settled === 0 ? ['its parts run next'] : [...reasonOf(run), ...more];
    this.#tell(run, settled, why.length === 0 ? '' : `: ${why.join('; ')}`);
  }

  #tell(run: Run, count: number, reason: string): void {
    this.#underWay.splice(this.#underWay.indexOf(run.name), 1);
    this.#done += count;
    this.clear();
    this.#err(
      `${this.#done}/${this.#total}  ${run.name} ${resultText(run)} (${run.seconds.toFixed(1)} s)${reason}\n`,
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

function reasonText(run: Run): string {
  return reasonOf(run)
    .map((reason) => `: ${reason}`)
    .join('');
}

function reasonOf({ result, reason }: Run): readonly string[] {
  return result === 'failed' && reason !== null ? [reason] : [];
}
