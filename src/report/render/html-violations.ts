import { placeOf, unlistedText, type Violation } from '../figures.ts';
import { groupBy } from '../../base/group-by.ts';
import { numberHead, requests, section, table } from './html-parts.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';

/** Returns the section on contract violations by the client, by operation. */
export function violationsSection(report: Report): Markup {
  const { violations, calls } = report;
  const none = calls === 0 ? 'The client made no calls.' : 'All calls match the contract.';
  const content = [...tables(violations, none, 'the body'), ...rest(unlistedText(report, 'violations'))];
  return section('contract', 'Contract violations', content);
}

/** Returns the section on contract violations by the upstream of a proxy; nothing if there is no upstream. */
export function upstreamSection(report: Report): Markup {
  const { responseViolations } = report;
  if (responseViolations === undefined) return nothing;
  const listed = tables(responseViolations, 'All responses match the contract.', 'the response');
  const content = [...listed, ...rest(unlistedText(report, 'responseViolations'))];
  return section('upstream', 'Contract violations by the upstream', content);
}

function rest(text: string | null): readonly Markup[] {
  return text === null ? [] : [markup`<p>${text}</p>`];
}

function tables(violations: readonly Violation[], none: string, whole: string): readonly Markup[] {
  const byOperation = [...groupBy(violations, ({ operation }) => operation)];
  return byOperation.length === 0
    ? [markup`<p>${none}</p>`]
    : byOperation.map((one) => ofOperation(one, whole));
}

function ofOperation(
  [operation, violations]: readonly [string, readonly Violation[]],
  whole: string,
): Markup {
  const rows = violations.map(
    ({ pointer, message, count, requestIds }) =>
      markup`<tr><td class="number">${count}</td><td><code>${placeOf(pointer, whole)}</code></td><td>${message}</td><td>${requests(requestIds)}</td></tr>`,
  );
  return markup`<h3><code>${operation}</code></h3>
${table(`Violations at ${operation}`, [numberHead('Times'), 'Where', 'What', 'Requests'], markup`<tbody>${rows}</tbody>`, 'told above')}`;
}
