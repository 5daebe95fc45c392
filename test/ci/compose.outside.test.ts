import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { flags } from '../../src/commands/flags.ts';
import { variableOf } from '../../src/commands/settings.ts';
import { run, startProgram, type Program } from '../support/command.ts';

interface Service {
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const compose = parse(readFileSync('compose.yaml', 'utf8')) as {
  readonly services: Readonly<Record<'sandbox' | 'tests', Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const { sandbox, tests } = compose.services;
const dockerfile = readFileSync('Dockerfile', 'utf8');

/** What a line of the Dockerfile says. */
function inDockerfile(pattern: RegExp): string {
  const [, found] = pattern.exec(dockerfile) ?? [];
  if (found === undefined) throw new Error(`The Dockerfile has nothing like ${pattern.source}.`);
  return found;
}

/** The environment of a service, as it is where these variables are set. */
function environmentOf(
  { environment }: Service,
  set: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const fill = (text: string): string =>
    text.replaceAll(/\$\{(\w+):-(.*?)\}/g, (_, name: string, usual: string) => set[name] ?? usual);
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(text)]));
}

/** A server with the service's environment, on a port of its own. */
async function started(set: Readonly<Record<string, string>>): Promise<Program> {
  const program = await startProgram(['--port', '0', '--host', inDockerfile(/SANDBOX_HOST=(\S+)/)], {
    env: environmentOf(sandbox, set),
  });
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

describe('compose.yaml', () => {
  it("serves the image's port, to this machine only", () => {
    const port = inDockerfile(/SANDBOX_PORT=(\d+)/);
    expect(inDockerfile(/^EXPOSE (\d+)$/m)).toBe(port);
    expect(sandbox.ports).toEqual([`127.0.0.1:\${SANDBOX_PORT:-${port}}:${port}`]);
    expect(tests.environment).toMatchObject({
      SANDBOX_URL: `http://sandbox:${port}`,
      SANDBOX_CONTROL_URL: `http://sandbox:${port}/control`,
    });
  });

  it('sets variables that stand for flags, and keeps the state where the image has a volume', () => {
    expect(flags.map(variableOf)).toEqual(expect.arrayContaining(Object.keys(sandbox.environment)));
    expect(sandbox.volumes).toEqual([
      `${Object.keys(compose.volumes)[0]}:${inDockerfile(/^VOLUME (\S+)$/m)}`,
    ]);
    expect(environmentOf(sandbox)['SANDBOX_DATA']).toBe('');
  });

  it('asks for its health as the image does, by a command that is on its path', async () => {
    const [, command, ...words] = sandbox.healthcheck?.test ?? [];
    expect(dockerfile).toContain(`/usr/local/bin/${command}`);
    const asked = JSON.parse(inDockerfile(/^HEALTHCHECK .*CMD (\[.*\])$/m)) as readonly string[];
    expect(words).toEqual(asked.slice(2));
    const { url } = await started({});
    expect(await run(words, { env: { SANDBOX_PORT: new URL(url).port } })).toMatchObject({
      code: 0,
      err: '',
    });
  });

  it('has tests that are run on demand, once the sandbox is healthy', () => {
    expect(sandbox.profiles).toBeUndefined();
    expect(tests.profiles).toEqual(['tests']);
    expect(tests.depends_on).toEqual({ sandbox: { condition: 'service_healthy' } });
  });

  it('gives them the key of a school and the token of the control plane', async () => {
    const set = { SANDBOX_CONTROL_TOKEN: 'a-token-for-the-test', SANDBOX_SCENARIO: 'flaky-network' };
    const { url } = await started(set);
    const client = supertest(url.replace('0.0.0.0', '127.0.0.1'));
    const {
      SANDBOX_API_KEY: key = '',
      SANDBOX_CONTROL_TOKEN: token = '',
      SANDBOX_ID: id,
    } = environmentOf(tests, set);
    await client.get(`/control/sandboxes/${id}`).set('Host', 'sandbox:4010').expect(401);
    const { body } = await client
      .get(`/control/sandboxes/${id}`)
      .set('Host', 'sandbox:4010')
      .set('Authorization', `Bearer ${token}`);
    expect(body).toMatchObject({ id, scenario: 'flaky-network' });
    await client
      .delete(`/control/sandboxes/${id}/scenario`)
      .set('Host', 'sandbox:4010')
      .set('Authorization', `Bearer ${token}`)
      .expect(204);
    await client
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', key)
      .send({ data: [{ data: {} }] })
      .expect(200);
  });
});
