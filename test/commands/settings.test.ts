import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptionNames, profileNames } from '../../src/assumptions.ts';
import { understand } from '../../src/commands/arguments.ts';
import { flags } from '../../src/commands/flags.ts';
import type { Settings } from '../../src/server/server.ts';
import { serverLimitNames } from '../../src/base/server-limits.ts';
import { serverRules } from '../../src/server/settings.ts';
import { readSettings, variableOf } from '../../src/commands/settings.ts';
import { start } from '../../src/commands/start/command.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { temporaryFolder } from '../support/command.ts';

interface Given {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The text of the configuration file; an empty one stands in for none. */
  readonly file?: string;
}

async function settingsOf({ args = [], env = {}, file = '' }: Given): Promise<Settings> {
  const config = join(temporaryFolder(), 'settings.yaml');
  writeFileSync(config, file);
  const request = understand([...args, '--config', config], [start], start);
  if (request.kind !== 'run') throw new Error(`It was understood as ${request.kind}.`);
  return readSettings(request.given, env);
}

async function complaint(given: Given): Promise<string> {
  const error = await settingsOf(given).catch((reason: unknown) => reason);
  if (error instanceof SandboxError) return error.message;
  throw new Error('There was no complaint.', { cause: error });
}

/** A text as a pattern that matches it alone. */
function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Every setting, as it is typed and what it means. */
const settings: readonly (readonly [string, string, Settings])[] = [
  ['port', '0', { port: 0 }],
  ['host', '0.0.0.0', { host: '0.0.0.0' }],
  ['public-url', 'https://sandbox.school.example/api', { publicUrl: 'https://sandbox.school.example/api' }],
  ['data', './states', { data: './states' }],
  ['data-sync', 'always', { dataSync: 'always' }],
  ['seed', 'empty', { seed: 'empty' }],
  ['random-seed', '7', { randomSeed: 7 }],
  ['assume', 'missingKey=http-403', { assume: { missingKey: 'http-403' } }],
  [
    'assume',
    'missingKey=http-403, emptyBatch=refuse',
    { assume: { missingKey: 'http-403', emptyBatch: 'refuse' } },
  ],
  ['assume-file', 'assumptions.yaml', { assumeFile: 'assumptions.yaml' }],
  ['profile', 'strict', { profile: 'strict' }],
  ['refusal-template', 'refusal.json', { refusalTemplate: 'refusal.json' }],
  ['gateway-template', 'gateway.json', { gatewayTemplate: 'gateway.json' }],
  ['scenario', 'slow-day', { scenario: 'slow-day' }],
  ['latency-from', 'report.json', { latencyFrom: 'report.json' }],
  ['control-token', 'open-sesame-7', { controlToken: 'open-sesame-7' }],
  ['trust-proxy', '1', { trustProxy: 1 }],
  ['advertise', 'http://replica-1.example:4010', { advertise: 'http://replica-1.example:4010' }],
  ['replica-secret', 'shared-by-all-replicas', { replicaSecret: 'shared-by-all-replicas' }],
  ['token-secret', 'a'.repeat(32), { tokenSecret: 'a'.repeat(32) }],
  ['control-port', 'off', { controlPort: 'off' }],
  ['control-port', '4011', { controlPort: 4011 }],
  ['max-sandboxes', '20', { maxSandboxes: 20 }],
  ['idle-expiry', 'PT30M', { idleExpiry: 'PT30M' }],
  ['idle-expiry', 'off', { idleExpiry: 'off' }],
  ['idle-release', 'PT5M', { idleRelease: 'PT5M' }],
  ['journal-memory', '1048576', { journalMemory: 1_048_576 }],
  ['journal-memory', '64MiB', { journalMemory: 67_108_864 }],
  ['journal-memory', '1 GiB', { journalMemory: 1_073_741_824 }],
  ['state-memory', '64MiB', { stateMemory: 67_108_864 }],
  ['limits', 'off', { limits: 'off' }],
  ['max', 'batchElements=100, snapshots=3', { max: { batchElements: 100, snapshots: 3 } }],
  ['limits', '0.5', { limits: 0.5 }],
  ['log', 'json', { log: 'json' }],
];

const variable = (name: string): string => `SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`;

