import { describe, expect, it } from 'vitest';
import { readRecording } from '../../src/upstream/recording/recording.ts';

const message = { status: 200, headers: [], content: { text: '[]' } };

function entry(path: string, more: object): object {
  return { request: { method: 'POST', url: `https://school.example${path}` }, response: message, ...more };
}

function read(entries: readonly object[]) {
  return () => readRecording(JSON.stringify({ log: { entries } }), 'a.har');
}

const good = entry('/public/get-all-instructors', { startedDateTime: '2026-11-20T10:00:00.000Z' });

describe('a recording', () => {
  it.each([
    [{}, 'is missing'],
    [{ startedDateTime: 'yesterday' }, 'is "yesterday"'],
    [{ startedDateTime: 7 }, 'is 7'],
  ])('says which entry has no time: %j', (more, what) => {
    expect(read([good, entry('/public/get-all-instructors', more)])).toThrow(
      `a.har: /log/entries/1/startedDateTime ${what}. It must be an ISO 8601 date-time such as "2026-11-20T10:00:00.000Z".`,
    );
  });

  it('says which entry of a journal has no time', () => {
    const journal = [{ request: '', response: '', url: '/public/get-all-instructors', method: 'POST' }];
    expect(() => readRecording(JSON.stringify(journal), 'a.json')).toThrow('a.json: /0/at is missing.');
  });

  it('may have other requests without a time', () => {
    expect(read([good, entry('/style.css', {})])()).toHaveLength(1);
  });
});
