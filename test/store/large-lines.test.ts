import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SlicedWork } from '../../src/base/sliced-work.ts';
import { StorageError } from '../../src/sandbox/ledger.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer, type Running } from '../../src/server/server.ts';
import { LargeLine } from '../../src/store/large-line.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { labId, schools } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { holdWrites } from '../support/held-writes.ts';
import { noSpace } from '../support/no-space.ts';

function ignore(): void {}

async function serve(data: string): Promise<Running> {
  const server = await startServer({ port: 0, data }, { out: ignore, err: ignore, owner: 'a test' });
  onTestFinished(() => server.stop().catch(ignore));
  return server;
}

const count = 60;
const text = 'x'.repeat(50_000);

/** Adds many large records at once, as a batch does. */
function addLabs({ state, ledger }: Sandbox): SlicedWork<boolean> {
  function* adding(): SlicedWork<boolean> {
    for (let number = 0; number < count; number += 1) {
      state.put('labs', { id: `lab-${number}`, schoolId: schools.riverside, labDescriptionAsMarkdown: text });
      yield;
    }
    return true;
  }
  return state.attempt(adding(), (changes) => {
    if (ledger === null) throw new Error('The sandbox has no ledger.');
    return ledger.appendLarge({ changes }, () => ({}));
  });
}

/** Does the work until its line is partly written. */
function beginLine(data: string, work: SlicedWork<boolean>): void {
  for (;;) {
    if (unfinishedIn(data) > 500_000) return;
    if (work.next().done === true) throw new Error('The line was written at once.');
  }
}

function finish(work: SlicedWork<boolean>): void {
  while (work.next().done !== true);
}

function rename({ state }: Sandbox, labTitle: string): void {
  const lab = state.collection('labs').get(labId);
  if (lab !== undefined) state.put('labs', { ...lab, labTitle });
}

function contentOf({ sandboxes }: Running): readonly unknown[] {
  const labs = sandboxes.default.state.collection('labs');
  const added = [...labs.all()].filter((lab) => lab.labDescriptionAsMarkdown === text);
  return [added.length, labs.get(labId)?.labTitle];
}

function logsIn(data: string): string {
  const logs = readdirSync(data).filter((name) => name.endsWith('.log'));
  return logs.map((name) => readFileSync(join(data, name), 'utf8')).join('');
}

