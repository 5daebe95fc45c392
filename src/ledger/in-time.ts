import { after } from '../sandbox/clock.ts';
import { StorageError } from '../sandbox/ledger.ts';
import { maxWaitMs } from './waiters.ts';

/** A little longer than a response waits, because the work has a limit of its own, in milliseconds. */
const limitMs = maxWaitMs + 200;

/** Rejects with StorageError if the database does not answer in time. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const limit = after(limitMs, () => fail(new StorageError('the database of --data does not answer')));
    work.then(done, fail).finally(() => limit.cancel());
  });
}
