import type { Command } from '../command.ts';
import { connectionFlags } from '../connection-flags.ts';
import { flags, type Flag } from '../flags.ts';
import { reportFlag } from '../report-files.ts';
import { configFlag, withVariables } from '../settings.ts';

/** Flags that choose the assumptions with which a proxy compares responses. */
export const assumptionFlags: readonly string[] = [
  'assume-file',
  'assume',
  'profile',
  'refusal-template',
  'gateway-template',
];

/** Flags that a proxy shares with `start`. */
const shared: ReadonlySet<string> = new Set([
  'port',
  'host',
  'public-url',
  'log',
  'control-token',
  'control-port',
  'max',
  'journal-memory',
  ...assumptionFlags,
]);

/** Whether a proxy accepts a flag. */
export function isOfProxy({ name }: Flag): boolean {
  return shared.has(name);
}

/** Default port of a proxy; differs from a sandbox's default so that both can run. */
export const usualProxyPort = 4011;

const otherHelp: Readonly<Record<string, string>> = {
  port: `port to listen on; 0 for any free one (default ${usualProxyPort})`,
};

/** Flags for the upstream. */
export const upstreamFlags = [
  {
    name: 'upstream',
    value: 'URL',
    help: 'the service to forward calls to, such as https://service.example/base',
  },
  {
    name: 'timeout',
    value: 'S',
    help: 'seconds without data from the service before a call fails (default 30)',
  },
  ...connectionFlags,
];

/** The flags of `start` that apply to a proxy. */
export const proxyServerFlags = [
  ...withVariables(
    flags.filter(isOfProxy).map((flag) => ({ ...flag, help: otherHelp[flag.name] ?? flag.help })),
  ),
  configFlag,
];

/** `lp-sandbox proxy`: forwards calls to the real service and validates both sides against the contract. */
export const proxy: Command = {
  name: 'proxy',
  summary: 'forward calls to the real service, and report contract violations of the client and the service',
  flags: [
    ...upstreamFlags,
    {
      name: 'errors',
      value: null,
      help: 'return 422 or 502 if the client or the service violates the contract',
    },
    reportFlag('.json, .html, .junit.xml, .md'),
    {
      name: 'fail-on',
      value: 'LIST',
      help: 'exit with 3 if the client violates the contract (violations), the service does (response-violations), the service differs from the assumptions (response-differences), or a conduct check fails (conduct, or its name)',
    },
    ...proxyServerFlags,
  ],
  // Loaded on demand: Prism takes as long to load as everything else takes to start.
  run: async (invocation) => (await import('./run.ts')).runProxy(invocation),
};
