import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordOf } from '../../src/base/keys.ts';
import { collectionNames, type CollectionName } from '../../src/sandbox/seed.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { RecordingFolder, type RecordedFiles } from '../../src/store/recording-folder.ts';
import { temporaryFolder } from '../support/command.ts';

const school = { id: 'f'.repeat(24), slug: 'school-1', name: 'School 1' };

function filesWith(labs: readonly object[]): RecordedFiles {
  const none = recordOf<CollectionName, readonly object[]>(collectionNames, () => []);
  return { collections: { ...none, schools: [school], labs }, report: {} };
}

function lab(id: string): object {
  return { id, schoolId: school.id };
}

async function labsIn(folder: string): Promise<readonly string[]> {
  return [...(await readSeed(folder)).collections.labs.byId.keys()];
}

describe('the folder of a recording', () => {
  it('is a seed after each checkpoint and at the end', async () => {
    const path = join(temporaryFolder(), 'deep', 'seed');
    const folder = new RecordingFolder(path);
    folder.writeCheckpoint(filesWith([lab('a')]));
    expect([readdirSync(path), await labsIn(path)]).toEqual([['checkpoint.json'], ['a']]);
    folder.writeCheckpoint(filesWith([lab('a'), lab('b')]));
    expect([readdirSync(path), await labsIn(path)]).toEqual([['checkpoint.json'], ['a', 'b']]);
    expect(await folder.finish(filesWith([lab('b')]))).toBe(path);
    expect(readdirSync(path).toSorted()).toEqual(['labs.json', 'record-report.json', 'schools.json']);
    expect(await labsIn(path)).toEqual(['b']);
  });

  it('is read from the checkpoint while there is one, whatever the other files contain', async () => {
    const path = join(temporaryFolder(), 'seed');
    const folder = new RecordingFolder(path);
    await folder.finish(filesWith([lab('a')]));
    folder.writeCheckpoint(filesWith([lab('b')]));
    expect(await labsIn(path)).toEqual(['b']);
    await folder.finish(filesWith([]));
    expect(existsSync(join(path, 'labs.json'))).toBe(false);
  });

  it('is refused with what to do if the checkpoint is damaged', async () => {
    const path = temporaryFolder();
    writeFileSync(join(path, 'checkpoint.json'), '{"collections');
    await expect(readSeed(path)).rejects.toThrow('is not a checkpoint of a recording. Delete it');
  });
});
