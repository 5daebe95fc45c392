import { describe, expect, it } from 'vitest';
import { problemBody, type Problem } from '../../src/base/problem.ts';

function written(problem: Problem): unknown {
  return JSON.parse(problemBody(problem));
}

describe('a problem document', () => {
  it('has the type about:blank only with the title of its status, as RFC 9457 says', () => {
    expect(written({ status: 403, title: 'Forbidden', detail: 'Expired.' })).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'Expired.',
    });
    expect(written({ status: 404, title: 'Not found', detail: '' })).toMatchObject({
      type: 'about:blank',
      title: 'Not Found',
    });
  });

  it('has a type of its own with any other title', () => {
    expect(written({ status: 503, title: 'Sandbox not loaded', detail: '' })).toMatchObject({
      type: 'urn:learning-platform-sandbox:sandbox-not-loaded',
      title: 'Sandbox not loaded',
    });
    expect(written({ status: 404, type: 'urn:a', title: 'Not found', detail: '' })).toMatchObject({
      type: 'urn:a',
      title: 'Not found',
    });
  });
});
