import { writeFileSync } from 'node:fs';
import { format, version } from '../src/store/saved.ts';
import { readSeed } from '../src/store/read-seed.ts';

const labBytes = 10_000;

/** Writes a state file in which so many megabytes differ from the demo seed: labs with long test files. */
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
    version,
    sandbox: 'default',
    seed: { name: 'demo', fingerprint: (await readSeed('demo')).fingerprint },
    beginning: '2026-01-01T00:00:00.000Z',
    changes: { labs: { set: labs, removed: [] } },
  };
  writeFileSync(file, JSON.stringify(saved));
}
