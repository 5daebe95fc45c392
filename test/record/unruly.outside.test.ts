import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  jsonValue,
  oneof,
  option,
  record,
  string,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parameterSchemas } from '../../src/contract/generated/parameter-schemas.js';
import { resultSchemas } from '../../src/contract/generated/result-schemas.js';
import type { Schema } from '../../src/contract/openapi.ts';
import { operationNames } from '../../src/contract/operation-types.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { RecordingFolder } from '../../src/store/recording-folder.ts';
import { temporaryFolder } from '../support/command.ts';
import { recordingWith } from './passing.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';

const texts = oneof(
  constantFrom('1', '2', 'a', '', '65a1f0c2d3e4b5a697887766'),
  constantFrom(
    'MultiCorrect',
    '2026-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '2024-02-29T24:00:00Z',
    'anna@school.org',
    'anna',
    '/A/B',
    'A',
    '__proto__',
    '{"constructor":[1e999]}',
  ),
  string(),
);

/** Values that nearly fit a schema: mostly of its shape, with anything in it. */
function nearly({ items, properties }: Schema): Arbitrary<unknown> {
  const odd = { arbitrary: jsonValue({ maxDepth: 2 }), weight: 1 };
  if (items !== undefined)
    return oneof({ arbitrary: array(nearly(items), { maxLength: 4 }), weight: 12 }, odd);
  if (properties === undefined)
    return oneof(
      { arbitrary: texts, weight: 8 },
      { arbitrary: constantFrom(true, 0, 1, -7, 2.5, 1e300, 9e15, -9e15, null), weight: 4 },
      odd,
    );
  const fields = Object.entries(properties).map(([name, part]) => [
    name,
    option(nearly(part), { nil: undefined, freq: 8 }),
  ]);
  // Each is the arbitrary of a field.
  const whole = record(Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>);
  return oneof({ arbitrary: whole, weight: 20 }, odd);
}

const exchange = constantFrom(...operationNames).chain((operation) =>
  record({
    operation: constantFrom(operation),
    key: constantFrom('one', 'two', null),
    parameters: nearly(parameterSchemas[operation]),
    result: nearly(resultSchemas[operation]),
  }),
);

describe('whatever a service answers', () => {
  it('a seed comes of it', async () => {
    let filled = 0;
    await assert(
      asyncProperty(array(exchange, { minLength: 1, maxLength: 25 }), async (exchanges) => {
        const recording = recordingWith();
        for (const { operation, key, parameters, result } of exchanges) {
          const requestBody = JSON.stringify({ data: [{ data: parameters }] });
          const responseBody = JSON.stringify([{ output: { status: 'ok', data: result } }]);
          withoutPause(recording.observe({ operation, key, status: 200, requestBody, responseBody }));
        }
        const folder = `${temporaryFolder()}/seed`;
        const { collections, report } = recording.finish();
        await new RecordingFolder(folder).finish({ collections, report });
        const seed = await readSeed(folder);
        for (const [name, records] of Object.entries(collections)) {
          expect(seed.collections[name as 'labs'].byId.size).toBe(records.length);
        }
        filled +=
          collections.courseItems.length +
          collections.submissions.length +
          collections.liveEventSessions.length;
      }),
      { numRuns: 40 },
    );
    expect(filled).toBeGreaterThan(20);
  });

  it.each([
    [
      'a status that is no success',
      500,
      '[{"output":{"status":"ok","data":{"instructors":[{"serviceInstructorId":"1"}]}}}]',
    ],
    ['no JSON', 200, '<html>'],
    ['no list', 200, '{"output":{"status":"ok","data":{"instructors":[{"serviceInstructorId":"1"}]}}}'],
    [
      'more outputs than there were elements',
      200,
      '[{"output":{"status":"ok","data":{}}},{"output":{"status":"ok","data":{}}}]',
    ],
    ['a failure', 200, '[{"output":{"status":"error","errorMessage":"No."}}]'],
  ])('%s tells nothing, and is counted', (_, status, responseBody) => {
    const recording = recordingWith();
    withoutPause(
      recording.observe({
        operation: 'get-all-instructors',
        requestBody: '{"data":[{"data":{}}]}',
        responseBody,
        status,
        key: 'one',
      }),
    );
    withoutPause(
      recording.observe({
        operation: 'no-operation',
        requestBody: '{"data":[{"data":{}}]}',
        responseBody,
        status,
        key: 'one',
      }),
    );
    expect(recording.isEmpty).toBe(true);
    expect(recording.finish().report.operations).toEqual([
      { operation: 'get-all-instructors', calls: 1, told: 0, toldNothing: 1 },
    ]);
  });
});
