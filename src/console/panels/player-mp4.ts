import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { ProblemNotice } from '../parts/notice.ts';
import { useAction } from '../parts/use-action.ts';
import { letExpire, reason } from './player-playback.ts';

interface Props {
  readonly sandbox: string;
  /** Used as the public API returned it. */
  readonly url: string;
}

/** The mp4 of a session: to play, to keep, and to see its URL expire. */
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
      setTold(`Whoever asks for it now is refused: ${await reason(url)}`);
    });
  const tell = (): void => void reason(url).then((why) => setTold(`It does not play. The server says: ${why}`));
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
        <a href=${url} download>Download the mp4</a>
        <button type="button" disabled=${busy} onClick=${expire}>Let the URL expire</button>
        <button type="button" onClick=${again}>Play from the beginning</button>
      </div>
      <p class="soft small">Expiry moves the clock of the sandbox on, past the moment until which the URL is good. What the browser has loaded plays on.</p>
      <${ProblemNotice} problem=${problem} />
    </div>
  </div>`;
}
