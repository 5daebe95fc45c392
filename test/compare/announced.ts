import { assumptions } from '../../src/assumptions.ts';
import type { Calibration } from '../../src/upstream/calibrate/calibrate.ts';
import type { Difference } from '../../src/upstream/difference-report/report.ts';

/** Whether a calibration said something of a difference. */
export function isAnnounced(
  { what, operation: called, call, explanation }: Difference,
  calibration: Calibration,
): boolean {
  const { verdicts, beyond, departures } = calibration;
  const said = [
    ...departures.map((one) => `${one.what}: ${one.service}`),
    ...beyond.map(({ place, operation }) => `${operation} ${place}`),
  ].map((text) => text.toLowerCase());
  const [aspect = '', place = ''] = what.toLowerCase().split(' ');
  const last = place.slice(place.lastIndexOf('/') + 1);
  if (aspect === 'header' && said.some((text) => text.includes(`header ${place} `))) return true;
  if (aspect === 'shape' && said.some((text) => text.split(/[^\w-]+/).includes(last))) return true;
  if (aspect === 'shape' && said.some((text) => text.includes('members of a problem document'))) return true;
  if (aspect === 'encoding' && said.some((text) => text.includes('byte order mark'))) return true;
  const kinds: Readonly<Record<string, string>> = {
    'plain-text': 'a body of the type text',
    preflight: 'preflight',
    'get-live-event-session-processed-mp4': 'the mp4 of a future session',
  };
  const kind = kinds[call] ?? kinds[called];
  if (kind !== undefined && said.some((text) => text.includes(kind))) return true;
  const verdict = verdicts.find(({ name }) => name === explanation?.assumption);
  return verdict !== undefined && verdict.option !== assumptions[verdict.name].default;
}
