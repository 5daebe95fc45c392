import { describe, expect, it } from 'vitest';
import { harEntry, toHar } from '../../src/control/har.ts';
import { quiz } from '../support/demo.ts';
import { world, type World } from '../support/world.ts';

interface Header {
  readonly name: string;
  readonly value: string;
}
/** What the tests look at. */
interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly headers: readonly Header[];
    readonly postData: Readonly<Record<string, string>>;
  } & Readonly<Record<string, unknown>>;
  readonly response: {
    readonly headers: readonly Header[];
    readonly content: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>;
  readonly timings: { readonly wait: number };
}
interface Archive {
  readonly log: { readonly entries: readonly Entry[] } & Readonly<Record<string, unknown>>;
}

/** The archive of a sandbox, as it is in a file. */
async function archive({ sandbox }: World): Promise<Archive> {
  // What it is like is what the tests are about.
  return JSON.parse(
    JSON.stringify(
      toHar(
        (await sandbox.journal.list()).map((entry) => harEntry(entry, sandbox.baseUrl)),
        '1.2.3',
      ),
    ),
  ) as Archive;
}

async function onlyEntry(own: World): Promise<Entry> {
  const { log } = await archive(own);
  const [entry] = log.entries;
  if (entry === undefined || log.entries.length > 1)
    throw new Error(`Expected one entry, but there are ${log.entries.length}`);
  return entry;
}

describe('the journal as HAR', () => {
  it('says which version of the format it is and who made it, and has no pages', async () => {
    expect(await archive(await world())).toEqual({
      log: {
        version: '1.2',
        creator: { name: 'Learning Platform Sandbox', version: '1.2.3' },
        pages: [],
        entries: [],
      },
    });
  });

  it('has every exchange with all that the format demands, and what the sandbox knows besides', async () => {
    const own = await world({ clock: { mode: 'frozen', now: '2026-02-11T09:30:00.000Z' } });
    const reply = await own
      .call('get-quiz-details', { quizId: 'größer' })
      .query({ page: 'a b', note: 'ä&=' });
    const entry = await onlyEntry(own);
    const body = '{"data":[{"data":{"quizId":"größer"}}]}';
    const bytes = Buffer.byteLength(reply.text);
    expect(entry).toEqual({
      startedDateTime: '2026-02-11T09:30:00.000Z',
      time: expect.any(Number),
      request: {
        method: 'POST',
        url: `${own.url}/public/get-quiz-details?page=a%20b&note=%C3%A4%26%3D`,
        httpVersion: 'HTTP/1.1',
        headers: expect.arrayContaining([{ name: 'content-type', value: 'application/json' }]),
        queryString: [
          { name: 'page', value: 'a b' },
          { name: 'note', value: 'ä&=' },
        ],
        cookies: [],
        headersSize: -1,
        bodySize: Buffer.byteLength(body),
        postData: { mimeType: 'application/json', text: body },
      },
      response: {
        status: 200,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        headers: expect.arrayContaining([
          { name: 'sandbox-request-id', value: reply.headers['sandbox-request-id'] },
        ]),
        cookies: [],
        content: { size: bytes, mimeType: 'application/json; charset=utf-8', text: reply.text },
        redirectURL: '',
        headersSize: -1,
        bodySize: bytes,
      },
      cache: {},
      timings: { send: 0, wait: entry.time, receive: 0 },
      _resourceType: 'fetch',
      _requestId: reply.headers['sandbox-request-id'],
      _outcome: 'element-error',
      _faults: [],
      _assumed: expect.arrayContaining(['unknownId']),
      _school: 'riverside',
      _scope: null,
      _page: null,
      _clientLeft: false,
    });
    expect(entry.time).toBeGreaterThan(0);
  });

  it('has the exchanges in their order', async () => {
    const own = await world();
    await own.call('get-all-instructors');
    await own.call('get-quiz-details', { quizId: quiz.id });
    const { log } = await archive(own);
    expect(log.entries.map(({ request }) => request['url'])).toEqual([
      `${own.url}/public/get-all-instructors`,
      `${own.url}/public/get-quiz-details`,
    ]);
  });

  it('says of a call whose status was never sent that it is 0, and why', async () => {
    const own = await world();
    await own
      .call('get-all-instructors')
      .set('Sandbox-Fault', 'reset')
      .catch(() => {});
    expect(await onlyEntry(own)).toMatchObject({
      response: {
        status: 0,
        httpVersion: '',
        headers: [],
        content: { size: 0, mimeType: 'x-unknown', text: '' },
        bodySize: 0,
        _error: 'No HTTP response was sent: reset.',
      },
      _outcome: 'fault',
      _faults: [{ fault: 'reset', phase: 'before', rule: null }],
    });
  });

  it('has no error where there was an answer, however bad', async () => {
    const own = await world();
    await own.call('get-all-instructors').set('Sandbox-Fault', 'http-error; status=503');
    const { response } = await onlyEntry(own);
    expect(response).toMatchObject({ status: 503 });
    expect(response).not.toHaveProperty('_error');
  });

  it('says where a body was not kept whole, and how large it was as far as that is known', async () => {
    const own = await world();
    await own.batch(
      'get-quiz-details',
      Array.from({ length: 500 }, () => ({ quizId: 'x'.repeat(200) })),
    );
    const { request, response } = await onlyEntry(own);
    expect(request).toMatchObject({
      bodySize: -1,
      postData: { comment: expect.stringMatching(/^Cut: \d+ more characters were not stored\.$/) },
    });
    const { size, text } = response.content;
    expect(response).toMatchObject({
      bodySize: size,
      content: { comment: expect.stringMatching(/^Cut: \d+ more characters/) },
    });
    expect(size).toBeGreaterThan(Buffer.byteLength(String(text)));
  });

  it('shows keys shortened, as they were kept', async () => {
    const own = await world();
    await own.call('get-all-instructors');
    const text = JSON.stringify(await archive(own));
    expect(text).not.toContain(own.sandbox.apiKey('riverside'));
    expect(text).toContain('…');
  });
});
