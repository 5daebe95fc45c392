import type { Probe } from '../probe.ts';
import { addresses } from './addresses.ts';
import { batches } from './batches.ts';
import { bodies } from './bodies.ts';
import { courses } from './courses.ts';
import { fields } from './fields.ts';
import { instructorAccounts } from './instructors.ts';
import { keys } from './keys.ts';
import { library } from './library.ts';
import { limits } from './limits.ts';
import { listings } from './listings.ts';
import { presets } from './presets.ts';
import { recordings } from './recordings.ts';
import { serviceCheck } from './service-check.ts';
import { submissions } from './submissions.ts';
import { sums } from './sums.ts';
import { updates } from './updates.ts';
import { usualMistakes } from './usual-mistakes.ts';
import { wrongTypes } from './wrong-types.ts';

/**
 * All probes in their order: first whether there is a service, then those whose findings others use, then those that
 * exhaust limits, and last those that are easier to read if the form of refusals is known.
 */
export const probes: readonly Probe[] = [
  ...serviceCheck,
  ...listings,
  ...keys,
  ...presets,
  ...library,
  ...recordings,
  ...courses,
  ...fields,
  ...batches,
  ...wrongTypes,
  ...bodies,
  ...usualMistakes,
  ...updates,
  ...instructorAccounts,
  ...submissions,
  ...limits,
  ...addresses,
  ...sums,
];
