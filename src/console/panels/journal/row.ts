import type { VNode } from 'preact';
import { html } from '../../html.ts';
import type { Entry } from '../../journal-stream.ts';
import { Badge, type Tone } from '../../parts/badge.ts';
import { Link } from '../../parts/link.ts';
import { OutcomeBadge } from '../../parts/outcome-badge.ts';
import { counted } from '../../parts/paged.ts';

interface RowProps {
  readonly entry: Entry;
  readonly to: string;
  readonly current: boolean;
  /** Whether another entry is open, whose place it takes. */
  readonly isNext: boolean;
  /** Whether the server no longer stores it. */
  readonly isEvicted: boolean;
  /** More badges do not fit into the line, besides that of the outcome. */
  readonly maxBadges: number;
}

/** One line of the journal; links to the details. */
export function JournalRow({ entry, to, current, isNext, isEvicted, maxBadges }: RowProps): VNode {
  const { receivedAt, method, operation, school, status, durationMs } = entry;
  const badges = [...(isEvicted ? [evicted] : []), ...remarksOf(entry)];
  const shown = badges.length > maxBadges ? badges.slice(0, maxBadges - 1) : badges;
  const hidden = badges.slice(shown.length);
  const names = hidden.map(({ text }) => text).join(', ');
  return html`<${Link} class=${isEvicted ? 'exchange evicted' : 'exchange'} to=${to} how=${isNext ? 'replace' : 'over'} current=${current}>
    <time datetime=${receivedAt}>${receivedAt.slice(11, 23)}</time>
    <span class="what">${method} <strong>${operation}</strong> <span class="soft">${school ?? 'no school'}</span></span>
    <span class="number">${status === 0 ? 'no response' : status}</span>
    <span class="number soft">${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms</span>
    <span class="badges">
      <${OutcomeBadge} outcome=${entry.outcome} />
      ${shown.map(({ tone, text, title }) => html`<${Badge} key=${text} tone=${tone} title=${title === '' ? text : `${text}: ${title}`}>${text}<//>`)}
      ${hidden.length > 0 && html`<span><${Badge} tone="plain" title=${names}>+${hidden.length}<span class="unseen"> more: ${names}</span><//></span>`}
    </span>
  <//>`;
}

interface Remark {
  readonly tone: Tone;
  readonly text: string;
  /** What the text means; empty if that is clear. */
  readonly title: string;
}

const evicted: Remark = {
  tone: 'plain',
  text: 'evicted',
  title: 'The journal has evicted this entry to make room. This page still shows it.',
};

/** Returns what is unusual about a call, the most important first. */
function remarksOf(entry: Entry): readonly Remark[] {
  const { faults, assumed, counts } = entry;
  const differences = "the response differs from the sandbox's assumptions";
  return [
    ...some(counts.violations, 'bad', (count) => counted(count, 'violation'), ''),
    ...some(
      counts.responseViolations,
      'bad',
      (count) => `${count} in the response`,
      'it violates the contract',
    ),
    ...faults.map(({ fault, rule }): Remark => ({
      tone: 'warn',
      text: `⚡ ${fault}`,
      title: rule === null ? 'requested by the call' : `rule ${rule}`,
    })),
    ...some(counts.responseDifferences, 'warn', (count) => `≠ ${count}`, differences),
    ...some(
      counts.hints,
      'warn',
      (count) => counted(count, 'hint'),
      'likely mistakes that did not fail the call',
    ),
    ...assumed.map((name): Remark => ({
      tone: 'plain',
      text: `? ${name}`,
      title: 'an assumption that affected the response',
    })),
  ];
}

/** Returns a remark with a number, or none if it is 0. */
function some(count: number, tone: Tone, words: (count: number) => string, title: string): readonly Remark[] {
  return count === 0 ? [] : [{ tone, text: words(count), title }];
}
