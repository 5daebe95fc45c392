import { recordOf } from '../base/keys.ts';
import { bytesIn, secondsIn } from '../base/amounts.ts';
import { logFormats } from './log.ts';
import { serverLimitNames, serverLimits } from '../base/server-limits.ts';
import { dataSyncs } from '../store/data-sync.ts';
import type { Settings } from './server.ts';
import { assumptionRule, profileRule } from '../settings/assumption-rules.ts';
import { dataRule } from '../settings/database-url.ts';
import type { Rules } from '../settings/gather.ts';
import {
  anyText,
  numberAboveZero,
  oneOf,
  orOff,
  someText,
  trueOrFalse,
  webUrl,
  wholeNumber,
  type ValueRule,
} from '../settings/value-rule.ts';

const port = wholeNumber(0, 65_535);

const duration: ValueRule<string> = {
  expected: 'an ISO 8601 duration such as PT30M or P14D',
  accepts: (value): value is string => typeof value === 'string' && secondsIn(value) !== null,
  fromText: (text) => text,
};

/** The rule for every setting, whether it comes from code, a flag, a variable or a file. */
export const serverRules: Rules<Settings> = {
  port,
  host: someText('an address or a name such as 127.0.0.1'),
  publicUrl: webUrl,
  data: dataRule,
  dataSync: oneOf(dataSyncs),
  // Names are checked when seeds and scenarios are read.
  seed: {
    ...anyText('the name of a seed or the path of a folder'),
    hint: (value) => (typeof value === 'number' ? ' A number is a randomSeed.' : ''),
  },
  randomSeed: wholeNumber(0, 2 ** 32 - 1),
  assumeFile: someText('the path of a file'),
  assume: assumptionRule,
  profile: profileRule,
  // Texts are checked when their files are read.
  refusalTemplate: someText('a JSON object or the path of a file'),
  gatewayTemplate: someText('a JSON object or the path of a file'),
  scenario: anyText('the name of a scenario or the path of a file'),
  latencyFrom: someText('the path of a file'),
  labels: trueOrFalse,
  limits: limitScale(),
  log: oneOf(logFormats),
  controlToken: secret(8, 200),
  tokenSecret: secret(32, 200),
  trustProxy: wholeNumber(0, 10),
  advertise: webUrl,
  replicaSecret: secret(16, 200),
  controlPort: orOff(port),
  maxSandboxes: wholeNumber(1, 1_000_000),
  max: {
    noun: 'a limit of the server',
    plural: 'limits',
    example: '{ batchElements: 100 }',
    members: recordOf(serverLimitNames, (name) =>
      wholeNumber(serverLimits[name].min, serverLimits[name].max),
    ),
  },
  journalMemory: size(),
  stateMemory: size(),
  idleExpiry: orOff(duration),
  idleRelease: orOff(duration),
  autoCreate: trueOrFalse,
};

function secret(least: number, most: number): ValueRule<string> {
  const form = new RegExp(`^[\\w.~+/=-]{${least},${most}}$`);
  return {
    expected: `${least} to ${most} letters, digits and -._~+/=, without spaces`,
    accepts: (value): value is string => typeof value === 'string' && form.test(value),
    fromText: (text) => text,
    isSecret: () => true,
  };
}

function size(): ValueRule<number | string> {
  return {
    expected: 'a number of bytes, or a size such as 64MiB or 1GiB, of at least 1MiB',
    accepts: (value): value is number | string =>
      (typeof value === 'number' || typeof value === 'string') && bytesIn(value) !== null,
    fromText: (text) => bytesIn(text) ?? text,
  };
}

/** In code, null means `off`. */
function limitScale(): ValueRule<number | 'off' | null> {
  const rule = orOff(numberAboveZero);
  return {
    ...rule,
    accepts: (value): value is number | 'off' | null => value === null || rule.accepts(value),
  };
}

/** Hints for names that other functions and the command line use. */
export const otherNames: Readonly<Record<string, string>> = {
  assumptions: 'Use "assume".',
  token: 'Use "controlToken".',
  url: 'Use "publicUrl".',
  baseurl: 'Use "publicUrl".',
  limitscale: 'Use "limits".',
  nolabels: 'Set labels: false.',
  noautocreate: 'Set autoCreate: false.',
  apikey: "Get a key from a sandbox: sandbox.apiKey('riverside').",
  config: 'Only the command line reads a configuration file.',
  id: 'Pass it to createSandbox().',
  clock: 'Pass it to createSandbox().',
  ttlseconds: 'Pass it to createSandbox().',
};
