import type { Difference, DifferenceReport, SkippedCall } from './report.ts';

/** The length of the shortest part of a key that is masked. */
const shortestPart = 5;

/**
 * Masks every part of a key of five or more characters in the texts that come from replies or recordings, also
 * if the key is percent-encoded or in base64. The words of this program never have a part of a key.
 */
export function withoutKeyParts(report: DifferenceReport, keys: readonly string[]): DifferenceReport {
  const mask = keyMask(keys);
  const ofDifference = (one: Difference): Difference => ({
    ...one,
    id: maskPlace(one.id, mask),
    what: mask(one.what),
    left: mask(one.left),
    right: mask(one.right),
  });
  const ofSkipped = (one: SkippedCall): SkippedCall => ({ ...one, why: mask(one.why) });
  return {
    ...report,
    differences: report.differences.map(ofDifference),
    skipped: report.skipped.map(ofSkipped),
  };
}

/** Only the place at the end of an id comes from a reply. */
function maskPlace(id: string, mask: (text: string) => string): string {
  const start = id.indexOf('/');
  return start < 0 ? id : `${id.slice(0, start)}${mask(id.slice(start))}`;
}

/** Returns the function that masks the parts of keys in a text. */
export function keyMask(keys: readonly string[]): (text: string) => string {
  const forms = keys.flatMap((key) => [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]);
  const parts = new Set(forms.flatMap((form) => partsOf(form.toLowerCase())));
  return (text) => (parts.size === 0 ? text : maskParts(text, parts));
}

function partsOf(form: string): readonly string[] {
  const count = Math.max(0, form.length - shortestPart + 1);
  return Array.from({ length: count }, (_, at) => form.slice(at, at + shortestPart));
}

function maskParts(text: string, parts: ReadonlySet<string>): string {
  // Letters whose lower case has another length would shift the places.
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return maskParts(lower, parts);
  let masked = '';
  let shownTo = 0;
  for (let at = 0; at + shortestPart <= text.length; at += 1) {
    if (!parts.has(lower.slice(at, at + shortestPart))) continue;
    if (at > shownTo) masked += text.slice(shownTo, at);
    if (!masked.endsWith('…') || at > shownTo) masked += '…';
    shownTo = at + shortestPart;
    for (; shownTo < text.length && parts.has(lower.slice(shownTo - shortestPart + 1, shownTo + 1));)
      shownTo += 1;
    at = shownTo - 1;
  }
  return `${masked}${text.slice(shownTo)}`;
}
