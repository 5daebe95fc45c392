import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Outcome, useDoing } from '../../parts/doing.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { Prose } from '../../parts/prose.ts';
import { useLoad } from '../../parts/use-load.ts';
import type { PanelProps } from '../panel.ts';
import './assumptions.css';

type Assumption = Schemas['Assumption'];
type AssumptionList = Schemas['AssumptionList'];

/** The points that the specification leaves open, with the current option of each and a way to change it. */
export function AssumptionsPanel({ sandbox: id, query }: PanelProps): VNode {
  const { value, problem, refresh } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/assumptions', { sandboxId: id }),
    [id],
  );
  const doing = useDoing();
  const [text, setText] = useState(query.get('search') ?? '');
  const [onlyChanged, setOnlyChanged] = useState(false);

  const change = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    await doing.run(act, done);
    refresh();
  };
  const choose = (name: string, option: string) =>
    change(
      () => ask('patch', '/control/sandboxes/{sandboxId}/assumptions', { sandboxId: id }, { [name]: option }),
      `Set ${name} to ${option}.`,
    );
  const chooseProfile = (profile: string) =>
    change(
      () => ask('put', '/control/sandboxes/{sandboxId}/profile', { sandboxId: id }, { profile }),
      `Applied the profile ${profile}.`,
    );

  if (value === null)
    return problem === null ? html`<${Loading} />` : html`<${ProblemNotice} problem=${problem} />`;
  const changed = value.assumptions.filter(({ chosen, default: usual }) => chosen !== usual);
  const shown = (onlyChanged ? changed : value.assumptions).filter((assumption) =>
    mentions(assumption, text),
  );

  return html`<section class="assumptions">
    <p class="soft">${`The specification leaves ${value.assumptions.length} points open; ${changed.length} differ from the default.`}</p>
    <${Profiles} list=${value} onChoose=${chooseProfile} />
    <${Outcome} doing=${doing} />
    <${ProblemNotice} problem=${problem} />
    <div class="row" role="search">
      <label class="row">
        Search
        <input type="search" value=${text} onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value)} />
      </label>
      <label class="check-label">
        <input type="checkbox" checked=${onlyChanged} onChange=${() => setOnlyChanged(!onlyChanged)} />
        Show only non-default options
      </label>
    </div>
    ${
      shown.length === 0 &&
      html`<p class="soft">
      ${text === '' ? 'Every assumption has its default option.' : `No assumption${onlyChanged ? ' with a non-default option' : ''} contains “${text}”.`}
    </p>`
    }
    ${shown.map((assumption) => html`<${AssumptionCard} key=${assumption.name} assumption=${assumption} onChoose=${choose} />`)}
  </section>`;
}

function mentions({ name, question, sentence, section, options }: Assumption, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [name, question, sentence, section, ...Object.entries(options).flat()].some((part) =>
    part.toLowerCase().includes(wanted),
  );
}

interface ProfilesProps {
  readonly list: AssumptionList;
  readonly onChoose: (profile: string) => void;
}

/** The profiles as buttons; the profile whose options are all in effect is marked. */
function Profiles({ list: { assumptions, profiles }, onChoose }: ProfilesProps): VNode {
  const isInForce = (options: Readonly<Record<string, string>>): boolean =>
    assumptions.every(({ name, chosen, default: usual }) => chosen === (options[name] ?? usual));
  return html`<fieldset class="row profiles">
    <legend>Apply a profile. This also resets every assumption that the profile does not set.</legend>
    ${Object.entries(profiles).map(([name, options]) => {
      const count = Object.keys(options).length;
      return html`<button key=${name} type="button" aria-pressed=${isInForce(options)} onClick=${() => onChoose(name)}>
        ${isInForce(options) && html`<span aria-hidden="true">✓ </span>`}Apply ${name}
        <span class="soft">${count === 0 ? ' all defaults' : ` ${count} not default`}</span>
      </button>`;
    })}
  </fieldset>`;
}

interface CardProps {
  readonly assumption: Schemas['Assumption'];
  readonly onChoose: (name: string, option: string) => void;
}

/** One assumption: its question, the sentence that leaves it open, and its options. */
function AssumptionCard({ assumption, onChoose }: CardProps): VNode {
  const { name, question, sentence, section, options, default: usual, why, chosen } = assumption;
  const differs = chosen !== usual;
  return html`<article class=${differs ? 'card differs' : 'card'} aria-label=${name}>
    <fieldset>
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
