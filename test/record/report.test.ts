import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { reportText, type RecordReport } from '../../src/upstream/seed-recorder/report.ts';
import { recordingWith } from './passing.ts';

function reportOf(result: object): RecordReport {
  const recording = recordingWith();
  withoutPause(
    recording.observe({
      operation: 'get-video-library',
      requestBody: '{"data":[{"data":{}}]}',
      responseBody: JSON.stringify([{ output: { status: 'ok', data: result } }]),
      status: 200,
      key: 'one',
    }),
  );
  return recording.finish().report;
}

const field = 'get-video-library result.videoData[].status';

describe('the report of a recording', () => {
  it('lists every kept word for review, the rarest first, and no word that was replaced', () => {
    const videoData = ['Ready', 'Ready', 'Anna', 'Anna Schmidt'].map((status) => ({ status }));
    const report = reportOf({ videoData });
    expect(report.keptWords).toEqual([
      { field, word: 'Anna', times: 1 },
      { field, word: 'Ready', times: 2 },
    ]);
    expect(JSON.stringify(report)).not.toContain('Schmidt');
    expect(reportText(report)).toContain('2 words kept: review keptWords in record-report.json');
  });

  it('names the option that a sandbox needs to send values which the specification does not show', () => {
    const presets = { presets: [{ permissionSets: [{ permissions: [], resourceIdType: 'All' }] }] };
    expect(reportOf({ videoData: [{ status: 'CcFailed' }], ...presets }).assume).toEqual({});
    const report = reportOf({ videoData: [{ status: 'CcFailed' }, { status: 'Ready' }] });
    expect(report.assume).toEqual({ openValues: 'plausible' });
    expect(reportText(report)).toContain(
      'To send the recorded values of statuses and types, a sandbox needs --assume openValues=plausible.',
    );
  });

  it.each(['Anna', 'annaSchmidt', 'mark', 'anna_id', 'annaSchmidtCount', 'über', '4711', 'internalAnna'])(
    'counts an unknown field that could be a person, without its name: %s',
    (name) => {
      const { dropped } = reportOf({ [name]: 1 });
      expect(dropped).toEqual([
        { field: 'get-video-library result.(other names)', times: 1, why: 'unknown' },
      ]);
    },
  );

  it.each(['internalNote', 'userEmail', 'title', 'updatedAt', 'external_id'])(
    'names an unknown field of technical words: %s',
    (name) => {
      expect(reportOf({ [name]: 1 }).dropped).toEqual([
        { field: `get-video-library result.${name}`, times: 1, why: 'unknown' },
      ]);
    },
  );

  it('says of each value that is not recorded whether its field, null or the value is not in the contract', () => {
    const text = reportText(reportOf({ totalResults: 'many', title: 1, videoData: [{ createdAt: null }] }));
    expect(text).toContain('Not in the contract, so not recorded: get-video-library result.title.\n');
    expect(text).toContain('Null, so not recorded: get-video-library result.videoData[].createdAt.\n');
    expect(text).toContain(
      'Not a value that the contract allows there, so not recorded: get-video-library result.totalResults.\n',
    );
  });
});
