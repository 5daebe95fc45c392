import type { Check } from '../check.ts';
import { backoff } from './backoff.ts';
import { batches } from './batches.ts';
import { batching } from './batching.ts';
import { busyPolling } from './busy-polling.ts';
import { connectionReuse } from './connection-reuse.ts';
import { endlessRetries } from './endless-retries.ts';
import { givingUp } from './giving-up.ts';
import { hammering } from './hammering.ts';
import { hopelessRepeats } from './hopeless-repeats.ts';
import { jitter } from './jitter.ts';
import { keySecrecy } from './key-secrecy.ts';
import { limits } from './limits.ts';
import { retryAfter } from './retry-after.ts';
import { shortTimeouts } from './short-timeouts.ts';
import { timeouts } from './timeouts.ts';
import { undocumentedFields } from './undocumented-fields.ts';
import { unsafeRepeats } from './unsafe-repeats.ts';

/** All checks of the client's conduct, in the order of the report. */
export const checks: readonly Check[] = [
  retryAfter,
  backoff,
  hammering,
  jitter,
  givingUp,
  endlessRetries,
  timeouts,
  shortTimeouts,
  limits,
  hopelessRepeats,
  unsafeRepeats,
  batches,
  batching,
  busyPolling,
  keySecrecy,
  connectionReuse,
  undocumentedFields,
];
