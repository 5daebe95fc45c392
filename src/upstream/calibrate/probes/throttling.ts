import type { Reading } from '../model/infer.ts';
import { throttled } from '../model/predict.ts';
import { readingOf } from '../probe.ts';
import type { Reply } from '../reply.ts';
import { theirs } from '../shown-text.ts';
import { plainReading } from './listings.ts';

/** Returns the readings of a throttled response. */
export function throttleReadings(what: string, reply: Reply): readonly Reading[] {
  return [
    readingOf('throttleReply', what, reply, (ask) => throttled(ask)),
    plainReading(
      'retryAfter',
      retryForm(reply),
      `Retry-After of a throttled response: ${theirs(reply.header('retry-after') ?? 'none')}`,
    ),
  ];
}

function retryForm({ header }: Reply): string {
  const text = header('retry-after');
  if (text === null) return 'none';
  if (/^\d+$/.test(text)) return 'seconds';
  return Number.isNaN(Date.parse(text)) ? 'another form' : 'http-date';
}
