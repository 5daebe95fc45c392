import type { Histogram } from '../base/histogram.ts';

type Labels = Readonly<Record<string, string>>;

/** A value with its labels, and the end of its name if it is a part of a histogram. */
export type Sample = readonly [labels: Labels, value: number, part?: string];

/** Returns a metric in the text format of Prometheus, version 0.0.4. */
export function metricText(
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  samples: readonly Sample[],
): string {
  const full = `lp_sandbox_${name}`;
  const lines = samples.map(([labels, value, part = '']) => `${full}${part}${labelsText(labels)} ${value}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}\n`;
}

/** Returns a metric with a single value, without labels. */
export function valueText(type: 'counter' | 'gauge', name: string, help: string, value: number): string {
  return metricText(type, name, help, [[{}, value]]);
}

function labelsText(labels: Labels): string {
  // JSON escapes the characters that Prometheus requires to be escaped: quotes, backslashes and line feeds. A
  // name of an operation or a fault has nothing else.
  const written = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return written.length === 0 ? '' : `{${written.join(',')}}`;
}

export function samplesOf(
  counts: ReadonlyMap<string, number>,
  label: string,
  others: Labels = {},
): readonly Sample[] {
  return [...counts].map(([name, count]) => [{ ...others, [label]: name }, count]);
}

/** Returns the parts of a histogram: the values up to each bound, the sum of all, and their number. */
export function histogramOf(histogram: Histogram, labels: Labels = {}): readonly Sample[] {
  const cumulated = histogram.cumulated();
  const buckets = cumulated.map((count, index): Sample => {
    return [{ le: String(histogram.bounds[index] ?? '+Inf'), ...labels }, count, '_bucket'];
  });
  return [...buckets, [labels, histogram.sum, '_sum'], [labels, cumulated.at(-1) ?? 0, '_count']];
}
