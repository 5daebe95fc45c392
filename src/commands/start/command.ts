import { networkInterfaces } from 'node:os';
import { showsColors } from '../../base/terminal-colors.ts';
import { startServer, type Running } from '../../server/server.ts';
import { keyOf } from '../../sandbox/keys.ts';
import type { Command } from '../command.ts';
import { flags } from '../flags.ts';
import { configFlag, readSettings, withVariables } from '../settings.ts';
import { networkUrls } from './network-urls.ts';

/** `lp-sandbox start`: runs the server until it is stopped. */
export const start: Command = {
  name: 'start',
  summary: 'run the server (the default command)',
  flags: [...withVariables(flags), configFlag],
  run: async ({ given, environment, out, err, terminals, processId, stopped, surviveDefects }) => {
    const settings = {
      log: terminals.out ? ('pretty' as const) : ('silent' as const),
      ...(await readSettings(given, environment)),
    };
    const running = await startServer(settings, {
      out,
      err,
      colors: showsColors(terminals.out, environment),
      owner: `process ${processId}, ${addressOf(settings)}`,
      warmUp: true,
    });
    surviveDefects();
    const { host = '127.0.0.1', publicUrl } = settings;
    const nearby =
      publicUrl === undefined ? networkUrls(host, running.listening.port, networkInterfaces()) : [];
    out(banner(running, nearby));
    await stopped;
    await running.stop();
    return 0;
  },
};

function addressOf({ host = '127.0.0.1', port = 4010 }: { host?: string; port?: number }): string {
  return port === 0 ? host : `${host}:${port}`;
}

/** Maximum number of keys in the banner: a generated seed may have any number of schools. */
const maxShown = 10;

/** `nearby` are the URLs for other machines. */
function banner({ url, sandboxes, listening, madeUpToken }: Running, nearby: readonly string[]): string {
  const { id } = sandboxes.default;
  // Replicas have none.
  const hasDefault = sandboxes.has(id);
  const schools = hasDefault ? sandboxes.default.schools() : [];
  const keys = schools.slice(0, maxShown).map(({ name, slug }) => `  ${name.padEnd(20)} ${keyOf(id, slug)}`);
  if (schools.length > maxShown)
    keys.push(`  and ${schools.length - maxShown} more schools, at ${url}/console`);
  const [first] = schools;
  const create = [
    `curl ${url}/control/sandboxes -X POST -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' \\`,
    `    -d '{}'`,
  ];
  const call = [
    `curl ${url}/public/get-all-instructors \\`,
    `    -H 'SERVICE-API-KEY: ${keyOf(id, first?.slug ?? 'school')}' -H 'Content-Type: application/json' \\`,
    `    -d '{"data":[{"data":{}}]}'`,
  ];
  const port = listening.port === Number(new URL(url).port) ? '' : ` (listening on port ${listening.port})`;
  const { scenario } = sandboxes.default.faults;
  const about = [
    ...nearby.map((one) => `Network              ${one}`),
    ...(listening.controlPort === null
      ? []
      : [`Guided demo          ${url}/demo`, `School               ${url}/school`]),
    `API reference        ${url}/docs`,
    `Contract             ${url}/openapi.yaml`,
    ...controlLines(listening.controlPort, url, madeUpToken),
    ...(scenario === null ? [] : [`Scenario             ${scenario.name}: ${scenario.summary}`]),
  ];
  const lines = [...keys, ...about.map((line) => `  ${line}`)];
  const curl = hasDefault ? call : create;
  return `Learning Platform Sandbox at ${url}${port}\n${lines.join('\n')}\nTry:\n  ${curl.join('\n  ')}\n`;
}

/** Returns the banner lines for the console and the control plane. */
export function controlLines(
  port: number | null,
  url: string,
  madeUpToken: string | null,
): readonly string[] {
  if (port === null) return [];
  const at = new URL('/control/openapi.yaml', url);
  if (String(port) !== at.port && at.hostname === '127.0.0.1') at.port = String(port);
  const token = madeUpToken === null ? [] : [`Control token        ${madeUpToken}`];
  return [`Console              ${at.origin}/console`, `Control plane        ${at.href}`, ...token];
}
