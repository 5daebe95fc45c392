import { expect, it } from 'vitest';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { callSeen, recordingWith, replay } from './passing.ts';

const now = '2026-11-20T10:07:00.000Z';

it('a recorded seed has its records in the order of the service also with listOrder=reversed, after new ones', async () => {
  const recording = recordingWith();
  const times = ['2026-03-01', '2026-02-01', '2026-01-01'].map((day) => `${day}T00:00:00.000Z`);
  const instructors = times.map((createdAt, at) => ({
    serviceInstructorId: `i${at}`,
    name: 'A Name',
    email: `someone${at}@school.example`,
    createdAt,
    lastUpdatedAt: createdAt,
  }));
  withoutPause(
    recording.observe({
      operation: 'get-all-instructors',
      requestBody: '{"data":[{"data":{}}]}',
      responseBody: JSON.stringify([{ output: { status: 'ok', data: { instructors } } }]),
      status: 200,
      key: 'one',
    }),
  );
  const sandbox = await replay(recording, now, { listOrder: 'reversed' });
  const call = (operation: 'get-all-instructors' | 'create-instructor-account', parameters: object) =>
    callSeen(sandbox, 'school-1', operation, parameters, null);
  for (const name of ['one', 'two'])
    await call('create-instructor-account', { instructorEmail: `${name}@new.example`, instructorName: name });
  const output = await call('get-all-instructors', {});
  if (output.status !== 'ok') throw new Error('The list was not returned.');
  expect(output.data).toMatchObject({
    instructors: [{ name: 'two' }, { name: 'one' }, ...times.map((time) => ({ createdAt: time }))],
  });
});

it('a seed that was not recorded is listed in reverse', async () => {
  expect((await readSeed('demo')).isRecorded).toBe(false);
});
