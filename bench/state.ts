import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../src/index.ts';
import { format } from '../src/store/saved.ts';
import { readSeed } from '../src/store/read-seed.ts';

const labBytes = 10_000;

/**
 * Writes a state file that differs from the demo seed by this number of megabytes: labs with long test files.
 */
export async function writeLargeState(file: string, megabytes: number): Promise<void> {
  const labs = Array.from({ length: Math.ceil((megabytes * 1_000_000) / labBytes) }, (_, number) => {
    const id = number.toString(16).padStart(24, '0');
    const content = `# lab ${number}\n`.repeat(Math.floor(labBytes / 10)).slice(0, labBytes);
    return {
      id,
      schoolId: '1d7181362df2b36a581c47d4',
      labTitle: `Lab ${number}`,
      evaluationScriptTestFileContent: content,
    };
  });
  const saved = {
    format,
    // The previous version is shorter, and the server reads it.
    version: 1,
    sandbox: 'default',
    seed: { name: 'demo', fingerprint: (await readSeed('demo')).fingerprint },
    beginning: '2026-01-01T00:00:00.000Z',
    changes: { labs: { set: labs, removed: [] } },
  };
  writeFileSync(file, JSON.stringify(saved));
}

/** Writes the state files of sandboxes `s0`, `s1` …, each with one changed record. */
export async function writeSandboxes(folder: string, count: number): Promise<void> {
  const server = await startSandbox({ port: 0, data: folder });
  const { state } = await server.createSandbox({ id: 's0' });
  const [lab] = await state.list('labs');
  if (lab === undefined) throw new Error('The seed has no lab.');
  await state.patch('labs', lab.id, { labTitle: 'Changed' });
  await server.close();
  const first = readFileSync(join(folder, 's0.json'), 'utf8');
  for (let number = 1; number < count; number += 1)
    writeFileSync(
      join(folder, `s${number}.json`),
      first.replace('"sandbox": "s0"', `"sandbox": "s${number}"`),
    );
}
