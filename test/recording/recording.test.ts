import { describe, expect, it } from 'vitest';
import type { SideData } from '../../src/upstream/compare/planned-call.ts';
import { recordedCalls } from '../../src/upstream/compare/recorded-calls.ts';
import { readRecording } from '../../src/upstream/recording/recording.ts';

const message = { status: 200, headers: [], content: { text: '[]' } };

function entry(path: string, more: object): object {
  return { request: { method: 'POST', url: `https://school.example${path}` }, response: message, ...more };
}

function read(entries: readonly object[]) {
  return () => readRecording(JSON.stringify({ log: { entries } }), 'a.har');
}

const good = entry('/public/get-all-instructors', { startedDateTime: '2026-11-20T10:00:00.000Z' });

describe('the calls of a recording', () => {
  it('are sent as they are if their body is nested too deep to replace identifiers in it', () => {
    const text = `{"data":[{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`;
    const request = {
      method: 'POST',
      url: 'https://school.example/public/get-all-instructors',
      postData: { text },
    };
    const response = { ...message, content: { text: '[{"output":{"status":"ok","data":[]}}]' } };
    const [call] = recordedCalls(read([{ ...good, request, response }])());
    const side: SideData = { has: () => false, standIns: {} };
    expect(call?.request(side)).toMatchObject({ body: text });
  });
});

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

  it('is refused if the file is nested too deep', () => {
    const moment = `${'['.repeat(6000)}${']'.repeat(6000)}`;
    const text = `{"log":{"entries":[{"request":{"url":"/public/x"},"response":{},"startedDateTime":${moment}}]}}`;
    expect(() => readRecording(text, 'a.har')).toThrow('a.har is nested more than 1000 levels deep.');
  });

  it('may have other requests without a time', () => {
    expect(read([good, entry('/style.css', {})])()).toHaveLength(1);
  });
});
