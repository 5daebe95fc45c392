import { onTestFinished, vi, type MockInstance } from 'vitest';
import { StatePort } from '../../src/store/state-port.ts';

/** Holds each state file back that is to be written, until the test lets it go, or is finished. */
export function holdWrites(): {
  /** Lets one go, in the order in which they came. */
  readonly waiting: (() => void)[];
  readonly writes: MockInstance<StatePort['write']>;
} {
  const { write } = StatePort.prototype;
  const waiting: (() => void)[] = [];
  const writes = vi.spyOn(StatePort.prototype, 'write').mockImplementation(async function (this: StatePort) {
    await new Promise<void>((done) => void waiting.push(done));
    await write.call(this);
  });
  onTestFinished(() => writes.mockRestore());
  return { waiting, writes };
}