describe('a setting', () => {
  it('is in the table below', () => {
    const missing = flags
      .map(({ name }) => name)
      .filter((name) => !settings.some(([known]) => known === name));
    expect(missing).toEqual(['no-labels', 'no-auto-create']);
  });

  it('has a flag, and each flag has one of its own', () => {
    expect(flags.map(({ setting }) => setting).toSorted()).toEqual(Object.keys(serverRules).toSorted());
  });

  it.each(settings)(
    '--%s %s can be a flag, a variable and a line of the file',
    async (name, text, meaning) => {
      expect(await settingsOf({ args: [`--${name}`, text] })).toEqual(meaning);
      expect(await settingsOf({ args: [`--${name}=${text}`] })).toEqual(meaning);
      expect(await settingsOf({ env: { [variable(name)]: text } })).toEqual(meaning);
      expect(await settingsOf({ file: `${name}: ${text}\n` })).toEqual(meaning);
    },
  );

  it('without a value can be switched on and off', async () => {
    expect(await settingsOf({ args: ['--no-auto-create'] })).toEqual({ autoCreate: false });
    expect(await settingsOf({ args: ['--no-labels'] })).toEqual({ labels: false });
    expect(await settingsOf({ env: { SANDBOX_NO_AUTO_CREATE: '1' } })).toEqual({ autoCreate: false });
    expect(await settingsOf({ file: 'no-auto-create: true' })).toEqual({ autoCreate: false });
    expect(
      await settingsOf({ file: 'no-auto-create: true', env: { SANDBOX_NO_AUTO_CREATE: 'false' } }),
    ).toEqual({ autoCreate: true });
  });

  it('is what it is by default where its variable is empty', async () => {
    expect(
      await settingsOf({ env: Object.fromEntries(flags.map((flag) => [variableOf(flag), ''])) }),
    ).toEqual({});
  });

  it('comes from the flag before the variable before the file', async () => {
    const file = 'port: 1\nseed: demo\nlimits: 2\n';
    const env = { SANDBOX_PORT: '2', SANDBOX_SEED: 'empty' };
    expect(await settingsOf({ args: ['--port', '3'], env, file })).toEqual({
      port: 3,
      seed: 'empty',
      limits: 2,
    });
  });

  it('is the last where a flag is given twice', async () => {
    expect(await settingsOf({ args: ['--port', '1', '--port', '2'] })).toEqual({ port: 2 });
  });

  it('of an assumption is chosen one by one, each by the same order', async () => {
    const file = 'assume:\n  missingKey: http-403\n  invalidKey: http-403\n  emptyBatch: refuse\n';
    const env = { SANDBOX_ASSUME: 'invalidKey=output-error,emptyBatch=refuse' };
    const args = ['--assume', 'emptyBatch=empty-array', '--assume', 'unknownFields=refuse'];
    expect(await settingsOf({ args, env, file })).toEqual({
      assume: {
        missingKey: 'http-403',
        invalidKey: 'output-error',
        emptyBatch: 'empty-array',
        unknownFields: 'refuse',
      },
    });
  });

  it('of an assumption may be a list in the file', async () => {
    const file = 'assume:\n  - missingKey=http-403\n  - emptyBatch=refuse\n';
    expect(await settingsOf({ file })).toEqual({ assume: { missingKey: 'http-403', emptyBatch: 'refuse' } });
  });
});

