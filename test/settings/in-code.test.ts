import { describe, expect, it } from 'vitest';
import { assumptionNames, profileNames } from '../../src/assumptions.ts';
import {
  connectSandbox,
  SandboxError,
  startSandbox,
  ValidationError,
  type SandboxHandle,
  type Settings,
  type StartOptions,
} from '../../src/index.ts';
import { serverLimitNames } from '../../src/base/server-limits.ts';
import { settingsFromCode } from '../../src/settings/gather.ts';
import { serverRules } from '../../src/server/settings.ts';
import { coupon, labId } from '../support/demo.ts';
import { errorOf } from '../support/error-of.ts';
import { serve } from '../support/serve.ts';
import { sharedServer } from '../support/world.ts';

/** What startSandbox says to settings, right or wrong, that no compiler has seen. */
async function complaint(settings: unknown): Promise<string> {
  // What is wrong is the subject here.
  const error = await errorOf(startSandbox(settings as StartOptions));
  expect(error).toBeInstanceOf(SandboxError);
  return error.message;
}

/** Values that somebody gets by mistake, and what they are called. */
const junk: readonly (readonly [unknown, string])[] = [
  [null, 'null'],
  ['', 'the string ""'],
  [' ', 'the string " "'],
  [Number.NaN, 'the number NaN'],
  [Number.POSITIVE_INFINITY, 'the number Infinity'],
  [-1, 'the number -1'],
  [1.5, 'the number 1.5'],
  [7n, 'the bigint 7'],
  [true, 'the boolean true'],
  ['true', 'the string "true"'],
  ['80', 'the string "80"'],
  [{}, 'an object'],
  [[], 'an empty array'],
  [['a'], 'an array'],
  [() => 1, 'a function'],
  [Symbol('a'), 'a symbol'],
  ['a\0b', 'the string "a\\u0000b"'],
  [new Map(), 'an object (Map)'],
  [Promise.resolve(), 'an object (Promise)'],
];

interface Expected {
  /** What startSandbox says that it must be. */
  readonly must: string;
  /** Those of the values above that are right. */
  readonly right?: readonly unknown[];
  /** More that is wrong. */
  readonly wrong?: readonly (readonly [unknown, string])[];
}

const port = 'a whole number from 0 to 65535';
const anyText = ['', ' ', 'true', '80'];
const someText = ['true', '80'];

/** One line for each setting; the compiler asks for a new one. */
const expectations: { readonly [N in keyof Required<StartOptions>]: Expected } = {
  port: { must: port, wrong: [[65_536, 'the number 65536']] },
  host: { must: 'an address or a name such as 127.0.0.1', right: someText },
  publicUrl: {
    must: 'a URL such as https://sandbox.school.example, without user, password, query and fragment',
    wrong: [
      ['sandbox.school.example', 'the string "sandbox.school.example"'],
      ['ftp://school.example', 'the string "ftp://school.example"'],
      ['http://school.example/?a=b', 'the string "http://school.example/?a=b"'],
    ],
  },
  data: {
    must: 'the path of a file or folder, or the URL of a PostgreSQL database such as postgres://user@db.example/sandboxes',
    right: someText,
  },
  dataSync: { must: 'one of never, second, always', wrong: [['fast', 'the string "fast"']] },
  seed: { must: 'the name of a seed or the path of a folder', right: anyText },
  randomSeed: { must: 'a whole number from 0 to 4294967295', wrong: [[2 ** 32, 'the number 4294967296']] },
  assumeFile: { must: 'the path of a file', right: someText },
  assume: { must: "a plain object such as { unknownId: 'http-404' }", right: [junk[11]?.[0]] },
  profile: {
    must: `one of ${profileNames.join(', ')}`,
    wrong: [['constructor', 'the string "constructor"']],
  },
  refusalTemplate: { must: 'a JSON object or the path of a file', right: someText },
  gatewayTemplate: { must: 'a JSON object or the path of a file', right: someText },
  scenario: { must: 'the name of a scenario or the path of a file', right: anyText },
  latencyFrom: { must: 'the path of a file', right: someText },
  labels: { must: 'true or false', right: [true] },
  limits: { must: 'a number above 0, or off', right: [null, 1.5], wrong: [[0, 'the number 0']] },
  log: { must: 'one of pretty, json, silent', wrong: [['loud', 'the string "loud"']] },
  controlToken: { must: '8 to 200 letters, digits and -._~+/=, without spaces', wrong: [['a secret', '']] },
  tokenSecret: { must: '32 to 200 letters, digits and -._~+/=, without spaces', wrong: [['a secret', '']] },
  trustProxy: { must: 'a whole number from 0 to 10', wrong: [[11, 'the number 11']] },
  advertise: {
    must: 'a URL such as https://sandbox.school.example, without user, password, query and fragment',
    wrong: [['replica-1:4010', 'the string "replica-1:4010"']],
  },
  replicaSecret: { must: '16 to 200 letters, digits and -._~+/=, without spaces', wrong: [['short', '']] },
  controlPort: { must: `${port}, or off`, wrong: [[65_536, 'the number 65536']] },
  maxSandboxes: { must: 'a whole number from 1 to 1000000', wrong: [[0, 'the number 0']] },
  max: { must: 'a plain object such as { batchElements: 100 }', right: [junk[11]?.[0]] },
  journalMemory: {
    must: 'a number of bytes, or a size such as 64MiB or 1GiB, of at least 1MiB',
    wrong: [
      [1000, 'the number 1000'],
      ['64MB', 'the string "64MB"'],
    ],
  },
  stateMemory: {
    must: 'a number of bytes, or a size such as 64MiB or 1GiB, of at least 1MiB',
    wrong: [[1000, 'the number 1000']],
  },
  idleExpiry: {
    must: 'an ISO 8601 duration such as PT30M or P14D, or off',
    wrong: [
      ['a day', 'the string "a day"'],
      ['PT0S', 'the string "PT0S"'],
      [3600, 'the number 3600'],
    ],
  },
  idleRelease: {
    must: 'an ISO 8601 duration such as PT30M or P14D, or off',
    wrong: [
      ['a day', 'the string "a day"'],
      ['PT0S', 'the string "PT0S"'],
      [3600, 'the number 3600'],
    ],
  },
  autoCreate: { must: 'true or false', right: [true] },
  warn: { must: 'a function', right: [junk[14]?.[0]] },
};

