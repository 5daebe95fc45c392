import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  assumptionNames,
  assumptions,
  profileNames,
  profiles,
  type Assumption,
  type AssumptionName,
} from '../../src/assumptions.ts';
import { quiz } from '../support/demo.ts';
import { resultOf, world } from '../support/world.ts';
import type { addresses } from './addresses.test.ts';
import type { batch } from './batch.test.ts';
import type { videoLibrary } from './library.test.ts';
import type { limits } from './limits.test.ts';
import { assumedBy, type OptionTests } from './option-tests.ts';
import type { peopleAndEvents } from './people-and-events.test.ts';
import type { refusals } from './refusals.test.ts';
import type { requests } from './requests.test.ts';
import type { responses } from './responses.test.ts';
import type { submissions } from './submissions.test.ts';
import type { updates } from './updates.test.ts';

type Tested = typeof addresses &
  typeof batch &
  typeof limits &
  typeof peopleAndEvents &
  typeof refusals &
  typeof requests &
  typeof responses &
  typeof submissions &
  typeof updates &
  typeof videoLibrary;
/** Only the compiler reads this: an option without a test is an error here, which names the assumption. */
type Complete<T extends OptionTests> = T;
export type EveryOptionIsTested = Complete<Tested>;

const root = new URL('../../', import.meta.url);
const specification = readFileSync(new URL('docs/specification.md', root), 'utf8');
const list: readonly (readonly [AssumptionName, Assumption])[] = assumptionNames.map((name) => [
  name,
  assumptions[name],
]);

describe('every assumption', () => {
  it.each(list)(
    '%s quotes its sentence word for word, from the section that it names',
    (_, { sentence, section }) => {
      const sections = specification.split(/^## /m).filter((text) => text.startsWith(`${section}\n`));
      expect(sections).toHaveLength(1);
      expect(sections[0]).toContain(sentence);
    },
  );

  it.each(list)('%s has several options, its default among them', (_, { options, default: byDefault }) => {
    expect(Object.keys(options).length).toBeGreaterThan(1);
    expect(Object.keys(options)).toContain(byDefault);
  });

  it.each(list)(
    '%s has a question, a text for every option, and a reason for its default',
    (_, { question, options, why }) => {
      expect(question).toMatch(/^[A-Z].*\?$/);
      for (const text of [...Object.values(options), why]) expect(text).toMatch(/\S/);
    },
  );
});

describe('every profile', () => {
  it.each(profileNames)(
    '%s names only assumptions that there are, with options that they have',
    (profile) => {
      for (const [name, option] of Object.entries(profiles[profile])) {
        expect(assumptionNames).toContain(name);
        // Just found among the names.
        expect(Object.keys(assumptions[name as AssumptionName].options)).toContain(option);
      }
    },
  );
});

/** The files of src/ that ask an assumption, in whichever way. */
function askedIn(name: string): readonly string[] {
  const ways = [
    String.raw`assume\(\s*'${name}'`,
    String.raw`\b(options|variant)\.${name}\b`,
    String.raw`\b(options|variant)\['${name}'\]`,
    String.raw`\{[^{}]*\b${name}\b[^{}]*\}\s*=\s*[\w.]*\boptions\b`,
    String.raw`\{[^{}]*\b${name}\b[^{}]*\}\s*:\s*(Variant|Options|PartialOptions|Pick<Options)\b`,
  ];
  const asks = new RegExp(ways.join('|'));
  return [...sources].filter(([, text]) => text.includes(name) && asks.test(text)).map(([file]) => file);
}

const sources = new Map(
  readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) => file.endsWith('.ts') && file !== 'assumptions.ts' && !file.startsWith('contract/generated/'),
    )
    .map((file) => [file, readFileSync(new URL(`src/${file}`, root), 'utf8')]),
);

/**
 * These are part of the compiled schema itself, so the variant of the contract that is compiled carries
 * them along.
 */
const inTheVariant: ReadonlySet<AssumptionName> = new Set([
  'requiredFields',
  'unknownFields',
  'emailFormat',
  'couponTypes',
]);

