import supertest from 'supertest';
import { expect, it, onTestFinished } from 'vitest';
import { lpSandbox, startProgram, type Program } from '../support/command.ts';

/** A server whose V8 does not optimize regular expressions, as after it has compiled 1 MB of code for them. */
async function started(): Promise<Program> {
  const [node, main] = lpSandbox;
  const program = await startProgram(['--port', '0', '--log', 'silent'], {
    program: [node, '--no-regexp-optimization', main],
  });
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

/** More than what overflows the stack of V8 where a loop needs it for each character. */
const long = (unit: string): string => unit.repeat(5_000_000 / unit.length);

/** JSON, and what begins as JSON, with a loop in each token. */
const bodies = [
  ...['a', '1', ' ', '[', '"', '{"":', '1,'].map(long),
  `1.${long('1')}x`,
  `1e${long('1')}x`,
  `{"${long('a')}":1}`,
  `{"data":"${long('\\')}"}`,
  `{"data":"${long('\\u0041')}"}`,
  ...['a', ' ', '1']
    .map(long)
    .flatMap((text) => [
      JSON.stringify({ collections: { [text]: [] } }),
      JSON.stringify({ collections: text }),
      JSON.stringify({ collections: {}, [text]: 1 }),
    ]),
];

it('a control plane without optimized expressions refuses long texts of any kind', async () => {
  const { url, said } = await started();
  for (const body of bodies) {
    const reply = await supertest(url)
      .put('/control/sandboxes/default/state')
      .set('Content-Type', 'application/json')
      .serialize((text: string) => text)
      .send(body);
    expect(`${reply.status} for ${body.slice(0, 50)}`).toMatch(/^(?:400|413) /);
  }
  expect(said().err).toBe('');
}, 300_000);
