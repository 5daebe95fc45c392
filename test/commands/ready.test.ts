import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ready } from '../../src/commands/ready/command.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { refusingPort } from '../support/ports.ts';
import { stopRealTime } from '../support/wire.ts';
import { sharedServer } from '../support/world.ts';

interface Given {
  readonly flags?: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  readonly stopped?: Promise<void>;
}

async function runReady({
  flags = {},
  env = {},
  stopped = new Promise(() => {}),
}: Given): Promise<{ code: number; err: string }> {
  let err = '';
  const code = await ready.run({
    given: new Map(Object.entries(flags).map(([name, value]) => [name, [value]])),
    program: [],
    environment: env,
    out: () => {},
    err: (text) => void (err += text),
    terminals: { in: false, out: false, err: false },
    processId: 1,
    stopped,
    surviveDefects: () => {},
    onSignal: () => {},
    signalGroup: () => {},
  });
  return { code, err };
}

/** A server that is not ready the first few times. */
async function slowStarter(refusals: number): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server: Server = createServer((_, response) => {
    asked += 1;
    response.writeHead(asked > refusals ? 200 : 503).end();
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address of this kind.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

/** Where nothing listens. */
const nowhere = async (): Promise<string> => `http://127.0.0.1:${await refusingPort()}`;

describe('lp-sandbox ready', () => {
  it('ends with 0 where the server is ready, named by flag or variable', async () => {
    const { url } = await sharedServer();
    expect(await runReady({ flags: { url } })).toEqual({ code: 0, err: '' });
    expect(await runReady({ env: { SANDBOX_URL: url } })).toEqual({ code: 0, err: '' });
    expect(await runReady({ env: { SANDBOX_PORT: new URL(url).port } })).toEqual({ code: 0, err: '' });
    expect(await runReady({ flags: { url }, env: { SANDBOX_URL: await nowhere() } })).toEqual({
      code: 0,
      err: '',
    });
  });

  it('ends with 1 at once where nothing answers, and says how to start it', async () => {
    const url = await nowhere();
    expect(await runReady({ flags: { url } })).toEqual({
      code: 1,
      err: `${url} is not ready. Start it with: lp-sandbox start\n`,
    });
  });

  it('ends with 1 where something answers that is not ready', async () => {
    const { url, asked } = await slowStarter(5);
    expect((await runReady({ flags: { url } })).code).toBe(1);
    expect(asked()).toBe(1);
  });

  it('asks again with --wait until the server is ready', { tags: ['slow'] }, async () => {
    const { url, asked } = await slowStarter(2);
    expect(await runReady({ flags: { url, wait: '' } })).toEqual({ code: 0, err: '' });
    expect(asked()).toBe(3);
  });

  it('gives up with --wait after --timeout', { tags: ['slow'] }, async () => {
    expect((await runReady({ flags: { url: await nowhere(), wait: '', timeout: '0.1' } })).code).toBe(1);
  });

  it('ends at once where it is told to stop while it waits', async () => {
    stopRealTime();
    const flags = { url: await nowhere(), wait: '' };
    expect((await runReady({ flags, stopped: Promise.resolve() })).code).toBe(1);
  });

  it.each([
    [{ url: 'localhost' }, '--url must be a URL such as http://127.0.0.1:4010, but is "localhost".'],
    [{ timeout: 'soon' }, '--timeout must be a number of seconds, but is "soon".'],
    [{ timeout: '-1' }, '--timeout must be a number of seconds, but is "-1".'],
  ])('refuses %j', async (flags, message) => {
    await expect(runReady({ flags })).rejects.toThrow(new SandboxError(message));
  });
});
