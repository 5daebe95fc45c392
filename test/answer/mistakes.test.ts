import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { quiz } from '../support/demo.ts';
import { failureOf, world, type World } from '../support/world.ts';

/** Sends a body as it stands. */
function send({ post, sandbox }: World, operation: string, body: string, type = 'application/json') {
  return post(operation)
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .set('Content-Type', type)
    .send(body);
}

const sample = 'Send {"data":[{"data":{"quizId":…}}]}.';

describe('the usual mistakes of a body are named', () => {
  it.each([
    ['an empty body', '', `The body is empty. ${sample}`],
    [
      'an array at top level',
      '[{"data":{}}]',
      `The body must be an object with an array "data", but is an array. ${sample}`,
    ],
    [
      'a text at top level',
      '"data"',
      `The body must be an object with an array "data", but is the string "data". ${sample}`,
    ],
    ['null at top level', 'null', `The body must be an object with an array "data", but is null. ${sample}`],
    ['an object without data', '{"body":[]}', `/data is required, but missing. ${sample}`],
    [
      'parameters without the envelope',
      `{"quizId":"${quiz.id}"}`,
      `/data is required, but missing. The parameters were sent without the envelope. ${sample}`,
    ],
    [
      'data that is an object',
      '{"data":{"quizId":"1"}}',
      `/data must be an array of elements, but is an object. ${sample}`,
    ],
    ['data that is null', '{"data":null}', `/data must be an array of elements, but is null. ${sample}`],
    [
      'parameters without the inner data',
      `{"data":[{"quizId":"${quiz.id}"}]}`,
      '/data/0/data is required, but missing. The parameters were sent without the inner "data": wrap them as { "data": { … } }.',
    ],
    [
      'an element with nothing in it',
      '{"data":[{}]}',
      '/data/0/data is required, but missing. If there are no parameters, send { "data": {} }.',
    ],
    [
      'an element that is no object',
      '{"data":["1"]}',
      '/data/0 must be an object with an object "data", but is the string "1".',
    ],
    [
      'an inner data that is a list',
      '{"data":[{"data":["1"]}]}',
      '/data/0/data must be an object, but is an array.',
    ],
    [
      'an inner data that is null',
      '{"data":[{"data":null}]}',
      '/data/0/data must be an object, but is null.',
    ],
  ])('%s', async (_, body, message) => {
    const reply = await send(await world(), 'get-quiz-details', body);
    expect({ status: reply.status, message: failureOf(reply) }).toEqual({ status: 400, message });
  });

  it.each([
    '{"data":[{"data":{}}]',
    "{'data':[]}",
    '\u0000',
    'quizId=1',
    '{"data":[{"data":{"quizId":NaN}}]}',
  ])('no JSON: %s', async (body) => {
    const reply = await send(await world(), 'get-quiz-details', body);
    expect(reply.status).toBe(400);
    expect(failureOf(reply)).toMatch(
      /^The body is not JSON(:| at line 1, column \d+:) .+\. Send \{"data":\[\{"data":\{"quizId":…\}\}\]\}\.$/,
    );
  });

  it('a nesting that no operation has a use for', async () => {
    const nested = `{"data":[{"data":{"testCases":${'['.repeat(1000)}${']'.repeat(1000)}}}]}`;
    const reply = await send(await world(), 'update-interactive-coding-lab', nested);
    expect(reply.status).toBe(400);
    expect(failureOf(reply)).toBe(
      'The body is nested more than 1000 levels deep. Send {"data":[{"data":{"labId":…}}]}.',
    );
  });

  it('brackets inside a text are no nesting', async () => {
    const { call } = await world();
    expect(failureOf(await call('get-quiz-details', { quizId: `\\"${'['.repeat(3000)}` }))).toContain(
      'The school has no quiz',
    );
  });

  it('no Content-Type', async () => {
    const { url, sandbox } = await world();
    // fetch, unlike the other client, can be kept from declaring a type.
    const body = new Blob(['{"data":[{"data":{}}]}']);
    const reply = await fetch(`${url}/public/get-quiz-details`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': sandbox.apiKey('riverside') },
      body,
    });
    expect(reply.status).toBe(415);
    expect(await reply.json()).toEqual([
      {
        output: {
          status: 'error',
          errorMessage:
            'The body has no Content-Type. Send JSON in UTF-8, with the header Content-Type: application/json.',
        },
      },
    ]);
  });

  it('the sample body of an operation without parameters has none', async () => {
    expect(failureOf(await send(await world(), 'get-all-instructors', ''))).toBe(
      'The body is empty. Send {"data":[{"data":{}}]}.',
    );
  });

  it('every element that is wrong, at once', async () => {
    const reply = await send(
      await world(),
      'get-quiz-details',
      '{"data":[{"data":{"quizId":"1"}},{"quizId":"1"},7]}',
    );
    expect(reply.status).toBe(400);
    expect(failureOf(reply)).toBe(
      '(1) /data/1/data is required, but missing. The parameters were sent without the inner "data": wrap them as { "data": { … } }. ' +
        '(2) /data/2 must be an object with an object "data", but is the number 7.',
    );
  });

  it('at most 50 mistakes are told, and how many more there are', async () => {
    const reply = await send(
      await world(),
      'get-quiz-details',
      JSON.stringify({ data: Array.from({ length: 60 }, () => 1) }),
    );
    expect(failureOf(reply)).toContain('(50) /data/49 must be an object');
    expect(failureOf(reply)).toMatch(/ And 10 more\.$/);
  });
});