/** They are about the options of a service, and compare its replies by the tables of the file that asks. */
const predictors: ReadonlySet<string> = new Set([
  'commands/calibrate/wishes.ts',
  'upstream/calibrate/earlier-calls.ts',
  'upstream/proxy/expected-refusals.ts',
  'upstream/proxy/reply-differences.ts',
]);

describe('in the source', () => {
  it.each(assumptionNames)('%s is asked in exactly one file', (name) => {
    const carried = inTheVariant.has(name) ? ['contract/variants.ts'] : [];
    const files = askedIn(name).filter((file) => !predictors.has(file));
    expect(files).toEqual(expect.arrayContaining(carried));
    expect(files.filter((file) => !carried.includes(file))).toHaveLength(1);
  });
});

describe('a reply that nothing open has shaped', () => {
  it('has no Sandbox-Assumed', async () => {
    const { call } = await world();
    const reply = await call('get-quiz-details', { quizId: quiz.id });
    expect(resultOf(reply)).toHaveProperty('quizTitle');
    expect(reply.headers).not.toHaveProperty('sandbox-assumed');
  });

  it('has none under other options either, as long as they change nothing of it', async () => {
    const { call } = await world({ profile: 'strict' });
    expect(assumedBy(await call('get-quiz-details', { quizId: quiz.id }))).toEqual([]);
  });
});

describe('Sandbox-Assumed', () => {
  it('lists each assumption once, with the option that shaped the reply, in a batch too', async () => {
    const { batch: send } = await world({ assumptions: { failureMessages: 'generic' } });
    const reply = await send('get-quiz-details', [
      { quizId: 'f'.repeat(24) },
      { quizId: quiz.id },
      { quizId: 'e'.repeat(24) },
    ]);
    expect(assumedBy(reply).toSorted()).toEqual([
      'batchProcessing=each-in-order',
      'failureMessages=generic',
      'maxBatchSize=none',
      'unknownId=element-error',
    ]);
  });

  it('is what the journal keeps of the reply', async () => {
    const { call, sandbox } = await world();
    const reply = await call('get-instructor-permission-presets', { pageNumber: 1, limit: 2.5 });
    const [entry] = await sandbox.journal.list();
    expect(assumedBy(reply).map((pair) => pair.split('=')[0])).toEqual(entry?.assumed);
    expect(entry?.assumed).toContain('fractionalLimit');
  });
});

/** Open places of the specification whose assumption quotes another one, or that need none. */
const otherPlaces: readonly (readonly [beginning: string, answer: AssumptionName | 'nothing to answer'])[] = [
  ['| type | string | the value `Article` is the only one that occurs;', 'openValues'],
  ['| lastUpdatedAt | string (format not stated) |', 'instructorTimestampFormat'],
  ['| status | string | the value `CcFailed` occurs;', 'openValues'],
  ['| type | string | value `LiveEventProduct` occurs |', 'openValues'],
  ['| status | string | value `Active` occurs |', 'openValues'],
  ['Events: not shown. No webhooks or notifications are described.', 'nothing to answer'],
  ['3. Versioning policy, deprecation and compatibility rules: not shown.', 'nothing to answer'],
];

describe('every open place of the specification', () => {
  const open = specification
    .split('\n')
    .filter((line) => /not (?:shown|stated|listed)|\boccurs?\b/.test(line))
    .map((line) => [line] as const);

  it('is found', () => {
    expect(open.length).toBeGreaterThan(20);
    for (const [beginning] of otherPlaces)
      expect(open.filter(([line]) => line.startsWith(beginning))).not.toEqual([]);
  });

  it.each(open)('has an assumption: %s', (line) => {
    const quoting = list.filter(([, { sentence }]) => line.includes(sentence)).map(([name]) => name);
    const others = otherPlaces.flatMap(([beginning, answer]) => (line.startsWith(beginning) ? [answer] : []));
    expect([...quoting, ...others]).not.toEqual([]);
  });
});
