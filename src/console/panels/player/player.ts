import type { TargetedSubmitEvent, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../../html.ts';
import { mayAutoplay } from '../../parts/autoplay.ts';
import { Button } from '../../parts/button.ts';
import { Empty, Loading, ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { useLoad } from '../../parts/use-load.ts';
import type { PanelProps } from '../panel.ts';
import {
  letExpire,
  loadRecordings,
  type PlaybackSource,
  reason,
  type Recordings,
  requestMp4,
  requestPlayback,
} from './playback.ts';
import { SourcePlayer } from './source.ts';
import './player.css';

/** Plays a session's recording with the data that the public API returned. */
export function PlayerPanel({ sandbox, query }: PanelProps): VNode {
  const { value, problem } = useLoad(() => loadRecordings(sandbox), [sandbox]);
  if (value === null)
    return problem === null ? html`<${Loading} />` : html`<${ProblemNotice} problem=${problem} />`;
  if (new URL(value.baseUrl).origin !== location.origin) {
    return html`<${Empty}>This page cannot play the recordings, because they have another origin (${value.baseUrl}).<//>`;
  }
  if (value.sessions.length === 0)
    return html`<${Empty}>This sandbox has no recorded session that has ended.<//>`;
  return html`<${Chooser} sandbox=${sandbox} recordings=${value} first=${query.get('session')} />`;
}

/** The last response. `round` grows with each request, so that the player is remounted. */
type Shown =
  | {
      readonly kind: 'sources';
      readonly round: number;
      readonly sources: readonly PlaybackSource[];
      readonly chosen: number;
    }
  | { readonly kind: 'mp4'; readonly round: number; readonly url: string };

interface ChooserProps {
  readonly sandbox: string;
  readonly recordings: Recordings;
  /** The id of the session to play at first, as the address says; null for none. */
  readonly first: string | null;
}

function Chooser({ sandbox, recordings: { baseUrl, sessions }, first }: ChooserProps): VNode {
  const [shown, setShown] = useState<Shown | null>(null);
  const { busy, problem, run } = useAction();
  const play = (id: unknown, kind: Shown['kind']): void => {
    const session = sessions.find((one) => one.id === id);
    if (session === undefined) return;
    const round = (shown?.round ?? 0) + 1;
    void run(async () => {
      if (kind === 'mp4') setShown({ kind, round, url: await requestMp4(sandbox, baseUrl, session) });
      else setShown({ kind, round, sources: await requestPlayback(sandbox, baseUrl, session), chosen: 0 });
    });
  };
  useEffect(() => play(first, 'sources'), [first]);
  const request = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { submitter } = event;
    const kind = submitter instanceof HTMLButtonElement && submitter.value === 'mp4' ? 'mp4' : 'sources';
    play(new FormData(event.currentTarget).get('session'), kind);
  };
  return html`<form class="row" onSubmit=${request}>
      <label class="row session">
        Session
        <select name="session">
          ${sessions.map(({ id, title, schoolName }) => html`<option key=${id} value=${id} selected=${id === first}>${`${title} (${schoolName})`}</option>`)}
        </select>
      </label>
      <${Button} class="main" off=${busy} value="sources">Get playback data<//>
      <${Button} off=${busy} value="mp4">Get mp4<//>
    </form>
    <p class="soft">
      Calls get-signed-url-data-for-live-event-session-playback, or get-live-event-session-processed-mp4, with the key of the session's school.
    </p>
    <${ProblemNotice} problem=${problem} />
    ${shown === null && problem === null && !busy && html`<${Empty}>Nothing plays yet. Choose a session, and press “Get playback data” to play its recording as a client would.<//>`}
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

/** The sources of a session, labeled by the last folder of their path, and the selected one. */
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

interface Mp4Props {
  readonly sandbox: string;
  /** The URL exactly as the public API returned it. */
  readonly url: string;
}

/** Plays the mp4 of a session, and lets its URL expire. */
function Mp4Player({ sandbox, url }: Mp4Props): VNode {
  const [round, setRound] = useState(0);
  const [told, setTold] = useState('');
  const { busy, problem, run } = useAction();
  const again = (): void => {
    setTold('');
    setRound((before) => before + 1);
  };
  const expire = (): Promise<boolean> =>
    run(async () => {
      await letExpire(sandbox, new URL(url).search, again);
      setTold(`The URL has expired. A new request returns: ${await reason(url)}`);
    });
  const tell = (): void =>
    void reason(url).then((why) => setTold(`Playback failed. The server returned: ${why}`));
  return html`<div class="player">
    <div>
      <video key=${round} src=${url} controls muted autoplay=${mayAutoplay()} playsinline aria-label="The mp4" onError=${tell}></video>
      <p role="status">${told}</p>
    </div>
    <div>
      <dl>
        <div>
          <dt>downloadUrl</dt>
          <dd><code>${url}</code></dd>
        </div>
      </dl>
      <div class="row">
        <a href=${url} download>Download mp4</a>
        <${Button} type="button" off=${busy} onClick=${expire}>Expire URL<//>
        <button type="button" onClick=${again}>Replay video</button>
      </div>
      <p class="soft small">“Expire URL” moves the sandbox's clock past the expiry of the URL. Data that the browser has already loaded continues to play.</p>
      <${ProblemNotice} problem=${problem} />
    </div>
  </div>`;
}