describe('a setting that would be ignored', () => {
  class Own {
    get port(): number {
      return 0;
    }
  }
  const why =
    'would be ignored: it is inherited, not enumerable, or named by a symbol. Write it into the object itself, as in { port: base.port }.';

  it.each([
    ['inherited', Object.create({ port: 0 }), 'port'],
    ['inherited and unknown', Object.create({ portt: 0 }), 'portt'],
    ['not enumerable and unknown', Object.defineProperty({}, 'portt', { value: 0 }), 'portt'],
    ['named by an inherited symbol', Object.create({ [Symbol('port')]: 0 }), '"Symbol(port)"'],
    ['a getter of a class', new Own(), 'port'],
    ['not enumerable', Object.defineProperty({}, 'port', { value: 0 }), 'port'],
    ['named by a symbol', { [Symbol('port')]: 0 }, '"Symbol(port)"'],
    ['inherited by a group of settings', { assume: Object.create({ cors: 'none' }) }, 'assume.cors'],
  ])('is refused: %s', async (_, settings, name) => {
    expect(await complaint(settings)).toBe(`${name} ${why}`);
  });

  it('does not hide the others, and none is one that is replaced', async () => {
    const base: object = { port: 'x' };
    const own = Object.assign(Object.create(base) as object, { port: 0, log: 'loud' });
    expect(await complaint(own)).toMatch(/^log must be one of /);
  });
});

