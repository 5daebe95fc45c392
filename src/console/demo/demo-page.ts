import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { ask, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { Link } from '../parts/link.ts';
import { Loading, ProblemNotice } from '../parts/notice.ts';
import { useTokenDialog } from '../parts/token-dialog.ts';
import { useLoad } from '../parts/use-load.ts';
import { hasAny, pathTo, useAddress } from '../route.ts';
import { schoolPath } from '../school/school.ts';
import { demoPath } from './demo-path.ts';
import { CannotRun, canRun } from './elsewhere.ts';
import { findDemoSandbox, isSandbox } from './sandbox.ts';
import { steps } from './script.ts';
import { Start } from './start.ts';
import { Tour } from './tour.ts';

/** The page at `/demo/<sandbox>/<step>`: a demo in steps, in a sandbox of its own. */
export function DemoPage(): VNode {
  const { parts } = useAddress();
  const [sandbox = '', name = '', ...rest] = parts;
  const { dialog, notice } = useTokenDialog();
  const { value: server } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: 'default' }),
    [],
  );
  const named = steps.find((one) => one.name === name);
  const isKnown = (name === '' || named !== undefined) && !hasAny(rest);
  const step = named ?? steps[0];
  const title = isKnown ? step.title : 'Page not found';
  useEffect(() => {
    document.title = `${sandbox === '' ? 'Guided demo' : `${title} · Guided demo`} · Sandbox`;
  }, [sandbox, title]);
  const body = (): VNode => {
    if (sandbox === '') return html`<${Start} notice=${notice} />`;
    if (!isKnown) return html`<${NoStep} sandbox=${sandbox} />`;
    return html`<${Running} key=${sandbox} sandbox=${sandbox} step=${step} notice=${notice} />`;
  };
  return html`<a class="skip" href="#content">Skip to content</a>
    <${Top} sandbox=${sandbox} isProxy=${server?.upstream !== undefined} />
    ${body()}
    ${dialog}`;
}

/** Shown at an address that names no step. */
function NoStep({ sandbox }: { readonly sandbox: string }): VNode {
  return html`<main id="content" class="narrow">
    <h1>Page not found</h1>
    <p>The demo has no step at <code>${location.pathname}</code>. Its steps are:</p>
    <ol>
      ${steps.map(({ name, title }) => html`<li key=${name}><${Link} to=${demoPath(sandbox, name)}>${title}<//></li>`)}
    </ol>
  </main>`;
}

interface TopProps {
  readonly sandbox: string;
  readonly isProxy: boolean;
}

function Top({ sandbox, isProxy }: TopProps): VNode {
  return html`<header class="top">
    <nav class="row" aria-label="Pages of this server">
      <a class="name" href="/"><span class="wide-only">Learning Platform </span><strong>Sandbox</strong></a>
      ${!isProxy && html`<a href=${schoolPath(sandbox, '', '')}>School</a>`}
      <a href=${sandbox === '' ? '/console' : pathTo(sandbox, 'journal')}>Console</a>
      <a href="/docs">API<span class="wide-only"> reference</span></a>
    </nav>
    <nav class="row" aria-label="About the demo">
      <a href="/docs/demo">Script <span class="unseen">of the demo</span></a>
      ${sandbox !== '' && html`<a href="/demo">New demo</a>`}
    </nav>
  </header>`;
}

interface RunningProps {
  readonly notice: VNode | null;
  readonly sandbox: string;
  readonly step: (typeof steps)[number];
}

/** Returns the sandbox of a demo, and whether another one has its name. */
async function lookFor(
  id: string,
): Promise<{ readonly found: Schemas['Sandbox'] | null; readonly isOther: boolean }> {
  const found = await findDemoSandbox(id);
  return { found, isOther: found === null && (await isSandbox(id)) };
}

/** How often a visible page uses its sandbox, so that the server does not delete it, in milliseconds. */
const stayMs = 240_000;

/** The demo in a sandbox, unless the sandbox is gone. */
function Running({ sandbox, step, notice }: RunningProps): VNode {
  const { value, problem, refresh } = useLoad(() => lookFor(sandbox), [], stayMs);
  if (value === null) {
    return html`<main id="content" class="narrow">
      ${notice ?? html`<${ProblemNotice} problem=${problem} />`}
      ${problem === null ? html`<${Loading} />` : html`<button type="button" onClick=${refresh}>Try again</button>`}
    </main>`;
  }
  if (value.found === null) {
    const lead = value.isOther
      ? `The sandbox ${sandbox} is not that of a demo, so the steps do not change it. Start a demo to get a sandbox of its own.`
      : `There is no demo ${sandbox}. If there was one, its sandbox has been deleted: after an hour without use, or by a restart of the server.`;
    return html`<${Start} lead=${lead} />`;
  }
  const { baseUrl, schools } = value.found;
  if (!canRun(value.found)) return html`<${CannotRun} server=${value.found} />`;
  const names = new Map(schools.map(({ slug, name }) => [slug, name]));
  return html`<${Tour} sandbox=${sandbox} baseUrl=${baseUrl} schools=${names} step=${step} onGone=${refresh} />`;
}
