import type { VNode } from 'preact';
import { ask } from '../api.ts';
import { html } from '../html.ts';
import { Loading, ProblemNotice } from '../parts/notice.ts';
import { useLoad } from '../parts/use-load.ts';

interface Props {
  readonly playing: string | null;
  readonly onPlay: (name: string) => void;
  readonly onStop: () => void;
}

/** The scripts of faults, each with what happens and what a client learns from it. */
export function Scenarios({ playing, onPlay, onStop }: Props): VNode {
  const { value, problem } = useLoad(() => ask('get', '/control/scenarios', {}), []);
  return html`<h2>Scenarios</h2>
    <p class="soft">A scenario is a script of rules that plays a bad day. One plays at a time; rules that you added stay.</p>
    <${ProblemNotice} problem=${problem} />
    ${value === null && problem === null && html`<${Loading} />`}
    ${
      playing !== null &&
      html`<p>
      Playing: <strong>${playing}</strong> <button type="button" onClick=${onStop}>End the scenario</button>
    </p>`
    }
    <ul class="scenarios">
      ${value?.scenarios.map(
        ({ name, summary, lesson }) =>
          html`<li key=${name} class=${name === playing ? 'card chosen' : 'card'}>
            <button type="button" aria-pressed=${name === playing} onClick=${() => onPlay(name)}>
              ${name === playing && html`<span aria-hidden="true">▶ </span>`}${name}
            </button>
            <p>${summary}</p>
            ${lesson !== undefined && html`<p class="soft">A client that copes: ${lesson}</p>`}
          </li>`,
      )}
    </ul>`;
}
