import type { VNode } from 'preact';
import { html } from '../../html.ts';
import type { Entry } from '../../journal-stream.ts';
import { Badge } from '../../parts/badge.ts';
import { Link } from '../../parts/link.ts';
import { OutcomeBadge } from '../../parts/outcome-badge.ts';

interface RowProps {
  readonly entry: Entry;
  readonly to: string;
  readonly current: boolean;
  /** Whether the server no longer stores it. */
  readonly isEvicted: boolean;
}

/** One line of the journal; links to the details. */
export function JournalRow({ entry, to, current, isEvicted }: RowProps): VNode {
  const {
    receivedAt,
    operation,
    school,
    status,
    outcome,
    durationMs,
    faults,
    assumed,
    violations,
    responseViolations = [],
    responseDifferences = [],
    hints = [],
  } = entry;
  return html`<${Link} class=${isEvicted ? 'exchange evicted' : 'exchange'} to=${to} current=${current}>
    <time datetime=${receivedAt}>${receivedAt.slice(11, 23)}</time>
    <span class="what">POST <strong>${operation}</strong> <span class="soft">${school ?? 'no school'}</span></span>
    <span class="number">${status === 0 ? 'no response' : status}</span>
    <span class="number soft">${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms</span>
    <span class="badges">
      ${isEvicted && html`<${Badge} tone="plain" title="The journal has evicted this entry to make room. This page still shows it.">evicted<//>`}
      <${OutcomeBadge} outcome=${outcome} />
      ${violations.length > 0 && html`<${Badge} tone="bad">${violations.length} ${violations.length === 1 ? 'violation' : 'violations'}<//>`}
      ${responseViolations.length > 0 && html`<${Badge} tone="bad" title="the response violates the contract">${responseViolations.length} in the response<//>`}
      ${responseDifferences.length > 0 && html`<${Badge} tone="warn" title="the response differs from the sandbox's assumptions">≠ ${responseDifferences.length}<//>`}
      ${hints.length > 0 && html`<${Badge} tone="warn" title="likely mistakes that did not fail the call">${hints.length} ${hints.length === 1 ? 'hint' : 'hints'}<//>`}
      ${faults.map(({ fault, rule }) => html`<${Badge} tone="warn" title=${rule === null ? 'requested by the call' : `rule ${rule}`}>⚡ ${fault}<//>`)}
      ${assumed.map((name) => html`<${Badge} tone="plain" title="an assumption that affected the response">? ${name}<//>`)}
    </span>
  <//>`;
}
