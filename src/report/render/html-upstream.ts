import { markup, nothing, type Markup } from '../../base/markup.ts';
import { beyondText } from '../../contract/beyond-counts.ts';
import { milliseconds } from '../figures.ts';
import type { Report } from '../report.ts';
import { numberHead, section, table } from './html-parts.ts';

/** Returns the section on what the service sends beyond the contract, with its latencies; nothing if there is no service. */
export function beyondSection({ beyondContract, latencies = [] }: Report): Markup {
  if (beyondContract === undefined) return nothing;
  return section('beyond', 'What the service sends beyond the contract', [
    beyondContract.length === 0 ? markup`<p>Nothing.</p>` : beyondTable(beyondContract),
    latencies.length === 0 ? nothing : latencyTable(latencies),
  ]);
}

function beyondTable(all: NonNullable<Report['beyondContract']>): Markup {
  const rows = all.map(
    (one) =>
      markup`<tr><td class="number">${one.count}</td><th scope="row"><code>${one.operation}</code></th><td>${beyondText(one)}</td><td><code>${one.example.pointer}</code> ${one.example.requestId}</td></tr>`,
  );
  const heads = [numberHead('times'), 'Operation', 'What', 'Example'];
  return table(
    'Undocumented fields, values, formats, nulls and types',
    heads,
    markup`<tbody>${rows}</tbody>`,
  );
}

function latencyTable(all: NonNullable<Report['latencies']>): Markup {
  const rows = all.map(
    ({ operation, count, p50Ms, p99Ms }) =>
      markup`<tr><th scope="row"><code>${operation}</code></th><td class="number">${count}</td><td class="number">${milliseconds(p50Ms)}</td><td class="number">${milliseconds(p99Ms)}</td></tr>`,
  );
  const heads = ['Operation', ...['responses', 'median', '99th percentile'].map(numberHead)];
  return markup`<h3>Latencies</h3>\n${table('Time until the response of the service was complete', heads, markup`<tbody>${rows}</tbody>`)}`;
}
