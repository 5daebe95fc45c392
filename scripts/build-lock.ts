import { setTimeout as pause } from 'node:timers/promises';
import { addressOf, occupy, type Occupied } from '../src/store/lock-address.ts';

/**
 * Waits until no other process of this machine builds in this folder, and returns what lets the next one
 * begin. The system does so too when the process ends, for any reason.
 */
export async function lockBuild(onWait: () => void): Promise<Occupied> {
  const self = { owner: `process ${process.pid}`, folder: process.cwd() };
  const address = addressOf('.', 'build');
  for (let waits = 0; ; waits += 1) {
    const lock = await occupy(address, self);
    if ('free' in lock) return lock;
    if (waits === 0) onWait();
    await pause(100);
  }
}
