import { basename } from 'node:path';
import { isObject } from '../../base/is-object.ts';
import type { Report } from '../../report/report.ts';

/**
 * Puts the name of its file before each request id of a report, such as `job-2/default-7`, if another file
 * has a sandbox of the same name, as is usual for jobs. Otherwise the ids would not say which request is
 * meant.
 */
export function labelRequests(reports: readonly Report[], paths: readonly string[]): readonly Report[] {
  const all = reports.flatMap(({ sandbox }) => sandbox.split(', '));
  if (new Set(all).size === all.length) return reports;
  const names = paths.map((path) => basename(path).replace(/\.json$/i, ''));
  const areUnique = new Set(names).size === names.length;
  return reports.map((report, index) => {
    const label = areUnique ? names[index] : String(index + 1);
    // Only texts change.
    return labelled(report, `${label}/`) as Report;
  });
}

/** Returns a copy of JSON with a label before each value of `requestId` and `requestIds`. */
function labelled(json: unknown, label: string): unknown {
  if (Array.isArray(json)) return json.map((member) => labelled(member, label));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      if (name === 'requestId') return [name, `${label}${String(value)}`];
      if (name === 'requestIds' && Array.isArray(value)) return [name, value.map((id) => `${label}${id}`)];
      return [name, labelled(value, label)];
    }),
  );
}
