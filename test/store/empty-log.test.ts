import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { labId, schools } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { holdWrites } from '../support/held-writes.ts';
import { serve } from '../support/serve.ts';

const titleIn = async (server: SandboxServer): Promise<unknown> =>
  (await server.default.state.get('labs', labId))?.labTitle;

const rename = async (server: SandboxServer, labTitle: string): Promise<void> =>
  void (await server.default.state.patch('labs', labId, { labTitle }));

/** Imports a state whose line is written in pieces. */
async function importLarge(server: SandboxServer, labTitle: string): Promise<void> {
  const { collections } = await server.default.state.export();
  const labs = (collections['labs'] ?? []).map((lab) => (lab['id'] === labId ? { ...lab, labTitle } : lab));
  const added = Array.from({ length: 400 }, (_, number) => ({
    ...(collections['instructors'] ?? [])[0],
    id: `added-${number}`,
    schoolIds: [schools.riverside],
    email: `added-${number}@school.example`,
    longDescriptionMarkdown: 'x'.repeat(10_000),
  }));
  const instructors = [...(collections['instructors'] ?? []), ...added];
  await server.default.state.import({ collections: { ...collections, labs, instructors } });
}

it.each([
  ['a change', rename],
  ['a change that is written in pieces', importLarge],
])(
  'keeps %s in the log that a crash has left empty, while the state file is written',
  { tags: ['slow'] },
  async (_, change) => {
    const data = temporaryFolder();
    await rename(await serve({ data }), 'before the crash');
    const copy = crashCopy(data);
    // A process was killed after it had created the file, and before it wrote the line.
    writeFileSync(join(copy, 'default.2.log'), '');
    const { waiting, writes } = holdWrites();
    const server = await serve({ data: copy });
    await eventually(() => expect(waiting).toHaveLength(1));
    await change(server, 'while it was written');
    waiting[0]?.();
    await eventually(() => expect(existsSync(join(copy, 'default.1.log'))).toBe(false));
    const afterCrash = crashCopy(copy);
    writes.mockRestore();
    // A long log is written into the state file once more.
    waiting[1]?.();

    expect(await titleIn(await serve({ data: afterCrash }))).toBe('while it was written');
    await rename(server, 'afterwards');
    expect(await titleIn(await serve({ data: crashCopy(copy) }))).toBe('afterwards');
  },
);
