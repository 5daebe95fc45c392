import { expect, onTestFinished } from 'vitest';
import { record } from '../../src/commands/record/command.ts';
import { invoke } from '../support/invocation.ts';
import { watched, type Ended, type Watched } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';

/** `lp-sandbox record` in a process of its own. */
export interface Recorder {
  readonly url: string;
  readonly process: Watched['child'];
  /** Stops it as Ctrl+C does, and waits for its end. */
  stop(): Promise<Ended>;
}

/** Starts a recording into a folder, named as in `cwd`. Rejects where it ends at once. */
export async function startRecording(
  upstream: string,
  out: string,
  cwd: string,
  more: readonly string[] = [],
): Promise<Recorder> {
  const { child, said, ended } = watched(
    ['record', '--upstream', upstream, '--out', out, '--port', '0', ...more],
    { cwd },
  );
  const up = new Promise<void>(
    (done) => void child.stdout?.on('data', () => void (said().out.includes('Point the client') && done())),
  );
  await Promise.race([up, ended]);
  const [, url] = /^Recording proxy at (\S+)$/m.exec(said().out) ?? [];
  if (url === undefined) throw new Error(`It did not start: ${said().err}${said().out}`);
  const stop = (): Promise<Ended> => {
    child.kill('SIGINT');
    return ended;
  };
  return { url, process: child, stop };
}

/** The same inside the test. */
export async function recordHere(
  upstream: string,
  out: string,
  more: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
) {
  const { code, said, signal } = invoke(
    record,
    ['--upstream', upstream, '--out', out, '--port', '0', ...more],
    { env },
  );
  const stop = async (): Promise<Ended> => {
    signal('SIGINT');
    return { code: await code, signal: null, ...said() };
  };
  onTestFinished(() => void stop());
  await eventually(() => expect(said().out).toContain('Point the client'));
  const [, url = ''] = /^Recording proxy at (\S+)$/m.exec(said().out) ?? [];
  return { url, stop };
}
