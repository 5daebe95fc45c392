import { assumptions } from '../../src/assumptions.ts';
import type { Calibration } from '../../src/upstream/calibrate/calibrate.ts';
import type { Difference } from '../../src/upstream/difference-report/report.ts';

/** Whether a calibration said something of a difference. */
export function isAnnounced(
  { what, operation: called, call, explanation }: Difference,
  calibration: Calibration,
): boolean {
  const { verdicts, beyond, departures } = calibration;
  const odd = verdicts.flatMap(({ option, why }) => (option === null && why !== null ? [why] : []));
  const said = [
    ...departures.map((one) => `${one.what}: ${one.service}; ${one.sandbox}`),
    ...odd,
    ...beyond.map(({ place, operation }) => `${operation} ${place}`),
  ].map((text) => text.toLowerCase());
  const [aspect = '', place = ''] = what.toLowerCase().split(' ');
  const last = place.replace(/\/\*$/, '').split('/').at(-1) ?? '';
  if (aspect === 'header' && said.some((text) => text.includes(`header ${place} `))) return true;
  // The members of a list have the name of the list.
  const names = new Set([last, place.endsWith('/*') ? last.replace(/s$/, '') : last]);
  if (aspect === 'shape' && said.some((text) => text.split(/[^\w-]+/).some((word) => names.has(word))))
    return true;
  if (aspect === 'shape' && said.some((text) => text.includes('members of a problem document'))) return true;
  if (aspect === 'encoding' && said.some((text) => text.includes('byte order mark'))) return true;
  const kinds: Readonly<Record<string, string>> = {
    'plain-text': 'a body of the type text',
    preflight: 'preflight',
    'empty-body': 'an empty body',
    'no-data-array': 'a body without a data array',
    'data-not-a-list': 'data that is not a list',
    'a-session-to-come': 'a future session',
    'page-before-the-first': 'page -1 of',
    'page-zero': 'page 0 of the video library',
    'nameless-instructor': 'with an empty name, at the address of an existing one',
    'other-course-type': 'a courseidentifier of an unknown type',
    'get-live-event-session-processed-mp4': 'the mp4 of a future session',
  };
  const kind = kinds[call] ?? kinds[called];
  if (kind !== undefined && said.some((text) => text.includes(kind))) return true;
  if (
    call.startsWith('unknown-') &&
    said.some((text) => /^an unknown \S+ of /.test(text) && text.includes(called))
  )
    return true;
  if (aspect === 'status' && said.some((text) => text.startsWith(`the status of outputs of ${called}:`)))
    return true;
  const verdict = verdicts.find(({ name }) => name === explanation?.assumption);
  return verdict !== undefined && verdict.option !== assumptions[verdict.name].default;
}
