import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hold } from '../../src/store/lock.ts';
import { temporaryFolder } from '../support/command.ts';

/** What the holder of a location says of itself. */
function ownerAt(path: string): Promise<string> {
  return new Promise((done, fail) => {
    let said = '';
    const socket = connect(path).setEncoding('utf8');
    socket.on('data', (text: string) => (said += text));
    socket.once('error', fail).once('end', () => done(said));
  });
}

describe('the lock of a location', () => {
  it('gives up in the end where the path is always taken and nobody answers', async () => {
    const path = join(temporaryFolder(), 'lock');
    fs.writeFileSync(path, '');
    // As if somebody took the path again whenever it is freed.
    const { rmSync } = fs;
    const removals = vi
      .spyOn(fs, 'rmSync')
      .mockImplementation((file, options) => (file === path ? undefined : rmSync(file, options)));
    syncBuiltinESMExports();
    onTestFinished(() => {
      removals.mockRestore();
      syncBuiltinESMExports();
    });
    await expect(hold(path, 'the data', 'a test')).rejects.toThrow(
      'the data cannot be locked: another server keeps locking and releasing it.',
    );
    expect(removals.mock.calls.filter(([file]) => file === path)).toHaveLength(5);
  });

  it('takes a path that a killed process has left behind', async () => {
    const path = join(temporaryFolder(), 'lock');
    fs.writeFileSync(path, '');
    const lock = await hold(path, 'the data', 'a test');
    expect(await ownerAt(path)).toBe('a test');
    await lock.release();
  });

  it('survives those who ask for the owner and break off', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', note);
    onTestFinished(() => void process.off('uncaughtException', note));
    const path = join(temporaryFolder(), 'lock');
    const lock = await hold(path, 'the data', 'a test');
    for (let time = 0; time < 10; time += 1) {
      await new Promise<void>((done) => {
        const socket = connect(path, () => void socket.destroy()).once('close', () => done());
      });
    }
    expect(await ownerAt(path)).toBe('a test');
    expect(uncaught).toEqual([]);
    await lock.release();
  });
});
