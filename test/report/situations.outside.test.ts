import { execFile } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { requestExamples } from '../../src/contract/generated/request-examples.js';
import { isOperationName } from '../../src/contract/operation-types.ts';
import { world, type World } from '../support/world.ts';

const run = promisify(execFile);

/** Runs a command of the report as a person would, with the variables that `lp-sandbox exec` sets. */
async function inShell({ url, sandbox }: World, command: string): Promise<unknown> {
  const env = {
    ...process.env,
    SANDBOX_URL: url,
    SANDBOX_API_KEY: sandbox.apiKey('riverside'),
    SANDBOX_CONTROL_URL: `${url}/control`,
    SANDBOX_ID: sandbox.id,
  };
  const { stdout } = await run('sh', ['-c', command.replace(/^curl /, 'curl --silent --show-error ')], {
    env,
  });
  return JSON.parse(stdout);
}

/** The client's next call. Whatever keeps it waiting is over at once: the sandbox's time flies. */
async function callOnce({ url, sandbox }: World, operation: string): Promise<void> {
  const name = isOperationName(operation) ? operation : 'get-quiz-details';
  const headers = { 'SERVICE-API-KEY': sandbox.apiKey('riverside'), 'Content-Type': 'application/json' };
  const settled = fetch(`${url}/public/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(requestExamples[name]),
  })
    .then((reply) => reply.text())
    .then(
      () => true,
      () => true,
    );
  while (!(await Promise.race([settled, nextTurn(false)]))) await sandbox.clock.advance({ seconds: 600 });
}

describe('the situations of a report', () => {
  it('are all met by who runs the commands that it names, each followed by a call where it arms a fault', async () => {
    const own = await world();
    const { missing } = (await own.sandbox.report()).situations;
    for (const { command, kind, name } of missing) {
      const answer = await inShell(own, command);
      if (kind === 'answer')
        expect(answer, name).toEqual([{ output: { status: 'ok', data: expect.any(Object) as unknown } }]);
      else if (kind !== 'refusal') await callOnce(own, name);
    }
    expect((await own.sandbox.report()).situations).toMatchObject({
      met: missing.length,
      of: missing.length,
      percent: 100,
      missing: [],
    });
  });
});
