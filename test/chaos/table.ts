import type { Reporter, TestCase } from 'vitest/node';

/** What one phase did and saw. Times in milliseconds, memory in MiB. */
export interface PhaseRow {
  readonly phase: string;
  readonly requests: number;
  readonly bystanderCalls: number;
  readonly bystanderFailed: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The largest resident memory of the server; null where the system does not tell. */
  readonly memory: number | null;
  /** Processor time of the server, in seconds; null where the system does not tell. */
  readonly cpu: number | null;
  readonly crashes: number;
  readonly unexpected: number;
  readonly seconds: number;
  /** What the phase wants to be read, such as its seed. */
  readonly note?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    phases?: PhaseRow[];
  }
}

const heads = [
  'phase',
  'requests',
  'bystander calls',
  'failed',
  'p50',
  'p99',
  'max ms',
  'max RSS MiB',
  'CPU s',
  'crashes',
  'unexpected 5xx',
  's',
];

/** Prints what the phases of the chaos suite did, in one table. */
export default class PhaseTable implements Reporter {
  readonly #rows: PhaseRow[] = [];

  onTestCaseResult(test: TestCase): void {
    this.#rows.push(...(test.meta().phases ?? []));
  }

  onTestRunEnd(): void {
    if (this.#rows.length === 0) return;
    const cells = this.#rows.map((row) => [
      row.phase,
      String(row.requests),
      String(row.bystanderCalls),
      String(row.bystanderFailed),
      ...[row.p50, row.p99, row.max].map((time) => (Number.isNaN(time) ? '-' : time.toFixed(1))),
      row.memory === null ? '-' : row.memory.toFixed(0),
      row.cpu === null ? '-' : row.cpu.toFixed(1),
      String(row.crashes),
      String(row.unexpected),
      row.seconds.toFixed(0),
    ]);
    const widths = heads.map((head, column) =>
      Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)),
    );
    const line = (row: readonly string[]): string =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ');
    const notes = this.#rows.flatMap(({ phase, note }) => (note === undefined ? [] : [`${phase}: ${note}`]));
    process.stdout.write(`\n${[line(heads), ...cells.map(line), ...notes].join('\n')}\n\n`);
  }
}