/** Returns the unfinished lines that this process has open. */
function openFiles(data: string): readonly string[] {
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.startsWith(data) && file.includes('.lp-sandbox.tmp') ? [file] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

/** Returns the size of lines that are not complete. */
function unfinishedIn(data: string): number {
  const unfinished = readdirSync(data).filter((name) => name.endsWith('.lp-sandbox.tmp'));
  return unfinished.reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
}

const contentAfterCrash = async (data: string): Promise<readonly unknown[]> =>
  contentOf(await serve(crashCopy(data)));

describe('a change of many records', () => {
  it('is written in small pieces, between which other work can run', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const server = await serve(data);
    const added = vi.spyOn(LargeLine.prototype, 'add');
    onTestFinished(() => added.mockRestore());
    const work = addLabs(server.sandboxes.default);
    let written = 0;
    let largest = 0;
    for (let step = work.next(); step.done !== true; step = work.next()) {
      const length = unfinishedIn(data);
      largest = Math.max(largest, length - written);
      written = length;
    }
    expect(written).toBeGreaterThan(2_500_000);
    expect(largest).toBeLessThan(300_000);
    const pieces = added.mock.calls.map(([piece]) => piece.length);
    expect(Math.max(...pieces)).toBeLessThan(300_000);
    expect(unfinishedIn(data)).toBe(0);
    rename(server.sandboxes.default, 'after');
    expect(await contentAfterCrash(data)).toEqual([count, 'after']);
  });

  it('has no part of it stored by a crash before its end', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const server = await serve(data);
    rename(server.sandboxes.default, 'before');
    const work = addLabs(server.sandboxes.default);
    beginLine(data, work);
    expect(await contentAfterCrash(data)).toEqual([0, 'before']);
    finish(work);
    expect(await contentAfterCrash(data)).toEqual([count, 'before']);
  });

  it.each(['smaller', 'larger than a log'])(
    'is stored with a change that comes while it is written and is %s',
    { tags: ['slow'] },
    async (size) => {
      const data = temporaryFolder();
      const server = await serve(data);
      const sandbox = server.sandboxes.default;
      rename(sandbox, 'before');
      const work = addLabs(sandbox);
      beginLine(data, work);
      sandbox.numbers.skipTo(777);
      sandbox.ledger?.append({ counts: { lastNumber: 777, usedAt: 0 } });
      if (size !== 'smaller') {
        sandbox.ledger?.append({
          changes: { coupons: ['x'.repeat(1_100_000)] },
        });
        await eventually(() => expect(readdirSync(data)).toContain('default.json'));
      }
      finish(work);
      rename(sandbox, 'after');
      expect(await contentAfterCrash(data)).toEqual([count, 'after']);
      const copy = await serve(crashCopy(data));
      expect(copy.sandboxes.default.numbers.last).toBeGreaterThanOrEqual(777);
    },
  );

  it(
    'is there after a crash, with all lines before it, if the state file was written meanwhile',
    { tags: ['slow'] },
    async () => {
      const data = temporaryFolder();
      const server = await serve(data);
      const sandbox = server.sandboxes.default;
      rename(sandbox, 'before');
      const { waiting, writes } = holdWrites();
      sandbox.ledger?.append({ changes: { coupons: ['x'.repeat(1_100_000)] } });
      await eventually(() => expect(waiting).toHaveLength(1));
      rename(sandbox, 'meanwhile');
      finish(addLabs(sandbox));
      writes.mockRestore();
      waiting[0]?.();
      await eventually(() => expect(readdirSync(data)).not.toContain('default.1.log'));
      expect(await contentAfterCrash(data)).toEqual([count, 'meanwhile']);
      rename(sandbox, 'after');
      expect(await contentAfterCrash(data)).toEqual([count, 'after']);
    },
  );

  it('leaves no trace if it is canceled while it is written', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const server = await serve(data);
    rename(server.sandboxes.default, 'before');
    const before = logsIn(data);
    const work = addLabs(server.sandboxes.default);
    beginLine(data, work);
    work.return(false);
    // Not compared as texts, because a failure would print both.
    expect(logsIn(data) === before).toBe(true);
    expect(contentOf(server)).toEqual([0, 'before']);
    rename(server.sandboxes.default, 'after');
    expect(await contentAfterCrash(data)).toEqual([0, 'after']);
  });

  it(
    'leaves no file and no descriptor behind if not even its beginning can be written',
    { tags: ['slow'] },
    async () => {
      const data = temporaryFolder();
      const server = await serve(data);
      const failing = vi.spyOn(LargeLine.prototype, 'add').mockImplementation(() => {
        throw noSpace();
      });
      onTestFinished(() => failing.mockRestore());
      for (let times = 0; times < 5; times += 1)
        expect(() => finish(addLabs(server.sandboxes.default))).toThrow(StorageError);
      expect(readdirSync(data).filter((name) => name.endsWith('.lp-sandbox.tmp'))).toEqual([]);
      expect(openFiles(data)).toEqual([]);
    },
  );

  it(
    'has no effect if a piece of it cannot be written, and works as soon as that is possible',
    { tags: ['slow'] },
    async () => {
      const data = temporaryFolder();
      const server = await serve(data);
      const sandbox = server.sandboxes.default;
      rename(sandbox, 'before');
      const { add } = LargeLine.prototype;
      const failing = vi.spyOn(LargeLine.prototype, 'add').mockImplementation(function (
        this: LargeLine,
        piece,
      ) {
        if (failing.mock.calls.length > 10) throw noSpace();
        add.call(this, piece);
      });
      onTestFinished(() => failing.mockRestore());
      expect(() => finish(addLabs(sandbox))).toThrow(StorageError);
      expect(contentOf(server)).toEqual([0, 'before']);
      expect(unfinishedIn(data)).toBe(0);
      expect(await contentAfterCrash(data)).toEqual([0, 'before']);
      // Small changes still have room.
      await eventually(() => rename(sandbox, 'meanwhile'));
      expect(readdirSync(data)).not.toContain('default.json');
      failing.mockRestore();
      await eventually(() => finish(addLabs(sandbox)));
      expect(await contentAfterCrash(data)).toEqual([count, 'meanwhile']);
    },
  );
});
