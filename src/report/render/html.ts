import {
  counted,
  figuresOf,
  leftOutOf,
  verdictOf,
  type Sign,
  commandsNote,
  missingKinds,
  otherVerdictsText,
  type MissingSituation,
} from '../figures.ts';
import { conductSection } from './html-conduct.ts';
import { coverageSection } from './html-coverage.ts';
import { beyondSection } from './html-upstream.ts';
import { ExchangeStock } from './html-exchange.ts';
import { moment, codes, folded, listed, reportPage, section } from './html-parts.ts';
import { differencesSection, upstreamSection, violationsSection } from './html-violations.ts';
import { andMore } from '../../base/lists.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';
import { judge, noThresholds, type Thresholds } from '../thresholds.ts';
import { groupBy } from '../../base/group-by.ts';

/** How the command of a run failed, apart from what the report shows. */
export interface CommandFailure {
  readonly reason: string;
  /** Its last calls that did not succeed. */
  readonly calls: Report['exchanges'];
}

/**
 * Renders the report as a self-contained HTML page without scripts. What failed comes first: the command, and
 * the thresholds that were missed.
 */
export function toHtml(
  report: Report,
  thresholds: Thresholds | null = null,
  failure: CommandFailure | null = null,
): string {
  const known = new Set(report.exchanges.map(({ requestId }) => requestId));
  const calls = failure?.calls ?? [];
  const stock = new ExchangeStock({
    exchanges: [...report.exchanges, ...calls.filter(({ requestId }) => !known.has(requestId))],
  });
  const { missed, failing } = judge(report, thresholds ?? noThresholds);
  // The verdict says the same in words, so their ids are in small print.
  const own = failing.filter(({ kind }) => ['violation', 'unmatched', 'conduct'].includes(kind));
  const others = missed.filter((sentence) => !own.some(({ id }) => sentence.includes(id)));
  const title = `Report on the client of sandbox ${report.sandbox}`;
  const reasons = [...(failure === null ? [] : [failure.reason]), ...others];
  const header = markup`${reasons.map((one) => markup`<p class="verdict broken"><span class="sign">✗</span> ${one}</p>`)}
${verdict(report)}
${failingIds([...new Set(own.map(({ id }) => id))])}
${figures(report)}`;
  const main = markup`${calls.length === 0 ? nothing : lastCallsSection(calls, stock)}
${reportSections(report, stock)}`;
  return reportPage(title, header, main);
}

/** Returns the sections of a report, with what failed first. */
export function reportSections(report: Report, stock: ExchangeStock): Markup {
  return markup`${violationsSection(report, stock)}
${conductSection(report, stock)}
${upstreamSection(report, stock)}
${differencesSection(report, stock)}
${beyondSection(report)}
${coverageSection(report)}
${missingSection(report.situations)}`;
}

/** Maximum number of ids in the header. */
const maxIds = 5;

function failingIds(ids: readonly string[]): Markup {
  if (ids.length === 0) return nothing;
  const shown = listed(ids.slice(0, maxIds).map((id) => markup`<code class="command">${id}</code>`));
  return markup`<p class="small">What misses a threshold, for <code>--allow</code>: ${shown}${andMore(ids.length - maxIds)}</p>`;
}

/** Returns the section on the last calls of a command that failed. */
function lastCallsSection(calls: Report['exchanges'], stock: ExchangeStock): Markup {
  return section('last-calls', 'Last calls before the failure', [
    markup`<ol class="calls">${calls.map((call) => stock.call(call))}</ol>`,
  ]);
}

const classes: Readonly<Record<Sign, string>> = { '✗': 'broken', '!': 'should', '✓': 'kept', '–': 'open' };

function verdict(report: Report): Markup {
  const { sign, sentence } = verdictOf(report);
  const leftOut = leftOutOf(report);
  const { from, to } = report;
  const when =
    from === null || to === null
      ? nothing
      : markup`<p class="small">From ${moment(from)} to ${moment(to)}, UTC, on the sandbox's clock.${leftOut === null ? '' : ` ${leftOut}`}</p>`;
  return markup`<p class="verdict ${classes[sign]}"><span class="sign">${sign}</span> ${sentence}</p>\n${when}`;
}

/** Returns the main figures with links to their sections. */
function figures(report: Report): Markup {
  const { situations, coverage, calls, responseViolations: ofUpstream, responseDifferences: others } = report;
  const own = figuresOf(report);
  return markup`<dl class="figures">
${figure('contract', 'Contract', counted(own.violations, 'violation'), markup`${counted(report.violations.length, 'kind')}`)}
${figure('conduct', 'Conduct', `${own.broken.length} failed`, markup`${otherVerdictsText(own)}`)}
${ofUpstream === undefined ? nothing : figure('upstream', 'Upstream', counted(own.responseViolations, 'violation'), markup`${counted(ofUpstream.length, 'kind')}`)}
${others === undefined ? nothing : figure('differences', 'Assumptions', counted(own.responseDifferences, 'difference'), markup`${counted(others.length, 'kind')}`)}
${figure('coverage', 'Calls', String(calls), markup`to ${own.calledOperations} of ${counted(coverage.length, 'operation')}`)}
${figure('missing', 'Situations met', `${situations.percent} %`, markup`${situations.met} of ${situations.of} ${bar(situations)}`)}
</dl>`;
}

function figure(id: string, term: string, number: string, more: Markup): Markup {
  return markup`<div><dt><a href="#${id}">${term}</a></dt><dd><strong>${number}</strong> ${more}</dd></div>`;
}

function bar({ met, of }: Report['situations']): Markup {
  return markup`<meter min="0" max="${of}" value="${met}" aria-label="Situations met">${met} of ${of}</meter>`;
}

/**
 * Returns the section on missing situations with the commands to create them. They are collapsed because
 * there may be fifty.
 */
function missingSection({ missing, met, of }: Report['situations']): Markup {
  if (missing.length === 0)
    return section('missing', 'Missing situations', [markup`<p>None. All ${of} situations were met.</p>`]);
  const byKind = groupBy(missing, ({ kind }) => kind);
  const kinds = Object.entries(missingKinds).flatMap(([kind, title]) => {
    const own = byKind.get(kind);
    return own === undefined ? [] : [folded(markup`${title} (${own.length})`, markup`${own.map(situation)}`)];
  });
  return section('missing', 'Missing situations', [
    markup`<p>The client has met ${met} of ${of} recommended situations. The commands below create the others, directly or at the client's next call.</p>`,
    note(),
    ...kinds,
  ]);
}

function note(): Markup {
  const { variables, setBy, tokenHeader } = commandsNote;
  return markup`<p class="small variables">They use ${codes(variables)}, which <code>${setBy}</code> sets. If the server requires a control token, requests to
<code>$SANDBOX_CONTROL_URL</code> also need <code>${tokenHeader}</code>.</p>`;
}

/** The console adds buttons to the command, by its data. */
function situation({ kind, name, message, command }: MissingSituation): Markup {
  return markup`<p>${message}</p>\n<pre class="command" data-kind="${kind}" data-name="${name}"><code>${command}</code></pre>`;
}
