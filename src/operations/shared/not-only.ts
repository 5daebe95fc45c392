import { didYouMean } from '../../base/did-you-mean.ts';
import { quoted } from '../../base/violation.ts';

/** Returns the message for a value other than the only one that an operation accepts. */
export function notOnly(known: string, sent: string): string {
  return `must be ${quoted(known)}, but is ${quoted(sent)}.${didYouMean(sent, [known])}`;
}
