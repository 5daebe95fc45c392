import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { Empty, Loading, ProblemNotice } from '../parts/notice.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoad } from '../parts/use-load.ts';
import type { PanelProps } from './panel.ts';
import { loadRecordings, requestPlayback, type PlaybackSource, type Recordings } from './player-playback.ts';
import { SourcePlayer } from './player-source.ts';
import './player.css';

/** Plays a session's recording with the data that the public API returned. */
export function PlayerPanel({ sandbox }: PanelProps): VNode {
  const { value, problem } = useLoad(() => loadRecordings(sandbox), [sandbox]);
  if (value === null) return problem === null ? html`<${Loading} />` : html`<${ProblemNotice} problem=${problem} />`;
  if (new URL(value.baseUrl).origin !== location.origin) {
    return html`<${Empty}>The recordings are at another origin than this page (${value.baseUrl}), which may not fetch from there.<//>`;
  }
  if (value.sessions.length === 0) return html`<${Empty}>No session of this sandbox has ended and was recorded.<//>`;
  return html`<${Chooser} sandbox=${sandbox} recordings=${value} />`;
}

interface Playing {
  readonly sources: readonly PlaybackSource[];
  readonly chosen: number;
  /** Grows with each request, so that a player is made anew. */
  readonly round: number;
}

function Chooser({ sandbox, recordings: { baseUrl, sessions } }: { readonly sandbox: string; readonly recordings: Recordings }): VNode {
  const [playing, setPlaying] = useState<Playing | null>(null);
  const { busy, problem, run } = useAction();
  const request = (event: SubmitEvent): void => {
    event.preventDefault();
    const id = new FormData(event.currentTarget as HTMLFormElement).get('session');
    const session = sessions.find((one) => one.id === id);
    if (session === undefined) return;
    void run(async () => {
      const sources = await requestPlayback(sandbox, baseUrl, session);
      setPlaying((before) => ({ sources, chosen: 0, round: (before?.round ?? 0) + 1 }));
    });
  };
  const source = playing?.sources[playing.chosen];
  return html`<form class="row" onSubmit=${request}>
      <label class="row session">
        Session
        <select name="session">
          ${sessions.map(({ id, title, school }) => html`<option key=${id} value=${id}>${`${title} (${school})`}</option>`)}
        </select>
      </label>
      <button class="main" disabled=${busy}>Get the playback data</button>
    </form>
    <p class="soft">Asks get-signed-url-data-for-live-event-session-playback with the school's key, as a client does.</p>
    <${ProblemNotice} problem=${problem} />
    ${
      playing !== null &&
      html`<div class="row sources" role="group" aria-label="Sources">
      ${playing.sources.map(
        ({ masterM3u8Pathname }, place) =>
          html`<button
            key=${masterM3u8Pathname}
            type="button"
            aria-pressed=${place === playing.chosen}
            onClick=${() => setPlaying({ ...playing, chosen: place })}
          >
            ${masterM3u8Pathname.split('/').at(-2)}
          </button>`,
      )}
    </div>`
    }
    ${source !== undefined && html`<${SourcePlayer} key=${`${playing?.round} ${playing?.chosen}`} sandbox=${sandbox} source=${source} />`}`;
}
