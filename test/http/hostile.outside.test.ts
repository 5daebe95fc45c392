import * as fc from 'fast-check';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operationFacts } from '../../src/contract/generated/facts.ts';
import { operationNames } from '../../src/contract/operation-types.ts';
import { startSandbox } from '../../src/index.ts';
import { anyText } from '../support/any-text.ts';
import { expectContractual } from '../support/contract.ts';
import { coupon, items, labId, learner, products, quiz, sessions } from '../support/demo.ts';

/** JSON text that breaks careless programs, and identifiers that lead deeper in. */
const values = fc.oneof(
  fc
    .constantFrom(quiz.id, items.article, coupon.id, labId, learner.id, products.python, sessions.twoSources)
    .map((id) => `"${id}"`),
  fc.constantFrom(
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '-0',
    '0.1',
    '123456789012345678901234567890',
    'null',
    'true',
    '""',
  ),
  fc.constantFrom(
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\u2028"',
    '"<script>"',
    '"%00"',
    '"../../etc"',
  ),
  fc.constantFrom(
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '[[],{}]',
    '{"toString":null}',
  ),
  fc.constantFrom(
    '"__proto__"',
    '"constructor"',
    '"hasOwnProperty"',
    '"{{7*7}}"',
    '"$ne"',
    '"a@b.example"',
    '"2026-02-30T25:00:00Z"',
  ),
  fc.integer({ min: 1, max: 300_000 }).map((length) => `"${'x'.repeat(length)}"`),
  fc.integer({ min: 1, max: 990 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  anyText().map((text) => JSON.stringify(text)),
  fc.json(),
);

const fieldNames = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...Object.values(operationFacts).flatMap(({ parameters }) => Object.keys(parameters)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'data',
      '',
    ),
  },
  { weight: 1, arbitrary: fc.string() },
);

const objects = fc
  .array(fc.tuple(fieldNames, values), { maxLength: 8 })
  .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);

const envelopes = fc
  .array(objects, { maxLength: 4 })
  .map((list) => `{"data":[${list.map((data) => `{"data":${data}}`).join(',')}]}`);

const deep = fc
  .tuple(
    fc.integer({ min: 1, max: 200_000 }),
    fc.constantFrom('[', '{"data":', '[{"data":', '{"__proto__":'),
    fc.boolean(),
  )
  .map(([depth, open, closed]) => {
    const text = open.repeat(Math.min(depth, 1_000_000 / open.length));
    return closed && open === '[' ? text + ']'.repeat(depth) : text;
  });

const wrongShapes = fc.oneof(
  objects,
  fc
    .tuple(fc.constantFrom('data', '__proto__', 'Data', 'constructor'), values)
    .map(([name, value]) => `{"${name}":${value}}`),
  fc.array(fc.oneof(objects, values), { maxLength: 4 }).map((list) => `{"data":[${list.join(',')}]}`),
  fc.array(values, { maxLength: 3 }).map((list) => `[${list.join(',')}]`),
);

const broken = fc
  .tuple(envelopes, fc.nat(), fc.constantFrom('', '"', '}', '\\', '\u0000', '\ufeff', ',', 'NaN'))
  .map(([text, at, extra]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + extra + text.slice(cut + 1);
  });

const bodies: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: envelopes },
  { weight: 2, arbitrary: wrongShapes },
  { weight: 2, arbitrary: broken },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2000 }) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 20 })
      .map((bytes) => Buffer.concat([Buffer.from('{"data":[{"data":{"quizId":"'), bytes])),
  },
);

const keys = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('sbx_default_riverside', 'sbx_default_hillcrest') },
  { weight: 2, arbitrary: fc.stringMatching(/^sbx_[a-z0-9-]{1,8}_(riverside|hillcrest)$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[!-~]{1,100}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'sbx___proto___riverside',
      'sbx_constructor_riverside',
      'sbx_default___proto__',
      ' ',
    ),
  },
);

const stackTrace = /\.(ts|js|mjs|cjs):\d+|node_modules|node:internal|(\n|\\n)\s+at /;

describe('hostile bodies', () => {
  it('are answered as the contract says, never with a failure of ours, and harm nobody', async () => {
    const { url, close } = await startSandbox({ port: 0, limits: null });
    onTestFinished(close);
    const attack = fc.asyncProperty(
      fc.constantFrom(...operationNames),
      keys,
      bodies,
      async (operation, key, body) => {
        const reply = await supertest(url)
          .post(`/public/${operation}`)
          .set('SERVICE-API-KEY', key)
          .set('Content-Type', 'application/json')
          .serialize((bytes: string) => bytes)
          .send(Buffer.from(body));
        expectContractual(operation, reply);
        expect([200, 400, 401, 413]).toContain(reply.status);
        expect(reply.type).toBe('application/json');
        expect(reply.text).not.toMatch(stackTrace);
        expect(Object.keys(Object.prototype)).toEqual([]);
        expect({}).not.toHaveProperty('polluted');
      },
    );
    await fc.assert(attack, { numRuns: 75, endOnFailure: true });

    const good = await supertest(url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', 'sbx_unharmed_riverside')
      .send({ data: [{ data: { quizId: quiz.id } }] });
    expect(good.body).toMatchObject([
      { output: { status: 'ok', data: { quizTitle: 'Lists, Tuples and Dictionaries' } } },
    ]);
  });
});