describe('a key in the wrong place is named', () => {
  const advice =
    'Send sbx_default_<school> in the header SERVICE-API-KEY, where <school> is riverside or hillcrest or marevista.';
  const body = { data: [{ data: {} }] };

  it.each([
    [
      'Authorization',
      'Bearer sbx_default_riverside',
      ' A key was found in the header "Authorization": send it in SERVICE-API-KEY instead, without the scheme.',
    ],
    [
      'Authorization',
      'Bearer a-key-of-another-service',
      ' It has an Authorization header, but the key belongs in SERVICE-API-KEY, without a scheme such as "Bearer".',
    ],
    [
      'Authorization',
      `Basic ${btoa('sbx_default_riverside:')}`,
      ' A key was found in the header "Authorization": send it in SERVICE-API-KEY instead, without the scheme.',
    ],
    [
      'X-API-Key',
      'sbx_default_riverside',
      ' A key was found in the header "X-API-Key": send it in SERVICE-API-KEY instead.',
    ],
    ['X-API-Key', 'a-key', ' It has an X-API-Key header, but the key belongs in SERVICE-API-KEY.'],
    [
      'X-Something',
      'sbx_default_riverside',
      ' A key was found in the header "X-Something": send it in SERVICE-API-KEY instead.',
    ],
    ['Sandbox-Scope', 'sbx_default_riverside', ''],
  ])('as %s', async (header, value, hint) => {
    const { post } = await world();
    const reply = await post('get-all-instructors').set(header, value).send(body);
    expect(reply.status).toBe(401);
    expect(failureOf(reply)).toBe(`The call has no API key.${hint} ${advice}`);
  });

  it.each(['apiKey', 'SERVICE-API-KEY', 'access_token'])('in the query, as %s', async (name) => {
    const { post } = await world();
    const reply = await post('get-all-instructors')
      .query({ page: 1, [name]: 'sbx_default_riverside' })
      .send(body);
    expect(reply.status).toBe(401);
    expect(failureOf(reply)).toBe(
      `The call has no API key. Its query seems to contain one, but the key belongs in a header: URLs end up in logs. ${advice}`,
    );
  });

  it('in the body', async () => {
    const { post } = await world();
    const reply = await post('get-all-instructors').send({ ...body, apiKey: 'sbx_default_riverside' });
    expect(failureOf(reply)).toBe(
      `The call has no API key. Its body seems to contain one, but the key belongs in a header. ${advice}`,
    );
  });

  const around = ' It has extra characters around the key: send the key alone, without "Bearer" or quotes.';

  it.each([
    ['Bearer sbx_default_riverside', around],
    ['"sbx_default_riverside"', around],
    ['SBX_DEFAULT_RIVERSIDE', ' It has capital letters: keys are in lower case.'],
    ['sbx_default', ''],
    ['sbx_default_nowhere', ''],
    ['sbx_default_riversid', ' Did you mean "riverside"?'],
    ['{{apiKey}}', ' It looks like a placeholder that was not replaced.'],
    ['undefined', ' It looks like the text of an empty variable.'],
    ['', ' It is blank.'],
  ])('as the value "%s"', async (key, hint) => {
    const { post } = await world();
    const reply = await post('get-all-instructors').set('SERVICE-API-KEY', key).send(body);
    expect(reply.status).toBe(401);
    expect(failureOf(reply)).toBe(
      `The API key matches no school.${hint} A key has the form sbx_<sandbox>_<school>. ${advice}`,
    );
  });

  it('in two headers', async () => {
    const { url } = await world();
    const key = ['SERVICE-API-KEY', 'sbx_default_riverside'];
    const headers = ['Host', new URL(url).host, ...key, ...key, 'Content-Type', 'application/json'];
    const sent = request(`${url}/public/get-all-instructors`, { method: 'POST', headers });
    const [reply] = (await once(sent.end(JSON.stringify(body)), 'response')) as [IncomingMessage]; // The only argument of the event.
    expect(reply.statusCode).toBe(401);
    expect(await json(reply)).toEqual([
      {
        output: {
          status: 'error',
          errorMessage: `The call has 2 SERVICE-API-KEY headers. Send one. ${advice}`,
        },
      },
    ]);
  });

  it("in a sandbox of its own, with the form of that sandbox's keys", async () => {
    const { post, sandbox } = await world();
    const reply = await post('get-all-instructors')
      .set('SERVICE-API-KEY', `sbx_${sandbox.id}_nowhere`)
      .send(body);
    expect(failureOf(reply)).toContain(
      `Send sbx_${sandbox.id}_<school> in the header SERVICE-API-KEY, where <school> is riverside or hillcrest or marevista.`,
    );
    expect(await sandbox.journal.list()).toMatchObject([
      { status: 401, outcome: 'invalid-key', school: null },
    ]);
  });
});
