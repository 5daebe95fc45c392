import type { PlannedRun, Run } from './plan.ts';

/** Width of a narrow terminal: a wrapped line cannot be overwritten. */
const columns = 79;

/** Shows progress: one overwritten line on a terminal, otherwise one line per failed run. */
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

  ended({ name, result, reason }: Run): void {
    this.#underWay.splice(this.#underWay.indexOf(name), 1);
    this.#done += 1;
    if (result === 'failed') this.#failed += 1;
    if (!this.#isTerminal && result === 'failed')
      this.#err(`${this.#done}/${this.#total}  ${name} failed: ${reason}\n`);
    this.#draw();
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
