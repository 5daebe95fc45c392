import { expect, it, vi } from 'vitest';
import { proxy } from '../../src/commands/proxy/command.ts';
import { record } from '../../src/commands/record/command.ts';
import type { Given } from '../../src/commands/command.ts';

/** Called when the proxy, with all that validates messages, is loaded. */
const { loaded } = vi.hoisted(() => ({ loaded: vi.fn<() => void>() }));

vi.mock('../../src/commands/proxy/start-proxy.ts', () => {
  loaded();
  return { startProxy: () => Promise.reject(new Error('The proxy starts.')) };
});

// It is never written.
const out = 'wrong-flags-seed';
const upstream = 'http://127.0.0.1:1';

/** Runs a command with flags. Resolves with the message of its error. */
async function messageOf(command: typeof proxy, flags: Readonly<Record<string, string>>): Promise<string> {
  const given: Given = new Map(Object.entries(flags).map(([name, value]) => [name, [value]]));
  const running = command.run({
    given,
    program: [],
    environment: {},
    out: () => {},
    err: () => {},
    terminals: { in: false, out: false, err: false },
    processId: 1,
    stopped: new Promise(() => {}),
    surviveDefects: () => {},
    onSignal: () => {},
    signalGroup: () => {},
  });
  return running.then(String, (error: unknown) => String(error));
}

it.each([
  [proxy, {}, 'Set the service to forward calls to'],
  [proxy, { upstream, timeout: 'x' }, '--timeout must be'],
  [proxy, { upstream, port: 'x' }, '--port must be'],
  [proxy, { upstream, 'fail-on': 'x' }, 'Unknown name in --fail-on'],
  [proxy, { upstream, report: 'x.y' }, 'must end in one of'],
  [proxy, { upstream, 'refusal-template': '{' }, 'refusalTemplate must be a JSON object'],
  [proxy, { upstream, 'gateway-template': '{"a":{{nothing}}}' }, 'There is no placeholder {{nothing}}.'],
  [proxy, { upstream, 'gateway-template': 'nowhere.json' }, 'there is no file "nowhere.json"'],
  [proxy, { upstream, assume: 'refusalBody=template' }, 'needs a template: set --refusal-template'],
  [proxy, { upstream, 'assume-file': 'nowhere.yaml' }, 'There is no file nowhere.yaml for --assume-file.'],
  [record, {}, 'Set the folder for the seed'],
  [record, { out, upstream, port: 'x' }, '--port must be'],
  [record, { out, upstream, 'refusal-template': '[]' }, 'refusalTemplate must be a JSON object'],
  [record, { out, upstream, times: 'x' }, '--times must be'],
  [record, { out, upstream, secret: 'short' }, '--secret must have'],
])('a wrong flag is refused before the command loads its proxy: %o %o', async (command, flags, message) => {
  expect(await messageOf(command, flags)).toContain(message);
  expect(loaded).not.toHaveBeenCalled();
});

it('a command with good flags loads its proxy', async () => {
  expect(await messageOf(proxy, { upstream })).toContain('The proxy starts.');
  expect(loaded).toHaveBeenCalled();
});
