import type { VNode } from 'preact';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { useLoad } from '../../parts/use-load.ts';
import type { PanelProps } from '../panel.ts';
import { Conduct } from './conduct.ts';
import { Coverage } from './coverage.ts';
import { Evidence } from './evidence.ts';
import { ReportFiles } from './files.ts';
import { Forms } from './forms.ts';
import { SituationsPart } from './situations.ts';
import './report.css';

type Report = Schemas['Report'];

/** The report on the client, from the journal. */
export function ReportPanel({ sandbox }: PanelProps): VNode {
  const { value, problem, refresh } = useLoad(() => ask('get', '/control/sandboxes/{id}/report', { id: sandbox }), [sandbox]);
  return html`<section class="report">
    <div class="row">
      <button type="button" onClick=${refresh}>Refresh report</button>
      <${ReportFiles} sandbox=${sandbox} />
    </div>
    <${ProblemNotice} problem=${problem} />
    ${value === null ? problem === null && html`<${Loading} />` : html`<${Content} report=${value} />`}
  </section>`;
}

function Content({ report }: { readonly report: Report }): VNode {
  const { sandbox, calls, evicted, situations, violations, responseViolations, conduct, coverage, neverCalled } = report;
  return html`
    <p class="soft">
      ${
        calls === 0
          ? 'No calls yet. Run a client against the sandbox, then refresh the report.'
          : `${calls} ${calls === 1 ? 'call' : 'calls'}${evicted === 0 ? '' : `; not counted: ${evicted} older calls that the journal no longer has`}`
      }
    </p>
    <${SituationsPart} sandbox=${sandbox} situations=${situations} />
    <h2>Coverage</h2>
    <${Coverage} coverage=${coverage} neverCalled=${neverCalled} />
    <${Forms} coverage=${coverage} />
    <h2>Violations</h2>
    <${Violations} sandbox=${sandbox} violations=${violations} none="None. All requests match the contract." whole="the body" />
    ${
      responseViolations !== undefined &&
      html`<h2>Violations by the upstream</h2>
        <${Violations} sandbox=${sandbox} violations=${responseViolations} none="None. All responses match the contract." whole="the response" />`
    }
    <h2>Conduct</h2>
    <${Conduct} sandbox=${sandbox} checks=${conduct} />
  `;
}

interface ViolationsProps {
  readonly sandbox: string;
  readonly violations: Report['violations'];
  /** The text for an empty list. */
  readonly none: string;
  /** The name for the location of violations with an empty pointer. */
  readonly whole: string;
}

function Violations({ sandbox, violations, none, whole }: ViolationsProps): VNode {
  if (violations.length === 0) return html`<p class="soft">${none}</p>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label=${`Violations in ${whole}`}>
    <table>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Where</th>
          <th scope="col">What</th>
          <th scope="col" class="number">Times</th>
          <th scope="col">Calls</th>
        </tr>
      </thead>
      <tbody>
        ${violations.map(
          ({ operation, pointer, message, count, requestIds }) =>
            html`<tr key=${`${operation} ${pointer} ${message}`}>
              <th scope="row">${operation}</th>
              <td><code>${pointer === '' ? whole : pointer}</code></td>
              <td>${message}</td>
              <td class="number">${count}</td>
              <td><${Evidence} sandbox=${sandbox} requestIds=${requestIds} /></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
