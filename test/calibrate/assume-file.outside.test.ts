import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { assumptionNames, assumptions, chooseOptions } from '../../src/assumptions.ts';
import { fillTemplate } from '../../src/base/json-template.ts';
import { readAssumeFile } from '../../src/store/read-assume-file.ts';
import { readTemplates } from '../../src/store/read-template.ts';
import { readKnown } from '../../src/upstream/calibrate/known.ts';
import type { Reading } from '../../src/upstream/calibrate/model/infer.ts';
import { toYaml } from '../../src/upstream/calibrate/render.ts';
import { withTemplates } from '../../src/upstream/calibrate/templates.ts';
import type { Verdict } from '../../src/upstream/calibrate/verdict.ts';
import { isCovered, type Difference } from '../../src/upstream/difference-report/report.ts';
import { maskFor } from '../../src/upstream/key-mask/key-mask.ts';

const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const occasion = { host: 'api.school.example', from: 'now', to: 'then', calls: 1 };
const mask = maskFor(['sk_live_51H8xQ']);

/** Writes what calibrate found, and reads it as `start` and `compare` do. */
async function loaded(verdicts: readonly Verdict[], bodies: readonly string[]) {
  const readings = bodies.map((text, at): Reading => ({
    about: at % 2 === 0 ? 'invalidKey' : 'malformedBody',
    words: text,
    seen: '401 !template',
    expected: () => '401 !template',
    ownForm: { status: 401, text },
  }));
  const judgement = withTemplates(verdicts, readings, mask);
  const file = join(folder, 'assumptions.yaml');
  writeFileSync(file, toYaml({ ...judgement, departures: [] }, occasion));
  const { options, templates } = await readAssumeFile(file);
  const whole = chooseOptions('conventional', options);
  return { judgement, options, templates: readTemplates(templates, whole) };
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '{{user}} {{message}}',
    '{{{',
    '{{',
    '}}',
    '"\\',
    '# a: b',
    '401',
    '\ue002status\ue003',
    '$&',
  ),
);
const body = fc.dictionary(
  text,
  fc.oneof(text, fc.constant(401), fc.jsonValue({ maxDepth: 2 }), fc.constant('x'.repeat(5000))),
  { maxKeys: 6 },
);

const verdictsOf = fc.tuple(
  ...assumptionNames.map((name) => {
    const options = Object.keys(assumptions[name].options);
    return fc.record({
      name: fc.constant(name),
      option: fc.option(
        ['refusalBody', 'gatewayRefusalBody'].includes(name)
          ? fc.constantFrom('template', 'as-refusals').filter((one) => options.includes(one))
          : fc.constantFrom(...options),
      ),
      left: fc.constant(options),
      evidence: fc.array(text, { maxLength: 1 }),
      why: fc.constant('why'),
      oddity: fc.constant(null),
    });
  }),
);

describe('the file of calibrate', () => {
  it('can always be loaded, whatever the service sends, and has what was found', async () => {
    await fc.assert(
      fc.asyncProperty(verdictsOf, fc.array(body, { maxLength: 4 }), async (verdicts, bodies) => {
        fc.pre(verdicts.some(({ option }) => option !== null));
        const { judgement, options } = await loaded(
          verdicts,
          bodies.map((one) => JSON.stringify(one)),
        );
        for (const { name, option } of judgement.verdicts) expect(options[name] ?? null).toBe(option);
      }),
      { numRuns: 150 },
    );
  });

  const asTemplate: Verdict = {
    name: 'gatewayRefusalBody',
    option: 'template',
    left: ['template'],
    evidence: [],
    why: null,
    oddity: null,
  };

  it('repeats braces of the service as they are', async () => {
    const { templates } = await loaded(
      [asTemplate],
      [JSON.stringify({ why: 'No', tpl: '{{user}} {{{message}}' })],
    );
    const values = { status: 401, code: 'a', message: 'b', requestId: 'c', path: '/public/x' };
    expect(JSON.parse(fillTemplate(templates.gatewayTemplate ?? '', values))).toEqual({
      why: 'No',
      tpl: 'b',
    });
  });

  it.each([
    [
      'the sentence is the message, and the identifier none, whatever their names are',
      ['API key required', 'API key invalid'].map((why, at) => ({
        gate: { why, trace: `${at}`.repeat(32) },
      })),
      { gate: { why: '{{message}}', trace: '{{requestId}}' } },
    ],
    [
      'a word that is fixed for a refusal is the code, and a time is not',
      ['missing', 'wrong'].map((kind, at) => ({
        fault: { reason: `It is ${kind}.`, kind, at: `2026-11-20T10:00:0${at}.000Z` },
      })),
      { fault: { reason: '{{message}}', kind: '{{code}}', at: '2026-11-20T10:00:00.000Z' } },
    ],
    [
      'what differs between two equal refusals is no code',
      ['abc', 'xyz'].map((ticket) => ({ error: 'Not now', ticket })),
      { error: '{{message}}', ticket: '{{requestId}}' },
    ],
    [
      'a code called error is not the message if there is a sentence',
      ['no_key', 'bad_key'].map((error) => ({ error, hint: `Send a key: ${error}.` })),
      { error: '{{code}}', hint: '{{message}}' },
    ],
  ])('has placeholders in the right members: %s', async (_, bodies, expected) => {
    const { judgement } = await loaded(
      [asTemplate, { ...asTemplate, name: 'refusalBody' }],
      bodies.flatMap((one) => [JSON.stringify(one), JSON.stringify(one)]),
    );
    expect(JSON.parse(judgement.templates.refusalTemplate ?? '')).toEqual(expected);
    expect(judgement.unfit).toEqual([]);
  });

  it('lacks a template that would be too long, and says why', async () => {
    const long = JSON.stringify({ why: 'No', words: Array.from({ length: 600 }, (_, at) => `word${at}`) });
    const { judgement } = await loaded([asTemplate], [long]);
    expect(judgement.verdicts[0]).toMatchObject({
      option: null,
      why: expect.stringMatching(
        /^no template can express the form of its refusals: It has \d+ characters, but a template can have at most 4096\.$/,
      ) as unknown,
    });
  });
});

describe('the files and names of flags', () => {
  it('are named with their own flag if they are missing', async () => {
    await expect(readAssumeFile('none.yaml', '--check')).rejects.toThrow(
      'There is no file none.yaml for --check.',
    );
  });

  it('may have identifiers of digits, which YAML reads as numbers, unless they would lose digits', async () => {
    const file = join(folder, 'known.yaml');
    writeFileSync(file, 'quizId: 99887766\nproductId: "007"');
    expect(await readKnown(file)).toEqual({ quizId: '99887766', productId: '007' });
    writeFileSync(file, 'quizId: 99887766554433221100');
    await expect(readKnown(file)).rejects.toThrow(/quizId must be text/);
  });

  it.each([
    ['status', true],
    ['status:', true],
    ['status:get-quiz-details', true],
    ['stat', false],
    ['header:', false],
  ])('of --allow are the start of an id: %s', (name, isAllowed) => {
    const difference: Difference = {
      id: 'status:get-quiz-details:success',
      operation: 'get-quiz-details',
      call: 'success',
      what: 'status',
      left: '200',
      right: '404',
      count: 1,
      explanation: null,
    };
    expect(isCovered(difference, { allow: [name], known: [] })).toBe(isAllowed);
  });
});
