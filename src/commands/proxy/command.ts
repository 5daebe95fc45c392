import type { Command } from '../command.ts';
import { flags, type Flag } from '../flags.ts';
import { reportFlag } from '../report-files.ts';
import { configFlag, withVariables } from '../settings.ts';

/** What a proxy shares with a server that answers itself. */
const shared: ReadonlySet<string> = new Set(['port', 'host', 'public-url', 'log', 'control-token', 'control-port']);

/** Whether a setting is one of a proxy, too. */
export function isOfProxy({ name }: Flag): boolean {
  return shared.has(name);
}

/** Where a proxy listens where nobody says otherwise: a sandbox may be at its own usual port beside it. */
export const usualProxyPort = 4011;

const otherHelp: Readonly<Record<string, string>> = { port: `port to listen on; 0 for any free one (default ${usualProxyPort})` };

/** The flags that say where calls go, and how. */
export const upstreamFlags = [
  { name: 'upstream', value: 'URL', help: 'the service that calls are passed on to, such as https://service.example/base' },
  { name: 'timeout', value: 'S', help: 'seconds that it may be silent (default 30)' },
];

/** The flags of a server that passes calls on, with those of start that make sense there. */
export const proxyServerFlags = [
  ...withVariables(flags.filter(isOfProxy).map((flag) => ({ ...flag, help: otherHelp[flag.name] ?? flag.help }))),
  configFlag,
];

/** `lp-sandbox proxy`: between a client and the real service, with both sides held against the contract. */
export const proxy: Command = {
  name: 'proxy',
  summary: 'pass calls on to the real service, and tell where it or the client breaks the contract',
  flags: [
    ...upstreamFlags,
    { name: 'errors', value: null, help: 'answer with 422 or 502 where the client or the service breaks the contract' },
    reportFlag('.json, .html, .junit.xml, .md'),
    {
      name: 'fail-on',
      value: 'LIST',
      help: 'exit with 3 where the client broke the contract (violations), the service did (response-violations), or a rule of conduct was broken',
    },
    ...proxyServerFlags,
  ],
  // Loaded when it is wanted: Prism takes as long to load as everything else does to start.
  run: async (invocation) => (await import('./run.ts')).runProxy(invocation),
};
