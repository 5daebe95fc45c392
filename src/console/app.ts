import type { TargetedEvent, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.ts';
import { panels, type Panel } from './panels/index.ts';
import { BehindProxy, Upstream } from './parts/behind-proxy.ts';
import { Link } from './parts/link.ts';
import { Loading, ProblemNotice } from './parts/notice.ts';
import { Tabs } from './parts/tabs.ts';
import { useTokenDialog } from './parts/token-dialog.ts';
import { useSandboxes } from './parts/use-sandboxes.ts';
import { go, pathTo, useRoute, type Route } from './route.ts';
import { StatusBar } from './status-bar/status-bar.ts';
import { UndoBar } from './undo-bar.ts';

/** The console: choice of sandbox, links to the panels, and the current panel. */
export function App(): VNode {
  const route = useRoute();
  const { dialog, notice } = useTokenDialog();
  const chosen = route.isTooDeep ? undefined : panels.find(({ name }) => name === route.panel);
  const panel = route.panel === '' && !route.isTooDeep ? panels[0] : chosen;
  useEffect(() => {
    if (route.panel === '' && panel !== undefined) go(pathTo(route.sandbox, panel.name), 'replace');
  }, [route.panel]);
  useEffect(() => {
    document.title = `${panel?.title ?? 'Page not found'} · ${route.sandbox} · Sandbox console`;
  }, [panel, route.sandbox]);
  // A panel whose data the bar has reset loads again.
  const [resets, setResets] = useState(0);
  const onReset = (name: string): void => setResets((before) => (name === panel?.name ? before + 1 : before));
  const [undone, setUndone] = useState(0);
  const { current, all, problem, refresh } = useSandboxes(route.sandbox, (permitted) =>
    go(pathTo(permitted, route.panel), 'replace'),
  );
  const upstream = (current ?? all[0])?.upstream ?? null;
  const offered = panels.filter(({ isOfProxy }) => isOfProxy || upstream === null);
  return html`<${Upstream.Provider} value=${upstream}><a class="skip" href="#panel">Skip to the panel</a>
    <${Top} route=${route} ids=${all.map(({ id }) => id)} onOpen=${refresh} isProxy=${upstream !== null} />
    <${Tabs} label="Panels" links=${offered.map(({ name, title }) => ({ name, title, to: pathTo(route.sandbox, name) }))} current=${panel?.name} />
    ${current !== undefined && current !== null && html`<${StatusBar} key=${route.sandbox} sandbox=${route.sandbox} onReset=${onReset} />`}
    <main id="panel" tabindex="-1">
      <${UndoBar} key=${route.sandbox} onUndone=${() => setUndone((before) => before + 1)} />
      ${notice ?? html`<${ProblemNotice} problem=${problem} />`}
      ${current === undefined ? problem === null && html`<${Loading} />` : body(route, current !== null, panel, { resets, undone }, upstream)}
    </main>
    ${dialog}<//>`;
}

function body(
  { sandbox, query }: Route,
  isThere: boolean,
  panel: Panel | undefined,
  { resets, undone }: Readonly<Record<'resets' | 'undone', number>>,
  upstream: string | null,
): VNode {
  if (panel === undefined) return html`<${NoPanel} sandbox=${sandbox} />`;
  if (upstream !== null && !panel.isOfProxy)
    return html`<h1>${panel.title}</h1>
      <${BehindProxy} upstream=${upstream} effect="the data, failures, clock and limits of its own sandboxes have no effect" purpose="To use this panel" />`;
  if (!isThere && panel.name !== 'sandboxes') {
    return html`<h1>Sandbox “${sandbox}” not found</h1>
      <p>It was deleted, or never existed. <${Link} to=${pathTo('default', 'sandboxes')}>Show all sandboxes<//>.</p>`;
  }
  return html`<h1>${panel.title}</h1>
    <${panel.component} key=${`${sandbox} ${panel.name} ${resets} ${panel.staysOnUndo === true || undone}`} sandbox=${sandbox} query=${query} undone=${undone} />`;
}

/** Shown at an address that names no panel. */
function NoPanel({ sandbox }: { readonly sandbox: string }): VNode {
  return html`<h1>Page not found</h1>
    <p>The console has no page at <code>${location.pathname}</code>. Its pages are:</p>
    <ul>
      ${panels.map(({ name, title }) => html`<li key=${name}><${Link} to=${pathTo(sandbox, name)}>${title}<//></li>`)}
    </ul>`;
}

interface TopProps {
  readonly route: Route;
  readonly ids: readonly string[];
  /** Called when the person is about to choose one. */
  readonly onOpen: () => void;
  readonly isProxy: boolean;
}

function Top({ route, ids, onOpen, isProxy }: TopProps): VNode {
  const shown = ids.includes(route.sandbox) ? ids : [route.sandbox, ...ids];
  const change = (event: TargetedEvent<HTMLSelectElement>): void =>
    go(pathTo(event.currentTarget.value, route.panel));
  return html`<header class="top">
    <nav class="row" aria-label="Pages of this server">
      <a class="name" href="/"><span class="wide-only">Learning Platform </span><strong>Sandbox</strong></a>
      ${!isProxy && html`<a href=${`/school/${encodeURIComponent(route.sandbox)}`}>School</a> <a href="/demo">Demo</a>`}
      <a href="/docs">API<span class="wide-only"> reference</span></a>
    </nav>
    <label>Sandbox <select value=${route.sandbox} onFocus=${onOpen} onChange=${change}>${shown.map((id) => html`<option key=${id}>${id}</option>`)}</select></label>
  </header>`;
}
