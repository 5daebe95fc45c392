import type { Reporter, TestModule } from 'vitest/node';

/** Closes the run with one line that any tool can read: `N passed, N failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string): number => states.filter((one) => one === state).length;
    const broken =
      errors.length +
      modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length;
    const skipped = count('skipped') + count('pending');
    process.stdout.write(
      `${count('passed')} passed, ${count('failed') + broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    );
  }
}
