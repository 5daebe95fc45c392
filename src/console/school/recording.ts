import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Records } from '../../contract/generated/facts.ts';
import { ControlProblem } from '../api.ts';
import { html } from '../html.ts';
import { Button } from '../parts/button.ts';
import { Dialog } from '../parts/dialog.ts';
import { ProblemNotice } from '../parts/notice.ts';
import { useAction } from '../parts/use-action.ts';
import { UndoBar } from '../undo-bar.ts';
import { letExpire, requestPlayback, type PlaybackSource } from '../panels/player/playback.ts';
import { Film } from './film.ts';
import type { School } from './school.ts';

interface Props {
  readonly school: School;
  readonly title: string;
  readonly session: Records['liveEventSessions'];
  readonly onClose: () => void;
}

/** What the public API returned for a session. `round` grows with each request. */
interface Answer {
  readonly round: number;
  readonly sources: readonly PlaybackSource[];
}

/** Plays a recording with the signed URL that the public API returns. */
export function Recording({ school, title, session, onClose }: Props): VNode {
  const { sandbox, baseUrl, slug } = school;
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [chosen, setChosen] = useState(0);
  const { busy, problem, run } = useAction();
  const isElsewhere = new URL(baseUrl).origin !== location.origin;
  const request = (): void =>
    void run(async () => {
      const about = { id: session.id, title, school: slug };
      const sources = await requestPlayback(sandbox, baseUrl, about).catch(noRecording);
      setAnswer((before) => ({ round: (before?.round ?? 0) + 1, sources }));
    });
  useEffect(() => {
    if (!isElsewhere) request();
  }, []);
  const source = answer?.sources[chosen];
  const expire = (): void =>
    void run(async () => {
      if (source === undefined || answer === null) return;
      await letExpire(sandbox, source.urlSearchParamString);
      setAnswer({ ...answer, round: answer.round + 1 });
    });
  return html`<${Dialog} title=${title} onClose=${onClose}>
    ${isElsewhere && html`<p class="notice">This page cannot play the recording, because it has another origin (${baseUrl}).</p>`}
    <${UndoBar} onUndone=${request} />
    <${ProblemNotice} problem=${problem} />
    ${source !== undefined && html`<${Film} key=${`${answer?.round} ${chosen}`} source=${source} />`}
    <div class="row">
      ${answer?.sources.map(
        ({ masterM3u8Pathname }, place) =>
          html`<button key=${masterM3u8Pathname} type="button" aria-pressed=${place === chosen} onClick=${() => setChosen(place)}>
            ${masterM3u8Pathname.split('/').at(-2)}
          </button>`,
      )}
      <${Button} type="button" off=${busy || isElsewhere} onClick=${request}>Play again<//>
      <${Button} type="button" off=${busy || source === undefined} onClick=${expire}>Expire URL<//>
    </div>
    <p class="soft small">
      The page called <code>get-signed-url-data-for-live-event-session-playback</code> with the key of ${school.name}. “Expire URL” moves the sandbox's
      clock past the expiry of the URL, then plays it again.
    </p>
  <//>`;
}

function noRecording(error: unknown): never {
  const detail = error instanceof Error ? error.message : String(error);
  throw new ControlProblem({ status: 0, title: 'No recording', detail });
}
