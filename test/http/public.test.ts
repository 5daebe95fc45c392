import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { supertest } from '../support/supertest.ts';
import { failureOf, world } from '../support/world.ts';

describe('a path under /public/ that is no operation', () => {
  it.each([
    ['get-quiz-detail', 'Did you mean "get-quiz-details"?'],
    ['Get_Quiz_Details', 'Did you mean "get-quiz-details"?'],
    ['get-quiz-details/', 'Did you mean "get-quiz-details"?'],
    ['listAssignments', 'Did you mean "list-assignments"?'],
  ])('answers %s with 404 and the name that was probably meant', async (name, hint) => {
    const { post } = await world();
    const { status, type, body } = await post(name).send({});
    expect({ status, type }).toEqual({ status: 404, type: 'application/problem+json' });
    expect(body).toMatchObject({
      type: 'urn:learning-platform-sandbox:no-such-operation',
      title: 'No such operation',
      status: 404,
    });
    expect(body).toHaveProperty(
      'detail',
      `There is no operation "${name}". ${hint} The operations are ${operationNames.join(', ')}.`,
    );
  });

  it('suggests nothing where no name is close', async () => {
    const { post } = await world();
    const { body } = await post('delete-everything').send({});
    expect(body).toHaveProperty(
      'detail',
      `There is no operation "delete-everything". The operations are ${operationNames.join(', ')}.`,
    );
  });

  it.each(['', '__proto__', 'constructor', 'toString'])(
    'answers "%s" with 404 like any other name',
    async (name) => {
      const { post } = await world();
      const { status, body } = await post(name).send({});
      expect(status).toBe(404);
      expect(body).toHaveProperty('title', 'No such operation');
    },
  );
});

describe('an operation called with another method than POST', () => {
  it.each(['get', 'put', 'patch', 'delete', 'options'] as const)(
    'answers %s with 405 and Allow: POST',
    async (method) => {
      const { url } = await world();
      const { status, headers, type, body } = await supertest(url)[method](
        '/public/get-quiz-details?quizId=1',
      );
      expect({ status, type, allow: headers['allow'] }).toEqual({
        status: 405,
        type: 'application/problem+json',
        allow: 'POST',
      });
      expect(body).toHaveProperty(
        'detail',
        `The operation get-quiz-details accepts only POST, not ${method.toUpperCase()}.`,
      );
    },
  );

  it('answers HEAD with 405, Allow and no body', async () => {
    const { url } = await world();
    const { status, headers, text } = await supertest(url).head('/public/get-quiz-details');
    expect({ status, allow: headers['allow'], text: text ?? '' }).toEqual({
      status: 405,
      allow: 'POST',
      text: '',
    });
  });
});

/** A good call whose body is declared as some type. */
async function declaredAs(type: string) {
  const { post, sandbox } = await world();
  return post('get-all-instructors')
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .set('Content-Type', type)
    .send('{"data":[{"data":{}}]}');
}

describe('the media type of a body', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/vnd.school+json',
  ])('refuses %s with 415 and says what to send', async (type) => {
    const reply = await declaredAs(type);
    expect(reply.status).toBe(415);
    expect(failureOf(reply)).toBe(
      `The body is declared as ${JSON.stringify(type)}. Send JSON in UTF-8, with the header Content-Type: application/json.`,
    );
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'takes %s',
    async (type) => {
      const reply = await declaredAs(type);
      expect(reply.status).toBe(200);
    },
  );

  it('refuses a compressed body with 415, without inflating it', { tags: ['slow'] }, async () => {
    const { post, sandbox } = await world();
    const bomb = gzipSync(`{"data":[${' '.repeat(20_000_000)}]}`);
    const reply = await post('get-all-instructors')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .serialize((bytes: string) => bytes)
      .send(bomb);
    expect(reply.status).toBe(415);
    expect(failureOf(reply)).toBe(
      'The body is encoded as "gzip". Send it uncompressed, without Content-Encoding.',
    );
  });
});

const bodyOf = (bytes: number): string => {
  const [head, tail] = ['{"data":[{"data":{"padding":"', '"}}]}'];
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
};

describe('the size of a body', () => {
  it.each([
    ['1mb', 1_048_576],
    ['100kb', 102_400],
    ['10mb', 10_485_760],
  ] as const)('may be %s and not one byte more', { tags: ['slow'] }, async (maxPayload, most) => {
    const { post, sandbox } = await world({ assumptions: { maxPayload } });
    const send = (bytes: number) =>
      post('get-all-instructors')
        .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
        .set('Content-Type', 'application/json')
        .send(bodyOf(bytes));
    expect((await send(most)).status).toBe(200);
    const reply = await send(most + 1);
    expect(reply.status).toBe(413);
    expect(failureOf(reply)).toBe(
      `The body is larger than ${most} bytes. Send less per call: shorter values, or a part of the batch.`,
    );
    expect(reply.headers['sandbox-assumed']).toContain(`maxPayload=${maxPayload}`);
  });

  it('is counted in bytes, not in characters', async () => {
    const { call } = await world({ assumptions: { maxPayload: '100kb' } });
    expect((await call('get-all-instructors', { padding: 'ä'.repeat(52_000) })).status).toBe(413);
  });
});

describe('Sandbox-Request-Id', () => {
  it('is on every reply of /public/, and never twice the same', async () => {
    const { url, post, call, sandbox } = await world();
    const replies = [
      await call('get-all-instructors'),
      await call('get-quiz-details', { quizId: 'missing' }),
      await post('get-all-instructors').send({}),
      await call('get-all-instructors').set('SERVICE-API-KEY', 'unknown'),
      await post('get-all-instructors')
        .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
        .set('Content-Type', 'text/plain')
        .send('text'),
      await post('no-such-operation').send({}),
      await supertest(url).get('/public/get-all-instructors'),
      await supertest(url).get('/public/'),
    ];
    const ids = replies.map(({ headers }) => headers['sandbox-request-id'] ?? '');
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+-\d+$/);
    expect(new Set(ids).size).toBe(replies.length);
  });
});
