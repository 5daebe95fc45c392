import { after } from '../sandbox/clock.ts';

/** Waits for some seconds of real time, or until the promise resolves. */
export function pause(seconds: number, until: Promise<void> | null): Promise<void> {
  let timer = { cancel: (): void => {} };
  const over = new Promise<void>((done) => (timer = after(seconds * 1000, done, { keepAlive: true })));
  return Promise.race([over, ...(until === null ? [] : [until])]).finally(() => timer.cancel());
}