describe('startSandbox refuses a setting that cannot be had', () => {
  it.each(Object.entries(expectations))('%s', async (name, { must, right = [], wrong = [] }) => {
    for (const [value, shown] of [...junk.filter(([one]) => !right.includes(one)), ...wrong]) {
      const said = await complaint({ port: 0, [name]: value });
      const whole =
        name === 'controlToken' || name === 'tokenSecret' || name === 'replicaSecret'
          ? `${name} must be ${must}.`
          : `${name} must be ${must}, but is ${shown}.`;
      expect(said, shown).toBe(
        name === 'seed' && typeof value === 'number' ? `${whole} A number is a randomSeed.` : whole,
      );
    }
  });

  it.each([
    [{ profile: 'stict' }, ' Did you mean "strict"?'],
    [{ log: 'jsno' }, ' Did you mean "json"?'],
    [
      { assume: { unknownID: 'http-404' } },
      `assume.unknownID is not an assumption. Did you mean "unknownId"? The assumptions are ${assumptionNames.join(', ')}.`,
    ],
    [{ assume: { 'a b': 'c' } }, 'assume."a b" is not an assumption. The assumptions are '],
    [{ assume: { constructor: 'c' } }, 'assume.constructor is not an assumption. The assumptions are '],
    [{ assume: { unknownId: 'http-405' } }, 'assume.unknownId must be one of '],
    [{ assume: { unknownId: 'http-405' } }, ', but is the string "http-405". Did you mean "http-404"?'],
    [
      { assume: { videoPageSize: 20 } },
      'assume.videoPageSize must be one of 10, 20, 50, 100, but is the number 20.',
    ],
    [{ assume: { unknownId: null } }, 'but is null.'],
    [
      { max: { batchElement: 7 } },
      `max.batchElement is not a limit of the server. Did you mean "batchElements"? The limits are ${serverLimitNames.join(', ')}.`,
    ],
    [
      { max: { batchElements: 0 } },
      'max.batchElements must be a whole number from 1 to 1000000, but is the number 0.',
    ],
    [
      { max: { batchElements: Number.NaN } },
      'max.batchElements must be a whole number from 1 to 1000000, but is the number NaN.',
    ],
    [
      { max: { batchElements: '7' } },
      'max.batchElements must be a whole number from 1 to 1000000, but is the string "7".',
    ],
  ])('%j', async (settings, said) => {
    expect(await complaint(settings)).toContain(said);
  });

  it('that needs another one: dataSync without data', async () => {
    expect(await complaint({ port: 0, dataSync: 'always' })).toBe(
      'dataSync (--data-sync) is "always", but the server has no data (--data), so it stores nothing. Set data to a file or folder, or omit dataSync.',
    );
  });

  it('and never shows a token', async () => {
    for (const controlToken of ['hush hush', 1_234_567, ['open-sesame']]) {
      expect(await complaint({ controlToken })).not.toMatch(/hush|123|sesame/);
    }
  });

  it('together with all others, the unknown ones with one list', async () => {
    const settings = {
      portt: 1,
      port: -1,
      assume: { unknownID: 'x', missingKey: 'y' },
      colour: 'red',
      limits: 'none',
    };
    expect((await complaint(settings)).split('\n')).toEqual([
      '6 settings are wrong:',
      '  startSandbox() has no setting "portt". Did you mean "port"?',
      '  port must be a whole number from 0 to 65535, but is the number -1.',
      expect.stringMatching(/^ {2}assume\.unknownID is not an assumption\. Did you mean "unknownId"\?/),
      expect.stringMatching(/^ {2}assume\.missingKey must be one of .*, but is the string "y"\.$/),
      `  startSandbox() has no setting "colour". Known: ${Object.keys(expectations).join(', ')}.`,
      '  limits must be a number above 0, or off, but is the string "none".',
    ]);
  });

  it('together with all names that lead to nothing', async () => {
    const said = await complaint({ seed: 'dmo', scenario: 'slow-dya', assumeFile: './nowhere.yaml' });
    expect(said.split('\n')).toEqual([
      '3 settings are wrong:',
      expect.stringMatching(/^ {2}There is no file \.\/nowhere\.yaml for --assume-file\./),
      expect.stringMatching(/^ {2}There is no seed "dmo"\. Did you mean "demo"\?/),
      expect.stringMatching(/^ {2}There is no scenario "slow-dya"\. Did you mean "slow-day"\?/),
    ]);
    expect(await complaint({ seed: 'dmo' })).toMatch(/^There is no seed "dmo"\./);
  });
});

describe('startSandbox refuses a public URL with a user or password', () => {
  it.each(['http://ada:secret@school.example', 'http://ada@school.example'])(
    'without showing it: %s',
    async (publicUrl) => {
      expect(await complaint({ publicUrl })).toMatch(
        /must be a URL such as \S+, without user, password, query and fragment\.$/,
      );
    },
  );
});

describe('startSandbox refuses an unknown setting', () => {
  const known = `Known: ${Object.keys(expectations).join(', ')}.`;

  it.each([
    ['portt', 'Did you mean "port"?'],
    ['public-url', 'Did you mean "publicUrl"?'],
    ['randomseed', 'Did you mean "randomSeed"?'],
    ['assumptions', 'Use "assume".'],
    ['token', 'Use "controlToken".'],
    ['url', 'Use "publicUrl".'],
    ['no-labels', 'Set labels: false.'],
    ['noAutoCreate', 'Set autoCreate: false.'],
    ['apiKey', "Get a key from a sandbox: sandbox.apiKey('riverside')."],
    ['ttlSeconds', 'Pass it to createSandbox().'],
    ['config', 'Only the command line reads a configuration file.'],
  ])('%s, with what is meant', async (name, hint) => {
    expect(await complaint({ [name]: {} })).toBe(`startSandbox() has no setting "${name}". ${hint} ${known}`);
  });

  it.each(['colour', 'constructor', 'toString', '__proto__', ''])('%j, with what there is', async (name) => {
    const settings: unknown = JSON.parse(`{ ${JSON.stringify(name)}: 1 }`);
    expect(await complaint(settings)).toBe(`startSandbox() has no setting ${JSON.stringify(name)}. ${known}`);
  });

  it('and what is no object of settings at all', async () => {
    for (const [value, shown] of [
      [null, 'null'],
      [4010, 'the number 4010'],
      ['demo', 'the string "demo"'],
      [[], 'an empty array'],
      [new Map([['port', 1]]), 'an object (Map)'],
      [new Date(), 'an object (Date)'],
    ] as const) {
      expect(await complaint(value)).toBe(
        `startSandbox() requires an object with settings, but got ${shown}.`,
      );
    }
  });
});

