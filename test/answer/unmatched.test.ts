import { describe, expect, it } from 'vitest';
import { supertest } from '../support/supertest.ts';
import { world } from '../support/world.ts';

describe('a request with a wrong path or method', () => {
  it.each([
    ['POST', '/public/get-quiz-detail', 'get-quiz-detail', 404, 'get-quiz-details'],
    ['POST', '/public/Get-Quiz-Details', 'Get-Quiz-Details', 404, 'get-quiz-details'],
    ['POST', '/public/get-quiz-details/', 'get-quiz-details', 404, 'get-quiz-details'],
    ['GET', '/public/get-quiz-details', 'get-quiz-details', 405, 'accepts only POST, not GET'],
    ['POST', '/get-quiz-details', 'get-quiz-details', 404, '/public/get-quiz-details'],
    ['POST', '/api/public/get-quiz-details', 'get-quiz-details', 404, '/public/get-quiz-details'],
    ['POST', '/v1/quizzes', 'quizzes', 404, 'The operations are at /public/<operation>'],
  ] as const)('%s %s is journaled with what was meant', async (method, path, operation, status, hint) => {
    const { sandbox, url } = await world();
    const agent = supertest(url);
    const request = method === 'GET' ? agent.get(path) : agent.post(path).send({ data: [] });
    const reply = await request.set('SERVICE-API-KEY', sandbox.apiKey('riverside'));
    expect(reply.status).toBe(status);
    const [entry, ...more] = await sandbox.journal.list({ outcome: 'unmatched' });
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      requestId: reply.headers['sandbox-request-id'],
      method,
      operation,
      url: path,
      school: 'riverside',
      status,
      violations: [{ pointer: '', message: expect.stringContaining(hint) }],
      response: reply.text,
    });
  });

  it('from a page of another origin is explained: its browser asks before it calls', async () => {
    const { url } = await world();
    const { status } = await supertest(url)
      .options('/public/get-quiz-details')
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' });
    expect(status).toBe(405);
    const message = expect.stringContaining('Call the operation from a server');
    const { body } = await supertest(url).get('/control/sandboxes/default/journal?outcome=unmatched');
    expect((body as { entries: unknown }).entries).toContainEqual(
      expect.objectContaining({ method: 'OPTIONS', violations: [{ pointer: '', message }] }),
    );
  });

  it('counts as a violation in the report, and not as a call of the operation', async () => {
    const { sandbox, url, call } = await world();
    await call('get-all-instructors');
    await supertest(url)
      .post('/public/get-all-instructor')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: [{ data: {} }] });
    const { violations, coverage, calls } = await sandbox.report();
    expect(calls).toBe(2);
    expect(violations).toMatchObject([{ operation: 'get-all-instructor', count: 1 }]);
    expect(coverage.map(({ calls: counted }) => counted).reduce((sum, one) => sum + one)).toBe(1);
  });

  it('without a usable key is journaled in the default sandbox', async () => {
    const { url } = await world();
    const { headers } = await supertest(url).post('/public/nothing-like-it').send({});
    expect(headers['sandbox-request-id']).toMatch(/^default-\d+$/);
    const path = `/control/sandboxes/default/journal/${headers['sandbox-request-id']}`;
    expect((await supertest(url).get(path)).body).toMatchObject({ outcome: 'unmatched', key: null });
  });

  it.each([
    ['a parameter', '/public/quizzes;token=hidden-17'],
    ['a parameter as a whole', '/public/token=hidden-17'],
    ['a parameter with a slash', '/public/quizzes;token=a/hidden-17'],
    ['a password without a scheme', '/public/user:hidden-17@host/quizzes'],
    ['an encoded parameter', '/public/quizzes%3Ftoken%3Dhidden-17'],
    ['a second parameter', '/public/quizzes&api_key=hidden-17'],
    ['a password', '/public/http://user:hidden-17@host/quizzes'],
    ['a key with an odd form', '/public/quizzes/hidden-17-and-more', 'hidden-17-and-more'],
    ['an encoded key', '/public/quizzes/sbx%255Fany%255Friverside', 'sbx_any_riverside', '255Friverside'],
    ['a parameter that is encoded twice', '/public/quizzes%253Ftoken%253Dhidden-17'],
    ['a password with one slash', '/public/https:/user:hidden-17@host'],
    ['a password with encoded slashes', '/public/https:%2F%2Fuser:hidden-17@host'],
    [
      'an encoded key beside what is no encoding',
      '/public/a%zzsbx%5Fany%5Friverside',
      undefined,
      '5Friverside',
    ],
    ['a partly encoded key with dots', '/public/hid.den%2D17', 'hid.den-17', 'den%2D17'],
    ['a key at its maximum length', `/public/${'a'.repeat(475)}hidden-17-and-more`, 'hidden-17-and-more'],
  ])(
    'does not show %s in its path, nor where that is explained',
    async (_, path, key = 'sbx_plain_riverside', secret = 'hidden-17') => {
      const { url } = await world();
      const { text, headers } = await supertest(url)
        .get(path)
        .set('SERVICE-API-KEY', key)
        .set('Sandbox-Scope', key);
      const id = String(headers['sandbox-request-id']);
      const place = `/control/sandboxes/${id.slice(0, id.lastIndexOf('-'))}/journal`;
      const found = [
        text,
        (await supertest(url).get(`${place}/${id}`)).text,
        (await supertest(url).get(`${place}.har`)).text,
      ];
      for (const one of found) expect(one).not.toContain(secret);
    },
  );

  it.each([
    'https://host/?token=hidden-17',
    'https://user:hidden-17@host',
    `${'a'.repeat(110)}sbx_any_riverside`,
    'sbx%5Fany%5Friverside',
  ])('does not show a secret in its scope: %s', async (scope) => {
    const { url, sandbox } = await world();
    const place = `/control/sandboxes/${sandbox.id}/journal`;
    const { text } = await supertest(url).post(`${place}/scopes`).send({ name: scope });
    const key = sandbox.apiKey('riverside');
    await supertest(url).get('/public/quizzes').set('SERVICE-API-KEY', key);
    await supertest(url).get('/public/quizzes').set({ 'SERVICE-API-KEY': key, 'Sandbox-Scope': scope });
    const journal = (await supertest(url).get(place)).text;
    for (const one of [text, journal]) expect(one).not.toMatch(/hidden-17|sbx_any_ri|5Friv/);
    const found = await supertest(url).get(`${place}?scope=${encodeURIComponent(scope)}`);
    expect(found.body.entries).toHaveLength(2);
  });

  it('does not show a key in its path', async () => {
    const { sandbox, url } = await world();
    const key = sandbox.apiKey('riverside');
    await supertest(url).post(`/public/list-assignments/${key}`).set('SERVICE-API-KEY', key);
    const [entry] = await sandbox.journal.list();
    expect(entry).toMatchObject({ outcome: 'unmatched', keyElsewhere: ['url'] });
    expect(JSON.stringify(entry)).not.toContain(key);
  });

  it('is found by verify, which can also require that there is nothing else', async () => {
    const { sandbox, url, call } = await world();
    await call('get-all-instructors');
    const counts = [{ operation: 'get-all-instructors' }];
    expect(await sandbox.journal.verify({ counts, nothingElse: true })).toMatchObject({
      holds: true,
      others: { holds: true, found: 0, message: 'Expected no other calls, found none.' },
    });
    const { headers } = await supertest(url)
      .post('/public/get-instructors')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'));
    const id = String(headers['sandbox-request-id']);
    expect(await sandbox.journal.verify({ counts, nothingElse: true })).toMatchObject({
      holds: false,
      others: {
        holds: false,
        found: 1,
        message: `Expected no other calls, found 1 (get-instructors): ${id}.`,
      },
    });
    const unmatched = { counts: [{ operation: 'get-instructors', outcome: 'unmatched', times: 1 }] };
    expect(await sandbox.journal.verify(unmatched)).toMatchObject({ holds: true });
  });
});

it('a page of this server is found by its path, whatever key a client sends with it', async () => {
  const { sandbox, url } = await world();
  for (const path of ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])
    expect((await supertest(url).get(path).set('SERVICE-API-KEY', sandbox.apiKey('riverside'))).status).toBe(
      200,
    );
  expect(await sandbox.journal.list()).toEqual([]);
});
