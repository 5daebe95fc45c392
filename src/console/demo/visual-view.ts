import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Film } from '../school/film.ts';
import { Picture } from '../school/picture.ts';
import { toneOf } from './call-view.ts';
import type { Finding, Posters, Visual } from './played.ts';

/** What the calls achieved, at a glance. */
export function VisualView({ visual }: { readonly visual: Visual }): VNode {
  switch (visual.kind) {
    case 'posters':
      return html`<div class="visual">${visual.groups.map((group) => html`<${PosterRow} key=${group.title} group=${group} />`)}</div>`;
    case 'statuses':
      return html`<${Statuses} statuses=${visual.statuses} />`;
    case 'count':
      return html`<${Count} count=${visual} />`;
    case 'score':
      return html`<p class="visual score"><strong>${visual.right} of ${visual.of}</strong> <span>answers of ${visual.name} are correct</span></p>`;
    case 'film':
      return html`<div class="visual screen"><${Film} source=${visual.source} /></div>`;
    case 'findings':
      return html`<ul class="visual findings">${visual.findings.map((finding) => html`<${FindingLine} key=${finding.text} finding=${finding} />`)}</ul>`;
  }
}

function PosterRow({ group: { title, events } }: { readonly group: Posters }): VNode {
  return html`<section aria-label=${title}>
    <h2>${title} <span class="soft small">${events.length} live events</span></h2>
    <ul class="posters">
      ${events.map(({ name, url }) => html`<li key=${name}><${Picture} class="poster" url=${url} name=${name} /><span class="small">${name}</span></li>`)}
    </ul>
  </section>`;
}

interface CountProps {
  readonly count: Extract<Visual, { readonly kind: 'count' }>;
}

/** The ids that were returned, and the number of instructors before and after. */
function Count({ count: { before, after, ids } }: CountProps): VNode {
  return html`<dl class="visual count">
    ${ids.map((id, place) => html`<div key=${place}><dt>Id in response ${place + 1}</dt><dd><code>${id}</code></dd></div>`)}
    <div><dt>Instructors before</dt><dd>${before}</dd></div>
    <div><dt>Instructors after</dt><dd>${after}</dd></div>
  </dl>`;
}

/** The statuses of calls in their order. */
function Statuses({ statuses }: { readonly statuses: readonly number[] }): VNode {
  return html`<ol class="visual statuses" aria-label="Statuses of the calls">
    ${statuses.map((status, place) => html`<li key=${place} class=${toneOf(status)}>${status === 0 ? 'lost' : status}</li>`)}
  </ol>`;
}

const signs = { good: '✓', bad: '✗', open: '–' } as const;
const names = { good: 'Good', bad: 'Bad', open: 'Open' } as const;

function FindingLine({ finding: { tone, text } }: { readonly finding: Finding }): VNode {
  return html`<li class=${tone}>
    <span aria-hidden="true">${signs[tone]}</span>
    <span><span class="unseen">${names[tone]}: </span>${text}</span>
  </li>`;
}
