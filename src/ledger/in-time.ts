import { after } from '../sandbox/clock.ts';
import { StorageError } from '../sandbox/ledger.ts';
import { maxWaitMs } from './waiters.ts';

/** A little longer than a response waits, because the work has a limit of its own, in milliseconds. */
const limitMs = maxWaitMs + 200;

/** Rejects with StorageError if the database does not answer in time. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let limit = { cancel: (): void => {} };
  const late = new Promise<never>((_, fail) => {
    limit = after(limitMs, () => fail(new StorageError('the database of --data does not answer')));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    limit.cancel();
  }
}
