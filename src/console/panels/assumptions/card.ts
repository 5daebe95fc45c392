import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Prose } from '../../parts/prose.ts';

interface Props {
  readonly assumption: Schemas['Assumption'];
  readonly busy: boolean;
  readonly onChoose: (name: string, option: string) => void;
}

/** One assumption: its question, the sentence that leaves it open, and its options. */
export function AssumptionCard({ assumption, busy, onChoose }: Props): VNode {
  const { name, question, sentence, section, options, default: usual, why, chosen } = assumption;
  const differs = chosen !== usual;
  return html`<article class=${differs ? 'card differs' : 'card'} aria-label=${name}>
    <fieldset disabled=${busy}>
      <legend>${question}</legend>
      <p class="soft">
        <code>${name}</code> ${differs && html`<strong class="mark">differs from the default</strong>`}
      </p>
      <blockquote>
        <${Prose} text=${sentence} />
        <cite>${` Specification, ${section}`}</cite>
      </blockquote>
      ${Object.entries(options).map(
        ([option, does]) =>
          html`<label key=${option} class="option">
            <input type="radio" name=${name} value=${option} checked=${option === chosen} onChange=${() => onChoose(name, option)} />
            <span><code>${option}</code>${option === usual && html` <em class="soft">default</em>`} <${Prose} text=${does} /></span>
          </label>`,
      )}
      <p class="soft">Why ${usual} is the default: <${Prose} text=${why} /></p>
      ${differs && html`<button type="button" onClick=${() => onChoose(name, usual)}>Reset to ${usual}</button>`}
    </fieldset>
  </article>`;
}
