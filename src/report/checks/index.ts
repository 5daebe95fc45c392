import type { Check } from '../check.ts';
import { backoff } from './backoff.ts';
import { batches } from './batches.ts';
import { connectionReuse } from './connection-reuse.ts';
import { givingUp } from './giving-up.ts';
import { hammering } from './hammering.ts';
import { hopelessRepeats } from './hopeless-repeats.ts';
import { keySecrecy } from './key-secrecy.ts';
import { limits } from './limits.ts';
import { retryAfter } from './retry-after.ts';
import { undocumentedFields } from './undocumented-fields.ts';
import { unsafeRepeats } from './unsafe-repeats.ts';

/** All checks of the client's conduct, in the order of the report. */
export const checks: readonly Check[] = [
  retryAfter,
  backoff,
  hammering,
  givingUp,
  limits,
  hopelessRepeats,
  unsafeRepeats,
  batches,
  keySecrecy,
  connectionReuse,
  undocumentedFields,
];