const cyclic: { own?: object } = {};
cyclic.own = cyclic;

describe('startSandbox takes', () => {
  it('what each setting may be', () => {
    const settings: readonly Settings[] = [
      {
        port: 0,
        host: '::1',
        publicUrl: 'https://school.example/api',
        data: './states',
        seed: 'empty',
        randomSeed: 0,
      },
      {
        port: 65_535,
        randomSeed: 2 ** 32 - 1,
        assumeFile: 'a.yaml',
        assume: { videoPageSize: '50' },
        profile: 'strict',
      },
      {
        scenario: 'slow-day',
        labels: false,
        limits: 0.5,
        log: 'json',
        controlToken: 'open-sesame',
        tokenSecret: 'x'.repeat(32),
        controlPort: 'off',
      },
      { controlPort: 0, maxSandboxes: 1, max: { batchElements: 1 }, autoCreate: true, limits: null },
      { journalMemory: '64MiB', idleExpiry: 'PT30M' },
      { journalMemory: 1_048_576, idleExpiry: 'off' },
      {},
    ];
    for (const one of settings)
      expect(settingsFromCode(serverRules, one, { name: '', otherNames: {} })).toEqual(one);
  });

  it.each(['off', null] as const)('limits: %j, and then admits every call', async (limits) => {
    const { default: sandbox } = await serve({ limits });
    expect(await sandbox.limits.read()).toMatchObject({ scale: null });
  });

  it('a setting that is undefined for one that is not given', async () => {
    const nothing = Object.fromEntries(Object.keys(expectations).map((name) => [name, undefined]));
    const given = { ...nothing, port: 0, assume: { unknownId: undefined }, max: { snapshots: undefined } };
    // Compilers can be told to let undefined pass for an optional member.
    const { default: sandbox } = await serve(given as object);
    expect(await sandbox.describe()).toMatchObject({ seed: 'demo', randomSeed: 1 });
    const chosen = (await sandbox.assumptions.list()).find(({ name }) => name === 'unknownId');
    expect(chosen).toMatchObject({ chosen: 'element-error' });
  });
});

const ways = [
  ['in its own process', sharedServer],
  ['through connectSandbox', async () => connectSandbox({ url: (await sharedServer()).url })],
] as const;

describe.each(ways)('createSandbox %s refuses', (_, server) => {
  const unfit = async (request: unknown): Promise<string> => {
    // What is wrong is the subject here.
    const error = await errorOf((await server()).createSandbox(request as object));
    expect(error).toBeInstanceOf(ValidationError);
    return error.message;
  };

  it.each([
    ['assume', 'Use "assumptions".'],
    ['ttl', 'Use "ttlSeconds".'],
    ['limits', 'limits.set() in code.'],
    ['apiKey', 'sbx_<id>_<school>'],
    ['controlToken', 'It is a setting of the whole server.'],
    ['tokenSecret', 'It is a setting of the whole server.'],
    ['randomSed', 'Did you mean "randomSeed"?'],
    ['constructor', 'Known here: id, seed,'],
  ])('the member %s, with what is meant', async (name, hint) => {
    const said = await unfit({ [name]: 'x' });
    expect(said).toContain(`/${name} is not a known field.`);
    expect(said).toContain(hint);
  });

  it.each([
    [{ ttlSeconds: Number.NaN }, '/ttlSeconds must be a JSON value, but is the number NaN.'],
    [
      { ttlSeconds: Number.POSITIVE_INFINITY },
      '/ttlSeconds must be a JSON value, but is the number Infinity.',
    ],
    [{ seed: () => 'demo' }, '/seed must be a JSON value, but is a function.'],
    [{ clock: { mode: 'frozen', now: 7n } }, '/clock/now must be a JSON value, but is the bigint 7.'],
    [{ randomSeed: null }, '/randomSeed must be an integer, but is null.'],
    [{ id: '' }, '/id must match ^[a-z0-9-]{1,64}$, but is the string "".'],
    [
      { assumptions: { unknownID: 'x' } },
      '/assumptions/unknownID is not an assumption. Did you mean "unknownId"?',
    ],
    [null, 'It must be a plain object, but is null.'],
    ['build-1', 'It must be a plain object, but is the string "build-1".'],
    [new Map([['id', 'x']]), 'It must be a plain object, but is an object (Map).'],
    [Object.create({ seed: 'demo' }), '/seed would be ignored: it is inherited,'],
    [{ [Symbol('seed')]: 'demo' }, '/Symbol(seed) would be ignored: it is inherited,'],
    [Object.defineProperty({}, 'seed', { value: 'demo' }), '/seed would be ignored: it is inherited,'],
    [{ assumptions: Object.create({ unknownId: 'x' }) }, '/assumptions/unknownId would be ignored:'],
    [{ scenario: { rules: [Object.create({ fault: 'x' })] } }, '/scenario/rules/0/fault would be ignored:'],
    [{ assumptions: cyclic }, '/assumptions/own must be a JSON value, but contains itself,'],
    [{ clock: cyclic }, '/clock/own must be a JSON value, but contains itself,'],
    [{ scenario: cyclic }, '/scenario/own must be a JSON value, but contains itself,'],
    [{ assumptions: new Map() }, '/assumptions must be a JSON value, but is an object (Map).'],
    [{ clock: Promise.resolve() }, '/clock must be a JSON value, but is an object (Promise).'],
  ])('%o', async (request, said) => {
    expect(await unfit(request)).toContain(said);
  });
});

