import type { VNode } from 'preact';
import { ask, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { Button } from '../parts/button.ts';
import { ProblemNotice } from '../parts/notice.ts';
import { Link } from '../parts/link.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoad } from '../parts/use-load.ts';
import { go } from '../route.ts';
import { demoPath } from './demo-path.ts';
import { CannotRun, canRun } from './elsewhere.ts';
import { keepProgress, readProgress, type Progress } from './progress.ts';
import { createDemoSandbox, findDemoSandbox } from './sandbox.ts';
import { steps } from './script.ts';

interface Props {
  readonly lead?: string;
  /** Shown in place of a problem. */
  readonly notice?: VNode | null;
}

/** The first page of the demo: what it is, and where to start or continue it. */
export function Start({ lead, notice = null }: Props): VNode {
  const { busy, problem, run } = useAction();
  const { value: last, problem: failed } = useLoad(findLast, []);
  const start = (): void =>
    void run(async () => {
      const sandbox = await createDemoSandbox();
      keepProgress({ sandbox, done: {} });
      go(demoPath(sandbox, steps[0].name));
    });
  if (last !== null && !canRun(last.server)) return html`<${CannotRun} server=${last.server} />`;
  return html`<main id="content" class="start">
    <div class="hero">
      <div>
        <p class="kicker">Guided demo · about ten minutes</p>
        <h1>See the sandbox at work, in ${steps.length} steps</h1>
        <p>
          Each step sends real requests, and shows what they achieved. You need no preparation: read the two sentences of a step aloud, press <em>Do it</em>,
          and press <em>Look</em>.
        </p>
        <div class="row">
          <${Button} type="button" class="begin" off=${busy} onClick=${start}>Start demo<//>
          ${last !== null && last.progress !== null && html`<${Continue} progress=${last.progress} />`}
        </div>
      </div>
    </div>
    <div class="narrow">
      ${lead !== undefined && html`<p class="notice">${lead}</p>`}
      ${notice ?? html`<${ProblemNotice} problem=${problem ?? failed} />`}
      <p class="soft">The demo creates a sandbox of its own, so it changes nothing that others see on this server. The server deletes it after an hour without use.</p>
      <p class="soft">
        This page plays the client: its requests use the public API, like those of a real integration. The control plane is the API that tests use to change
        the sandbox: to cause failures, move the clock or read the report.
      </p>
      <h2>The steps</h2>
      <ol class="plan">
        ${steps.map(
          ({ name, title, sees }, place) =>
            html`<li key=${name}>
              <span class="dot" aria-hidden="true">${place + 1}</span>
              <div>
                <h3>${title}</h3>
                <p class="soft">${sees}</p>
              </div>
            </li>`,
        )}
      </ol>
      <p><a href="/docs/demo">Read the script of the demo</a> to prepare, or to print it.</p>
    </div>
    </main>`;
}

/** Goes on with the last demo of this browser at its first step that is not done. */
function Continue({ progress: { sandbox, done } }: { readonly progress: Progress }): VNode {
  const count = steps.filter(({ name }) => done[name] !== undefined).length;
  const next = steps.find(({ name }) => done[name] === undefined) ?? steps[0];
  return html`<${Link} class="resume" to=${demoPath(sandbox, next.name)}>Continue the last demo (${count} of ${steps.length} steps done)<//>`;
}

interface Known {
  /** The last demo of this browser, if its sandbox still exists. */
  readonly progress: Progress | null;
  /** What any sandbox says about the server. */
  readonly server: Schemas['Sandbox'];
}

async function findLast(): Promise<Known> {
  const server = await ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: 'default' });
  const progress = readProgress();
  if (progress === null || (await findDemoSandbox(progress.sandbox)) === null)
    return { progress: null, server };
  return { progress, server };
}
