import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lpSandbox, run, watched, type Surroundings } from '../support/command.ts';
import { unassignedPort } from '../support/ports.ts';

/** `lp-sandbox` in a shell that redirects its output. */
function redirected(redirection: string): Surroundings {
  return { program: ['sh', '-c', `exec "$@" ${redirection}`, 'sh', ...lpSandbox] };
}

describe('the output of lp-sandbox', () => {
  it('may be closed by its reader: the program ends without an error', async () => {
    const { program = lpSandbox } = redirected('');
    const { code, err } = await run([], {
      program: ['sh', '-c', '"$@" --help | true; "$@" --help | head -1', ...program.slice(3)],
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('is not lost silently when the disk is full', async () => {
    expect(await run(['--help'], redirected('>/dev/full'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^lp-sandbox: cannot write to the standard output: ENOSPC.*\n$/),
    });
  });

  it('may be impossible to write: the server serves, and stops at a signal', async () => {
    const port = await unassignedPort();
    const { child, ended } = watched(
      ['start', '--log', 'json', '--port', String(port)],
      redirected('>/dev/full 2>&1'),
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    expect((await run(['ready', '--wait', '--url', url])).code).toBe(0);
    for (let call = 0; call < 5; call += 1) {
      const { status } = await supertest(url)
        .post('/public/get-all-instructors')
        .set('SERVICE-API-KEY', 'sbx_default_riverside')
        .send({ data: [{ data: {} }] });
      expect(status).toBe(200);
    }
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ signal: null });
  });
});
