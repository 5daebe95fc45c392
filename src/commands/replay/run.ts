import { SandboxError } from '../../base/errors.ts';
import type { NewSandbox } from '../../control/create-sandbox.ts';
import type { Settings } from '../../server/server.ts';
import { readAssumptions } from '../../store/read-assumptions.ts';
import { withoutKeyParts } from '../../upstream/difference-report/mask.ts';
import type { RecordedCall } from '../../upstream/recording/recording.ts';
import { replay } from '../../upstream/replay/replay.ts';
import { sendWithFetch } from '../../upstream/replay/send.ts';
import type { Given, Invocation } from '../command.ts';
import { readDifferenceWishes, tellDifferences } from '../difference-flags.ts';
import { readRecordingFrom } from '../recording-file.ts';
import { readSettings } from '../settings.ts';
import { isOfTwin } from '../twin-flags.ts';
import { ownStage, remoteStage, type OpenStage, type Wanted } from './stages.ts';

/** Replays a recording and prints the differences. Resolves with the exit code. */
export async function runReplay(invocation: Invocation): Promise<number> {
  const { given, environment, program, terminals, err, stopped } = invocation;
  const wishes = readDifferenceWishes(given);
  const settings = await readSettings(given, environment, isOfTwin);
  const recording = await readRecordingFrom(fileIn(program), 'replay');
  if (recording.length === 0)
    throw new SandboxError(`${fileIn(program)} has no request under /public/ to replay.`);
  const stop = { isAsked: false };
  void stopped.then(() => (stop.isAsked = true));
  const { stage, close } = await openStage(invocation, settings, wantedFor(recording, given));
  try {
    const before = (name: string): void => {
      if (stop.isAsked) throw new Error('Stopped before all calls were replayed; no report was written.');
      if (terminals.err) err(`\r\u001B[K${name}`);
    };
    const hasRules = settings.scenario !== undefined;
    const report = await replay({ recording, hasRules, send: sendWithFetch, before }, stage);
    if (terminals.err) err('\r\u001B[K');
    return tellDifferences(withoutKeyParts(report, keysIn(recording)), wishes, invocation);
  } finally {
    await close();
  }
}

function fileIn(program: readonly string[]): string {
  const [file, ...more] = program;
  if (file === undefined || more.length > 0)
    throw new SandboxError('replay needs one file, for example: lp-sandbox replay journal.har');
  return file;
}

function wantedFor(recording: readonly RecordedCall[], given: Given): Wanted {
  const id = recording.find(({ sandbox }) => sandbox !== null)?.sandbox?.requestId;
  const began = given.get('began')?.at(-1);
  const moments = recording.flatMap(({ at }) => (Number.isNaN(at) ? [] : [at]));
  const first = moments.reduce((earliest, at) => Math.min(earliest, at), Infinity);
  const moment = began === undefined ? first : Date.parse(began);
  if (!Number.isFinite(moment))
    throw new SandboxError(
      `--began must be an ISO 8601 date-time such as 2026-11-20T10:00:00Z, but is ${JSON.stringify(began)}.`,
    );
  return {
    id: id === undefined ? null : id.slice(0, id.lastIndexOf('-')),
    began: moment,
    school: given.get('school')?.at(-1) ?? null,
  };
}

/** The keys of a journal are shortened already. Those of other recordings are not. */
function keysIn(recording: readonly RecordedCall[]): readonly string[] {
  const foreign = recording.filter(({ sandbox }) => sandbox === null);
  return [...new Set(foreign.flatMap(({ requestHeaders }) => requestHeaders.get('service-api-key') ?? []))];
}

async function openStage(
  { given, environment, err }: Invocation,
  settings: Settings,
  wanted: Wanted,
): Promise<OpenStage> {
  const url = given.get('url')?.at(-1);
  if (url === undefined) return ownStage(settings, { out: err, err, owner: 'lp-sandbox replay' }, wanted);
  const token = given.get('token')?.at(-1) ?? environment['SANDBOX_CONTROL_TOKEN'];
  return remoteStage({ url, token }, await newSandbox(settings), wanted);
}

/** The settings of a sandbox on another server. */
async function newSandbox(settings: Settings): Promise<NewSandbox> {
  const { seed, randomSeed, profile, scenario } = settings;
  const { chosen, templates } = await readAssumptions(settings);
  return {
    ...templates,
    assumptions: chosen,
    ...(seed === undefined ? {} : { seed }),
    ...(randomSeed === undefined ? {} : { randomSeed }),
    ...(profile === undefined ? {} : { profile }),
    ...(scenario === undefined ? {} : { scenario }),
  };
}
