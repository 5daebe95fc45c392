import { placeOf, unlistedText, type Violation } from '../figures.ts';
import { groupBy } from '../../base/group-by.ts';
import type { ExchangeStock } from './html-exchange.ts';
import { folded, requests, section } from './html-parts.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';

/** Maximum number of kinds of violations shown per operation before the rest is collapsed. */
const maxOpen = 10;

/** Returns the section on contract violations by the client, by operation. */
export function violationsSection(report: Report, stock: ExchangeStock): Markup {
  const { violations, calls } = report;
  const none = calls === 0 ? 'The client made no calls.' : 'All calls match the contract.';
  const listed = lists(violations, none, (one) => violation(one, 'the body', stock));
  return section('contract', 'Contract violations', [...listed, ...rest(unlistedText(report, 'violations'))]);
}

/** Returns the section on contract violations by the upstream of a proxy; nothing if there is no upstream. */
export function upstreamSection(report: Report, stock: ExchangeStock): Markup {
  const { responseViolations } = report;
  if (responseViolations === undefined) return nothing;
  const none = 'All responses match the contract.';
  const listed = lists(responseViolations, none, (one) => violation(one, 'the response', stock));
  const content = [...listed, ...rest(unlistedText(report, 'responseViolations'))];
  return section('upstream', 'Contract violations by the service', content);
}

/** Returns the section on differences of the upstream from the assumptions; nothing if there is no upstream. */
export function differencesSection(report: Report, stock: ExchangeStock): Markup {
  const { responseDifferences } = report;
  if (responseDifferences === undefined) return nothing;
  const none = "All responses match the sandbox's assumptions.";
  const listed = lists(responseDifferences, none, (one) => violation(one, 'the response', stock, difference));
  const note = markup`<p class="small">The specification does not cover these points, so they are no violations.</p>`;
  const content = [note, ...listed, ...rest(unlistedText(report, 'responseDifferences'))];
  return section('differences', "Differences of the service from the sandbox's assumptions", content);
}

/** The class and the sign of a finding. */
const broken = ['broken', '✗'] as const;
const difference = ['advised', '≠'] as const;

function rest(text: string | null): readonly Markup[] {
  return text === null ? [] : [markup`<p>${text}</p>`];
}

function lists(
  violations: readonly Violation[],
  none: string,
  show: (violation: Violation) => Markup,
): readonly Markup[] {
  const byOperation = [...groupBy(violations, ({ operation }) => operation)];
  if (byOperation.length === 0) return [markup`<p>${none}</p>`];
  return byOperation.map(([operation, own]) => {
    const shown = own.slice(0, maxOpen).map(show);
    const more = own.slice(maxOpen).map(show);
    return markup`<h3><code>${operation}</code></h3>
${shown}
${more.length === 0 ? nothing : folded(markup`${more.length} more`, markup`${more}`)}`;
  });
}

function violation(
  one: Violation,
  whole: string,
  stock: ExchangeStock,
  [kind, sign]: typeof broken | typeof difference = broken,
): Markup {
  const { id, pointer, message, count, requestIds, scopes, unmatched } = one;
  const where = unmatched ? 'the request' : placeOf(pointer, whole);
  return markup`<article class="check ${kind}">
<p><span class="sign">${sign}</span> <strong>${count}×</strong> <code>${where}</code> ${message}</p>
<p class="small">Requests: ${requests(requestIds)}${scopes.length === 0 ? '' : `, in ${scopes.join(', ')}`}</p>
${stock.example(requestIds)}
<p class="small">To allow it: <code class="command">--allow '${id}'</code></p>
</article>`;
}
