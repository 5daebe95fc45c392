import type { BodyScale } from '../../contract/checked-message.ts';
import { deepest, findExcess } from '../../base/json-depth.ts';
import type { ServerLimits } from '../../base/server-limits.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import type { Share } from '../../sandbox/in-flight.ts';
import type { MemoryQueue } from '../../sandbox/memory-queue.ts';
import type { Slices } from '../../sandbox/slices.ts';
import { bodyText, type BodyText } from './body-text.ts';
import type { Body } from './messages.ts';

/** Prism reads bodies up to this size at once: about 50 microseconds for each value that is wrong. */
const maxSmall = { chars: 262_144, jsonValues: 1000 };

/** Of bodies up to this size, every violation is found. */
const maxMedium = { chars: 1_048_576, jsonValues: 5000 };

/** What reading and checking bodies needs. */
export interface Reading {
  readonly slices: Slices;
  /** Bodies wait here for the memory to decompress and check them. */
  readonly queue: MemoryQueue;
  readonly caps: ServerLimits;
}

/** A body as text, and how thoroughly it is checked. */
export interface ReadBody {
  readonly read: BodyText;
  readonly scale: BodyScale;
}

/** Reads a body. `isDepthLimited` is whether a body that is nested too deep is not checked at all. */
export async function readBody(
  body: Body,
  encoding: string | undefined,
  share: Share,
  reading: Reading,
  isDepthLimited: boolean,
): Promise<ReadBody> {
  const { slices, caps } = reading;
  const read = await bodyText(body, encoding, share, reading);
  if (!('text' in read)) return { read, scale: 'small' };
  const { text } = read;
  const measured = await slices.run(measuring(text, caps));
  if (measured === 'depth') {
    return {
      read: isDepthLimited
        ? { unread: `is nested more than ${deepest} levels deep, and is not checked` }
        : read,
      scale: 'large',
    };
  }
  if (measured === 'jsonValues')
    return {
      read: { unread: `has more than ${caps.jsonValues} JSON values, and is not checked` },
      scale: 'large',
    };
  if (measured === 'objectFields') {
    return {
      read: { unread: `has an object of more than ${caps.objectFields} fields, and is not checked` },
      scale: 'large',
    };
  }
  return { read, scale: measured };
}

function* measuring(
  text: string,
  caps: ServerLimits,
): SlicedWork<BodyScale | 'depth' | 'jsonValues' | 'objectFields'> {
  const excess = yield* findExcess(text, caps);
  if (excess !== null) return excess;
  for (const [scale, { chars, jsonValues }] of [
    ['small', maxSmall],
    ['medium', maxMedium],
  ] as const) {
    if (
      text.length <= chars &&
      (yield* findExcess(text, { jsonValues, objectFields: caps.objectFields })) === null
    )
      return scale;
  }
  return 'large';
}
