import { maskExcept, maskFor, type Mask } from '../key-mask/key-mask.ts';
import type { Difference, DifferenceReport } from './report.ts';

/**
 * Masks every part of a key of five or more characters in the texts that come from replies or recordings, in
 * any encoding. The words of this program never have a part of a key, nor do the reasons why calls were
 * skipped, and neither have `names`, those of the schools of the sandbox on the right.
 */
export function withoutKeyParts(
  report: DifferenceReport,
  keys: readonly string[],
  names: readonly string[] = [],
): DifferenceReport {
  const mask = maskFor(keys);
  const maskOwn = maskExcept(mask, names);
  const ofDifference = (one: Difference): Difference =>
    isOfProbes(one)
      ? one
      : {
          ...one,
          id: maskPlace(one.id, mask),
          what: mask(one.what),
          left: mask(one.left),
          right: maskOwn(one.right),
        };
  return {
    ...report,
    title: mask(report.title),
    differences: report.differences.map(ofDifference),
  };
}

/** The probes of calibrate have masked what a service sent, and the rest is our own words. */
function isOfProbes({ id }: Difference): boolean {
  return id.startsWith('assumption:');
}

/** Only the place at the end of an id comes from a reply. */
function maskPlace(id: string, mask: Mask): string {
  const start = id.indexOf('/');
  return start < 0 ? id : `${id.slice(0, start)}${mask(id.slice(start))}`;
}
