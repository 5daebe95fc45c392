import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { Empty, Loading, ProblemNotice } from '../parts/notice.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoad } from '../parts/use-load.ts';
import type { PanelProps } from './panel.ts';
import { Mp4Player } from './player-mp4.ts';
import { loadRecordings, requestMp4, requestPlayback, type PlaybackSource, type Recordings } from './player-playback.ts';
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

/** What was asked for last. `round` grows with each request, so that a player is made anew. */
type Shown =
  | { readonly kind: 'sources'; readonly round: number; readonly sources: readonly PlaybackSource[]; readonly chosen: number }
  | { readonly kind: 'mp4'; readonly round: number; readonly url: string };

function Chooser({ sandbox, recordings: { baseUrl, sessions } }: { readonly sandbox: string; readonly recordings: Recordings }): VNode {
  const [shown, setShown] = useState<Shown | null>(null);
  const { busy, problem, run } = useAction();
  const request = (event: SubmitEvent): void => {
    event.preventDefault();
    const id = new FormData(event.currentTarget as HTMLFormElement).get('session');
    const session = sessions.find((one) => one.id === id);
    if (session === undefined) return;
    const kind = (event.submitter as HTMLButtonElement | null)?.value === 'mp4' ? 'mp4' : 'sources';
    const round = (shown?.round ?? 0) + 1;
    void run(async () => {
      if (kind === 'mp4') setShown({ kind, round, url: await requestMp4(sandbox, baseUrl, session) });
      else setShown({ kind, round, sources: await requestPlayback(sandbox, baseUrl, session), chosen: 0 });
    });
  };
  return html`<form class="row" onSubmit=${request}>
      <label class="row session">
        Session
        <select name="session">
          ${sessions.map(({ id, title, school }) => html`<option key=${id} value=${id}>${`${title} (${school})`}</option>`)}
        </select>
      </label>
      <button class="main" disabled=${busy} value="sources">Get the playback data</button>
      <button disabled=${busy} value="mp4">Get the mp4</button>
    </form>
    <p class="soft">
      Asks get-signed-url-data-for-live-event-session-playback, or get-live-event-session-processed-mp4, with the school's key, as a client does.
    </p>
    <${ProblemNotice} problem=${problem} />
    ${
      shown?.kind === 'sources' &&
      html`<${Sources} sandbox=${sandbox} shown=${shown} onChoose=${(chosen: number) => setShown({ ...shown, chosen })} />`
    }
    ${shown?.kind === 'mp4' && html`<${Mp4Player} key=${shown.round} sandbox=${sandbox} url=${shown.url} />`}`;
}

interface SourcesProps {
  readonly sandbox: string;
  readonly shown: Extract<Shown, { kind: 'sources' }>;
  readonly onChoose: (place: number) => void;
}

/** The sources of a session, by the last part of their place, and the one that is chosen. */
function Sources({ sandbox, shown: { sources, chosen, round }, onChoose }: SourcesProps): VNode {
  const source = sources[chosen];
  return html`<div class="row sources" role="group" aria-label="Sources">
      ${sources.map(
        ({ masterM3u8Pathname }, place) =>
          html`<button key=${masterM3u8Pathname} type="button" aria-pressed=${place === chosen} onClick=${() => onChoose(place)}>
            ${masterM3u8Pathname.split('/').at(-2)}
          </button>`,
      )}
    </div>
    ${source !== undefined && html`<${SourcePlayer} key=${`${round} ${chosen}`} sandbox=${sandbox} source=${source} />`}`;
}
