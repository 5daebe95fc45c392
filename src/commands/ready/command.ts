import { stopwatch, after } from '../../sandbox/clock.ts';
import { SandboxError } from '../../base/errors.ts';
import type { Command, Given } from '../command.ts';
import { aNumber, readValue } from '../../settings/value-rule.ts';

/** `lp-sandbox ready`: exits with 0 if a server is ready. */
export const ready: Command = {
  name: 'ready',
  summary: 'exit with 0 if the server is ready, else with 1',
  flags: [
    { name: 'wait', value: null, help: 'wait until it is ready' },
    { name: 'timeout', value: 'S', help: 'maximum wait in seconds (default 30)' },
    {
      name: 'url',
      value: 'U',
      help: 'URL of the server (default: http://127.0.0.1 with the port of SANDBOX_PORT, or 4010)  [SANDBOX_URL]',
    },
  ],
  run: async ({ given, environment, err, stopped }) => {
    const url =
      lastOf(given, 'url') ??
      environment['SANDBOX_URL'] ??
      `http://127.0.0.1:${environment['SANDBOX_PORT'] ?? '4010'}`;
    if (!URL.canParse(url))
      throw new SandboxError(
        `--url must be a URL such as http://127.0.0.1:4010, but is ${JSON.stringify(url)}.`,
      );
    const seconds = readValue(numberOfSeconds, '--timeout', lastOf(given, 'timeout') ?? '30');
    const end = stopwatch() + (given.has('wait') ? seconds * 1000 : 0);
    for (;;) {
      if (await isReady(new URL('/readyz', url))) return 0;
      if (stopwatch() >= end) break;
      const told = await Promise.race([pause(), stopped.then(() => 'stopped')]);
      if (told === 'stopped') break;
    }
    err(`${url} is not ready. Start it with: lp-sandbox start\n`);
    return 1;
  },
};

const numberOfSeconds = aNumber('a number of seconds', (seconds) => seconds >= 0);

function lastOf(given: Given, name: string): string | undefined {
  return given.get(name)?.at(-1);
}

async function isReady(url: URL): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    return response.ok;
  } catch {
    return false;
  }
}

function pause(): Promise<void> {
  return new Promise((done) => {
    after(100, done, { keepAlive: true });
  });
}
