import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../../html.ts';
import { mayAutoplay } from '../../parts/autoplay.ts';
import { Button } from '../../parts/button.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { letExpire, reason, urlOf, type PlaybackSource } from './playback.ts';

interface Props {
  readonly sandbox: string;
  readonly source: PlaybackSource;
}

/** One source: its four fields, the video and the playback log. */
export function SourcePlayer({ sandbox, source }: Props): VNode {
  const [round, setRound] = useState(0);
  const { busy, problem, run } = useAction();
  const replay = (): void => setRound((before) => before + 1);
  const expire = (): Promise<boolean> =>
    run(async () => {
      await letExpire(sandbox, source.urlSearchParamString, replay);
      replay();
    });
  return html`<div class="player">
    <${Film} key=${round} source=${source} />
    <div>
      <dl>
        ${Object.entries(source).map(
          ([name, value]) =>
            html`<div key=${name}>
              <dt>${name}</dt>
              <dd><code>${String(value)}</code></dd>
            </div>`,
        )}
      </dl>
      <div class="row">
        <${Button} type="button" off=${busy} onClick=${expire}>Expire URL<//>
        <button type="button" onClick=${replay}>Replay video</button>
      </div>
      <p class="soft small">“Expire URL” moves the sandbox's clock past the expiry of the URL, then replays the video.</p>
      <${ProblemNotice} problem=${problem} />
    </div>
  </div>`;
}

/** The video and its log, oldest line first. */
function Film({ source }: { readonly source: PlaybackSource }): VNode {
  const video = useRef<HTMLVideoElement>(null);
  const [steps, setSteps] = useState<readonly string[]>([]);
  useEffect(() => {
    let wanted = true;
    let end = (): void => {};
    const onStep = (words: string): void => {
      if (wanted) setSteps((before) => [...before, words]);
    };
    const onFailed = (details: string, status: number | undefined): void => {
      const told = `Playback failed: ${details}${status === undefined ? '' : `, HTTP ${status}`}.`;
      void reason(urlOf(source)).then((why) => onStep(`${told} The server returned: ${why}`));
    };
    const start = async (): Promise<void> => {
      const { play } = await import('./hls.ts');
      if (wanted && video.current !== null) end = play(video.current, source, { onStep, onFailed });
    };
    start().catch((error: unknown) => onStep(`The player could not be loaded: ${String(error)}`));
    return () => {
      wanted = false;
      end();
    };
  }, []);
  return html`<div>
    <video ref=${video} controls muted autoplay=${mayAutoplay()} playsinline aria-label="The recording"></video>
    <h2>Playback log</h2>
    <ol class="small" aria-live="polite">
      ${steps.map((step, place) => html`<li key=${place}>${step}</li>`)}
    </ol>
  </div>`;
}
