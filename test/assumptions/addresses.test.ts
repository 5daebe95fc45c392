import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { supertest } from '../support/supertest.ts';
import { world, type World } from '../support/world.ts';
import { testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

/** A request with a key to no operation. */
function toNothing({ url, sandbox }: World): PromiseLike<Response> {
  return supertest(url).post('/public/get-quizzes').set('SERVICE-API-KEY', sandbox.apiKey('riverside'));
}

/** A request with a key to an operation, with the method GET. */
function withGet({ url, sandbox }: World): PromiseLike<Response> {
  return supertest(url).get('/public/get-quiz-details').set('SERVICE-API-KEY', sandbox.apiKey('riverside'));
}

const noOperation = 'There is no operation "get-quizzes".';

/** The request of a browser before a page calls an operation. */
function preflight(url: string, path = '/public/get-quiz-details'): PromiseLike<Response> {
  return supertest(url).options(path).set({
    Origin: 'https://app.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type,service-api-key',
  });
}

function wrongMethod(status: number): OptionTest {
  return async ({ open, noted }) => {
    const place = await open();
    const reply = await withGet(place);
    expect([reply.status, reply.headers['allow']]).toEqual([status, status === 405 ? 'POST' : undefined]);
    expect(reply.body).toMatchObject({ status, title: 'Wrong method' });
    noted(reply);
    const [entry] = await place.sandbox.journal.list();
    const assumed = ['wrongMethod', 'unmatchedBody', 'failureMessages'];
    expect(entry).toMatchObject({ outcome: 'unmatched', status, assumed });
  };
}

function unknownPath(status: number): OptionTest {
  return async ({ open, noted }) => {
    const place = await open();
    const reply = await toNothing(place);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ status, detail: expect.stringContaining(noOperation) });
    noted(reply);
    const [entry] = await place.sandbox.journal.list();
    const assumed = ['unknownPath', 'unmatchedBody', 'failureMessages'];
    expect(entry).toMatchObject({ outcome: 'unmatched', status, assumed });
  };
}

export const addresses = {
  wrongMethod: {
    'http-405': wrongMethod(405),
    'http-404': wrongMethod(404),
    'http-403': wrongMethod(403),
  },
  unknownPath: {
    'http-404': unknownPath(404),
    'http-403': unknownPath(403),
  },
  unmatchedBody: {
    'problem-json': async ({ open, noted }) => {
      const place = await open({ assumptions: { refusalBody: 'html', failureMessages: 'generic' } });
      for (const reply of [await toNothing(place), await withGet(place)]) {
        expect(reply.type).toBe('application/problem+json');
        expect(reply.body).toMatchObject({ type: expect.stringMatching(/^urn:/), status: reply.status });
        noted(reply);
      }
    },
    'as-refusals': async ({ open, noted }) => {
      const plain = await open();
      const reply = await toNothing(plain);
      expect(reply.body).toEqual([
        { output: { status: 'error', errorMessage: expect.stringContaining(noOperation) } },
      ]);
      noted(reply);
      const place = await open({ assumptions: { refusalBody: 'error-json', failureMessages: 'generic' } });
      expect((await toNothing(place)).body).toEqual({
        error: { code: 'unknown-path', message: 'Not found' },
      });
      const wrong = await withGet(place);
      expect(wrong.body).toEqual({ error: { code: 'wrong-method', message: 'Method not allowed' } });
      const empty = await withGet(await open({ assumptions: { refusalBody: 'empty' } }));
      expect([empty.status, empty.type, empty.text]).toEqual([405, '', '']);
    },
  },
  cors: {
    none: async ({ open, serveAt, noted }) => {
      const refused = await preflight(await serveAt());
      expect(refused.status).toBe(405);
      noted(refused);
      for (const reply of [refused, await (await open()).call('get-all-instructors')])
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    },
    'any-origin': async ({ open, serveAt, noted }) => {
      const allowed = await preflight(await serveAt());
      expect([allowed.status, allowed.text, allowed.headers['content-length']]).toEqual([204, '', undefined]);
      expect(allowed.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers':
          'SERVICE-API-KEY, Content-Type, Sandbox-Fault, Sandbox-Scope, Sandbox-Page',
        'access-control-max-age': '600',
        'sandbox-request-id': expect.stringMatching(/^default-\d+$/),
      });
      noted(allowed);
      const place = await open();
      const failed = place.call('get-all-instructors').set('Sandbox-Fault', 'http-error; status=503');
      for (const reply of [await place.call('get-all-instructors'), await failed, await toNothing(place)]) {
        expect(reply.headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-expose-headers': '*',
        });
        noted(reply);
      }
    },
  },
} satisfies Partial<OptionTests>;

testOptions(addresses);

describe('a preflight request, if pages of other origins may call', () => {
  it('is no call: it is not journaled, and counts toward no limit', async () => {
    const { url, sandbox, call } = await world({ assumptions: { cors: 'any-origin' } });
    const key = sandbox.apiKey('riverside');
    for (let sent = 0; sent < 20; sent += 1) {
      const asked = supertest(url)
        .options('/public/get-all-instructors')
        .set({ 'SERVICE-API-KEY': key, 'Access-Control-Request-Method': 'POST' });
      expect((await asked).status).toBe(204);
    }
    expect(await sandbox.journal.list()).toEqual([]);
    expect((await call('get-all-instructors')).status).toBe(200);
  });

  it('is answered for a wrong path too, so that the page can read what is wrong with the call', async () => {
    const { url, sandbox } = await world({ assumptions: { cors: 'any-origin' } });
    const headers = {
      'SERVICE-API-KEY': sandbox.apiKey('riverside'),
      'Access-Control-Request-Method': 'POST',
    };
    for (const path of ['/public/get-quizzes', '/get-quiz-details'])
      expect((await supertest(url).options(path).set(headers)).status).toBe(204);
  });

  it('is an ordinary request with a wrong method if it asks for none', async () => {
    const { url, sandbox } = await world({ assumptions: { cors: 'any-origin' } });
    const key = sandbox.apiKey('riverside');
    const reply = await supertest(url).options('/public/get-quiz-details').set('SERVICE-API-KEY', key);
    expect(reply.status).toBe(405);
    expect(await sandbox.journal.list({ outcome: 'unmatched' })).toHaveLength(1);
  });
});
