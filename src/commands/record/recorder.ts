import type { SlicedWork } from '../../base/sliced-work.ts';
import { wallClock } from '../../sandbox/clock.ts';
import { Slices } from '../../sandbox/slices.ts';
import type { RecordingFolder } from '../../store/recording-folder.ts';
import { headerIn, headersByName } from '../../base/headers.ts';
import type { PassedExchange } from '../../upstream/proxy/pass-call.ts';
import type { Course } from '../../upstream/seed-recorder/incidents.ts';
import type { Recorded, Recording } from '../../upstream/seed-recorder/recording.ts';
import { Checkpoints } from './checkpoints.ts';

/** The maximum size of the calls that wait to be recorded, in bytes. */
const maxPendingBytes = 67_108_864;

/** The parts of a recorder. */
interface RecorderParts {
  readonly recording: Recording;
  readonly files: RecordingFolder;
  /** How others name this recording. */
  readonly owner: string;
  /** Whether the times of the seed are relative to the last call. */
  readonly hasRelativeTimes: boolean;
  /** Whether a later recording can continue this one. */
  readonly isContinuable: boolean;
  /** Called if a checkpoint cannot be written. */
  readonly checkpointFailed: (error: unknown) => void;
}

/** The recorded data, with what a later recording needs to continue. */
export type RecordedState = Recorded & { readonly state: object | null };

/** Records calls one after the other, and stores checkpoints between them. */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #slices = new Slices();
  readonly #checkpoints: Checkpoints;
  // One after the other: the seed must not depend on which of two concurrent responses is recorded sooner.
  #recorded = Promise.resolve();
  #pendingBytes = 0;
  #lastCallAt = wallClock();
  /** The number of calls that could not be recorded because of a bug. */
  defects = 0;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    // Between two calls, so that a checkpoint has whole ones.
    this.#checkpoints = new Checkpoints(
      () => (this.#recorded = this.#recorded.then(() => this.#writeCheckpoint())),
    );
  }

  /** Records a call. Rarely, its client has to wait: if unrecorded calls take up too much memory. */
  async take(passed: PassedExchange): Promise<void> {
    const bytes = bytesOf(passed);
    this.#lastCallAt = wallClock();
    this.#pendingBytes += bytes;
    this.#recorded = this.#recorded
      .then(() => this.#slices.run(observe(this.#parts.recording, passed)))
      .then(() => this.#checkpoints.request())
      .catch(() => void (this.defects += 1))
      .finally(() => (this.#pendingBytes -= bytes));
    if (this.#pendingBytes > maxPendingBytes) await this.#recorded;
  }

  /** Waits for all calls. Returns the recorded data, or null if there is none. */
  async end(): Promise<RecordedState | null> {
    this.#checkpoints.stop();
    await this.#recorded;
    return this.#parts.recording.isEmpty ? null : this.#soFar();
  }

  async #writeCheckpoint(): Promise<void> {
    const { recording, files, owner, checkpointFailed } = this.#parts;
    if (recording.isEmpty) return;
    try {
      await files.claim(owner);
      files.writeCheckpoint(this.#soFar());
    } catch (error) {
      checkpointFailed(error);
    }
  }

  #soFar(): RecordedState {
    const { recording, hasRelativeTimes, isContinuable } = this.#parts;
    const recorded = recording.finish(hasRelativeTimes ? this.#lastCallAt : null);
    return { ...recorded, state: isContinuable ? recording.state() : null };
  }
}

/** The memory of a call that waits, in bytes. */
function bytesOf({ requestText, responseText }: PassedExchange): number {
  return 2 * ((requestText?.length ?? 0) + (responseText?.length ?? 0));
}

function observe(recording: Recording, passed: PassedExchange): SlicedWork<void> {
  const { call, answered, requestText, responseText } = passed;
  const key = headersByName(call.headers)['service-api-key'] ?? null;
  const { status = 0 } = answered ?? {};
  return recording.observe({
    operation: call.operation,
    requestBody: requestText ?? '',
    responseBody: responseText ?? '',
    status,
    key,
    course: courseOf(passed),
  });
}

/** Returns how the call went, apart from its data. */
function courseOf({ kept, answered }: PassedExchange): Course {
  const { refusal, upstreamMs = null } = kept;
  const retryAfter = headerIn(answered?.headers ?? [], 'retry-after') ?? '';
  const failures: Readonly<Record<string, Course['failure']>> = {
    'upstream-timeout': 'timeout',
    'upstream-failed': 'failed',
  };
  return {
    status: answered?.status ?? null,
    failure: failures[refusal ?? ''] ?? null,
    retryAfter: /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
    tookMs: upstreamMs,
  };
}
