import type { VNode } from 'preact';
import { ask } from '../../api.ts';
import { html } from '../../html.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { useLoad } from '../../parts/use-load.ts';

interface Props {
  readonly playing: string | null;
  readonly onPlay: (name: string) => void;
  readonly onStop: () => void;
}

/** All scenarios, each with a summary and the lesson for a client. */
export function Scenarios({ playing, onPlay, onStop }: Props): VNode {
  const { value, problem } = useLoad(() => ask('get', '/control/scenarios', {}), []);
  return html`<h2>Scenarios</h2>
    <p class="soft">A scenario is a list of fault rules that simulates an incident. Playing one ends the previous one and keeps the rules that you added.</p>
    <${ProblemNotice} problem=${problem} />
    ${value === null && problem === null && html`<${Loading} />`}
    ${
      playing !== null &&
      html`<p>
      Playing: <strong>${playing}</strong> <button type="button" onClick=${onStop}>End scenario</button>
    </p>`
    }
    <ul class="scenarios">
      ${value?.scenarios.map(
        ({ name, summary, lesson }) =>
          html`<li key=${name} class=${name === playing ? 'card chosen' : 'card'}>
            <button type="button" aria-pressed=${name === playing} onClick=${() => onPlay(name)}>
              ${name === playing && html`<span aria-hidden="true">▶ </span>`}Play ${name}
            </button>
            <p>${summary}</p>
            ${lesson !== undefined && html`<p class="soft">A robust client: ${lesson}</p>`}
          </li>`,
      )}
    </ul>`;
}
