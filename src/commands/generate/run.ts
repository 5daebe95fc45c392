import { planFrom, sizeOf, requestNames } from '../../generate/counts.ts';
import { stopwatch } from '../../sandbox/clock.ts';
import { SandboxError } from '../../base/errors.ts';
import { makeRecords } from '../../store/generated-seeds.ts';
import { checkSeedFolder, writeSeed } from '../../store/write-seed.ts';
import type { Invocation } from '../command.ts';
import { listed } from '../../base/lists.ts';

/** Writes a generated seed. Resolves with the exit code. */
export async function runGenerate({ given, out, err, terminals, stopped }: Invocation): Promise<number> {
  const folder = given.get('out')?.at(-1);
  if (folder === undefined || folder === '')
    throw new SandboxError(
      'generate needs a folder to write, for example: lp-sandbox generate --videos 1000 --out big-school',
    );
  const wishes = new Map(
    requestNames.flatMap(
      (name) =>
        given
          .get(name)
          ?.slice(-1)
          .map((text) => [name, text] as const) ?? [],
    ),
  );
  const plan = planFrom(wishes, (name) => `--${name}`);
  checkSeedFolder(folder, given.has('force'));
  const size = sizeOf(plan);
  const state = { isStopped: false };
  void stopped.then(() => (state.isStopped = true));
  const started = stopwatch();
  const world = await makeRecords(plan, (written) => {
    if (terminals.err) err(`\r${bar(written / size)} ${written} of ${size} records`);
    if (state.isStopped) throw new Stopped();
  }).catch((error: unknown) => {
    if (error instanceof Stopped) return null;
    throw error;
  });
  if (terminals.err) err('\r\u001b[K');
  if (world === null) {
    err('lp-sandbox: stopped; no files were written.\n');
    return 1;
  }
  await writeSeed(folder, world);
  const seconds = ((stopwatch() - started) / 1000).toFixed(1);
  out(
    `Wrote a seed with ${size} records to ${folder} in ${seconds} s. Schools: ${namesOf(world.schools)}.\nTo start with it:\n  lp-sandbox start --seed ${folder}\n`,
  );
  return 0;
}

/** The process was asked to stop. */
class Stopped extends Error {}

const width = 30;

function bar(share: number): string {
  const full = Math.round(share * width);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`;
}

/** Returns the first slugs and the number of the others. */
function namesOf(schools: readonly { readonly slug: string }[]): string {
  const shown = schools.slice(0, 5).map(({ slug }) => slug);
  return listed(shown, schools.length);
}