describe.each(ways)('a method of a sandbox %s refuses what JSON would change', (_, server) => {
  const map = new Map([['scale', 2]]);

  it.each<[string, string, (sandbox: SandboxHandle) => Promise<unknown>]>([
    ['a Map', 'It must be a JSON value, but is an object (Map).', ({ limits }) => limits.set(map as object)],
    [
      'NaN',
      '/scale must be a JSON value, but is the number NaN.',
      ({ limits }) => limits.set({ scale: NaN }),
    ],
    [
      'a promise',
      'It must be a JSON value, but is an object (Promise).',
      ({ assumptions }) => assumptions.choose(Promise.resolve({}) as object),
    ],
    [
      'a function',
      '/labTitle must be a JSON value, but is a function.',
      // What is wrong is the subject here.
      ({ state }) => state.patch('labs', labId, { labTitle: (() => 'x') as unknown as string }),
    ],
    [
      'a Map of collections',
      '/collections must be a JSON value, but is an object (Map).',
      ({ state }) => state.import({ collections: new Map() as unknown as Record<string, never> }),
    ],
  ])('%s', { tags: ['slow'] }, async (__, said, change) => {
    const sandbox = await (await server()).createSandbox();
    const before = await sandbox.state.export();
    const error = await errorOf(change(sandbox));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.message).toBe(`The body is invalid. ${said}`);
    expect(await sandbox.state.export()).toEqual(before);
  });

  it('accepts a Date, which JSON has as text', async () => {
    const sandbox = await (await server()).createSandbox();
    // The type asks for a text.
    const at = new Date('2027-01-01T00:00:00.000Z') as unknown as string;
    const changed = await sandbox.state.patch('coupons', coupon.id, { expireAtIsoString: at });
    expect(changed.expireAtIsoString).toBe('2027-01-01T00:00:00.000Z');
  });
});

describe('connectSandbox refuses', () => {
  it.each([
    [{}, 'connectSandbox() needs the url of a server, such as http://127.0.0.1:4010.'],
    [{ url: 4010 }, 'url must be the URL of a server, but is the number 4010.'],
    [{ url: '' }, 'url must be the URL of a server, but is the string "".'],
    [{ url: 'http://127.0.0.1:1', token: 7 }, 'token must be the control token as text.'],
    [
      { url: 'http://127.0.0.1:1', controlToken: 'x' },
      'connectSandbox() has no setting "controlToken". Use "token". Known: url, token.',
    ],
    [
      { uri: 'http://127.0.0.1:1' },
      'connectSandbox() has no setting "uri". Did you mean "url"? Known: url, token.',
    ],
    [
      'http://127.0.0.1:1',
      'connectSandbox() requires an object with settings, but got the string "http://127.0.0.1:1".',
    ],
  ])('%j', async (options, said) => {
    // What is wrong is the subject here.
    const error = await errorOf(connectSandbox(options as { readonly url: string }));
    expect(error).toBeInstanceOf(SandboxError);
    expect(error.message).toBe(said);
  });
});