describe('a setting that cannot be had is refused, with what can', () => {
  it.each([
    [
      'assume',
      'missingKeys=http-403',
      ` missingKeys is not an assumption. Did you mean "missingKey"? The assumptions are ${assumptionNames.join(', ')}.`,
    ],
    [
      'assume',
      'colour=red',
      ` colour is not an assumption. The assumptions are ${assumptionNames.join(', ')}.`,
    ],
    [
      'assume',
      'missingKey=http-402',
      ' missingKey must be one of http-401, http-403, output-error, but is "http-402". Did you mean "http-401"?',
    ],
    ['assume', 'missingKey', ' missingKey must be one of http-401, http-403, output-error, but is missing.'],
    [
      'assume',
      '__proto__=x',
      ` __proto__ is not an assumption. The assumptions are ${assumptionNames.join(', ')}.`,
    ],
    ['assume', ' ', ` "" is not an assumption. The assumptions are ${assumptionNames.join(', ')}.`],
    ['idle-expiry', '1 day', ' must be an ISO 8601 duration such as PT30M or P14D, or off, but is "1 day".'],
    ['idle-expiry', 'P', ' must be an ISO 8601 duration such as PT30M or P14D, or off, but is "P".'],
    ['idle-expiry', 'P1M', ' must be an ISO 8601 duration such as PT30M or P14D, or off, but is "P1M".'],
    ['idle-expiry', 'PT0S', ' must be an ISO 8601 duration such as PT30M or P14D, or off, but is "PT0S".'],
    [
      'journal-memory',
      '64MB',
      ' must be a number of bytes, or a size such as 64MiB or 1GiB, of at least 1MiB, but is "64MB".',
    ],
    [
      'journal-memory',
      '1000',
      ' must be a number of bytes, or a size such as 64MiB or 1GiB, of at least 1MiB, but is "1000".',
    ],
    ['max', 'batchElements=10=3', ' batchElements must be a whole number from 1 to 1000000, but is "10=3".'],
    ['max', 'batchElements=0x3', ' batchElements must be a whole number from 1 to 1000000, but is "0x3".'],
    ['max', 'batchElements=1e3', ' batchElements must be a whole number from 1 to 1000000, but is "1e3".'],
    ['max', 'batchElements', ' batchElements must be a whole number from 1 to 1000000, but is missing.'],
    [
      'max',
      'batchElement=7',
      ` batchElement is not a limit of the server. Did you mean "batchElements"? The limits are ${serverLimitNames.join(', ')}.`,
    ],
    ['max', 'batchElements=0', ' batchElements must be a whole number from 1 to 1000000, but is "0".'],
    [
      'profile',
      'stric',
      ` must be one of ${profileNames.join(', ')}, but is "stric". Did you mean "strict"?`,
    ],
    ['log', 'jsno', ' must be one of pretty, json, silent, but is "jsno". Did you mean "json"?'],
    ['limits', '0', ' must be a number above 0, or off, but is "0".'],
    ['limits', '-1', ' must be a number above 0, or off, but is "-1".'],
    ['limits', 'none', ' must be a number above 0, or off, but is "none".'],
    ['limits', 'Infinity', ' must be a number above 0, or off, but is "Infinity".'],
    ['port', '65536', ' must be a whole number from 0 to 65535, but is "65536".'],
    ['port', '40 10', ' must be a whole number from 0 to 65535, but is "40 10".'],
    ['port', ' ', ' must be a whole number from 0 to 65535, but is " ".'],
    ['host', ' ', ' must be an address or a name such as 127.0.0.1, but is " ".'],
    [
      'data',
      ' ',
      ' must be the path of a file or folder, or the URL of a PostgreSQL database such as postgres://user@db.example/sandboxes, but is " ".',
    ],
    ['assume-file', ' ', ' must be the path of a file, but is " ".'],
    ['random-seed', '1.5', ' must be a whole number from 0 to 4294967295, but is "1.5".'],
    ['max-sandboxes', '0', ' must be a whole number from 1 to 1000000, but is "0".'],
    ['control-port', '-1', ' must be a whole number from 0 to 65535, or off, but is "-1".'],
    ['control-token', 'a token', ' must be 8 to 200 letters, digits and -._~+/=, without spaces.'],
    ['token-secret', 'a secret', ' must be 32 to 200 letters, digits and -._~+/=, without spaces.'],
    ['no-labels', 'yes', ' must be true or false, but is "yes".'],
    ['no-auto-create', 'maybe', ' must be true or false, but is "maybe".'],
    [
      'public-url',
      'sandbox.school.example',
      ' must be a URL such as https://sandbox.school.example, without user, password, query and fragment, but is "sandbox.school.example".',
    ],
    [
      'public-url',
      'ftp://school.example',
      ' must be a URL such as https://sandbox.school.example, without user, password, query and fragment, but is "ftp://school.example".',
    ],
  ])('--%s %s, by the name that the person used', async (name, text, message) => {
    // A flag without a value takes none on the command line.
    if (!name.startsWith('no-'))
      expect(await complaint({ args: [`--${name}=${text}`] })).toBe(`--${name}${message}`);
    expect(await complaint({ env: { [variable(name)]: text } })).toBe(`${variable(name)}${message}`);
    expect(await complaint({ file: `${name}: ${JSON.stringify(text)}` })).toMatch(
      new RegExp(`settings\\.yaml: ${literal(name + message)}$`),
    );
  });

  it('together with all others that cannot be had', async () => {
    const file = 'prt: 1\nport: 70000\nlog:\nmax: { snapshots: 0 }\n';
    const env = { SANDBOX_PROFILE: 'stric', SANDBOX_SEED: 'empty' };
    const lines = (await complaint({ args: ['--limits', 'none', '--host', '::1'], env, file })).split('\n');
    expect(lines).toEqual([
      '6 settings are wrong:',
      expect.stringMatching(/^ {2}.*settings\.yaml has an unknown setting "prt"\. Did you mean "port"\?/),
      expect.stringMatching(/^ {2}.*settings\.yaml: port must be a whole number/),
      expect.stringMatching(/^ {2}.*settings\.yaml: log must have a value, but is null\.$/),
      expect.stringMatching(/^ {2}.*settings\.yaml: max snapshots must be a whole number/),
      expect.stringMatching(
        /^ {2}SANDBOX_PROFILE must be one of .*, but is "stric"\. Did you mean "strict"\?$/,
      ),
      '  --limits must be a number above 0, or off, but is "none".',
    ]);
  });
});

describe('a configuration file that cannot be used is refused', () => {
  it.each([
    ['where it is no YAML', 'port: [1', /settings\.yaml is not YAML: /],
    ['where it is a list', '- port', /settings\.yaml must map settings to values, but is an array\.$/],
    ['where it is a text', 'port', /settings\.yaml must map settings to values, but is the string "port"\.$/],
    [
      'for an unknown setting',
      'prt: 1',
      /settings\.yaml has an unknown setting "prt"\. Did you mean "port"\? Known: port, host, .*no-auto-create\.$/,
    ],
    ['for a setting without a value', 'port:', /settings\.yaml: port must have a value, but is null\.$/],
    [
      'for a wrong value',
      'profile: strictest',
      /settings\.yaml: profile must be one of .*, but is "strictest"\.$/,
    ],
  ])('%s', async (_, file, message) => {
    expect(await complaint({ file })).toMatch(message);
  });

  it('where it is named and not there, by flag or by variable', async () => {
    const missing = join(temporaryFolder(), 'nothing.yaml');
    const message = `Configuration file ${missing} not found.`;
    await expect(readSettings(new Map([['config', [missing]]]), {})).rejects.toThrow(message);
    await expect(readSettings(new Map(), { SANDBOX_CONFIG: missing })).rejects.toThrow(message);
  });
});
