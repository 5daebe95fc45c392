import { stopwatch, after } from '../../sandbox/clock.ts';
import { SandboxError } from '../../base/errors.ts';
import type { Command, Given } from '../command.ts';

/** `lp-sandbox ready`: exit 0 when a server answers. */
export const ready: Command = {
  name: 'ready',
  summary: 'exit 0 when the server is ready, 1 when it is not',
  flags: [
    { name: 'wait', value: null, help: 'keep asking until it is ready' },
    { name: 'timeout', value: 'S', help: 'how long to keep asking, in seconds (default 30)' },
    { name: 'url', value: 'U', help: 'where the server is (default http://127.0.0.1 and the port of SANDBOX_PORT, or 4010)' },
  ],
  run: async ({ given, environment, err, stopped }) => {
    const url = lastOf(given, 'url') ?? environment['SANDBOX_URL'] ?? `http://127.0.0.1:${environment['SANDBOX_PORT'] ?? '4010'}`;
    if (!URL.canParse(url)) throw new SandboxError(`--url must be a URL such as http://127.0.0.1:4010, but is ${JSON.stringify(url)}.`);
    const seconds = Number(lastOf(given, 'timeout') ?? '30');
    if (!(seconds >= 0))
      throw new SandboxError(`--timeout must be a number of seconds, but is ${JSON.stringify(lastOf(given, 'timeout'))}.`);
    const end = stopwatch() + (given.has('wait') ? seconds * 1000 : 0);
    for (;;) {
      if (await isReady(new URL('/readyz', url))) return 0;
      if (stopwatch() >= end) break;
      const told = await Promise.race([pause(), stopped.then(() => 'to stop')]);
      if (told === 'to stop') break;
    }
    err(`${url} is not ready. Start it with: lp-sandbox start\n`);
    return 1;
  },
};

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
