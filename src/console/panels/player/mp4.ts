import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../../html.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { letExpire, reason } from './playback.ts';

interface Props {
  readonly sandbox: string;
  /** The URL exactly as the public API returned it. */
  readonly url: string;
}

/** Plays the mp4 of a session, and lets its URL expire. */
export function Mp4Player({ sandbox, url }: Props): VNode {
  const [round, setRound] = useState(0);
  const [told, setTold] = useState('');
  const { busy, problem, run } = useAction();
  const again = (): void => {
    setTold('');
    setRound((before) => before + 1);
  };
  const expire = (): Promise<boolean> =>
    run(async () => {
      await letExpire(sandbox, new URL(url).search);
      setTold(`The URL has expired. A new request returns: ${await reason(url)}`);
    });
  const tell = (): void => void reason(url).then((why) => setTold(`Playback failed. The server returned: ${why}`));
  return html`<div class="player">
    <div>
      <video key=${round} src=${url} controls muted autoplay playsinline aria-label="The mp4" onError=${tell}></video>
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
        <button type="button" disabled=${busy} onClick=${expire}>Expire URL</button>
        <button type="button" onClick=${again}>Replay video</button>
      </div>
      <p class="soft small">“Expire URL” moves the sandbox's clock past the expiry of the URL. Data that the browser has already loaded continues to play.</p>
      <${ProblemNotice} problem=${problem} />
    </div>
  </div>`;
}
