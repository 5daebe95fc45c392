import { h, type ComponentChildren, type VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { ask, send } from '../../api.ts';
import { html } from '../../html.ts';
import { CopyButton } from '../../parts/copy-button.ts';
import { Outcome, useDoing } from '../../parts/doing.ts';
import { keyOf } from '../../parts/key-of.ts';
import { Link } from '../../parts/link.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useLoad } from '../../parts/use-load.ts';
import { pathTo } from '../../route.ts';
import type { PanelProps } from '../panel.ts';

/** The file formats of the report, by the suffix of their path. */
const formats = [
  ['.html', 'HTML'],
  ['.md', 'Markdown'],
  ['.junit.xml', 'JUnit'],
  ['', 'JSON'],
] as const;

/** The report on the client as the server renders it, with links into the console. */
export function ReportPanel({ sandbox }: PanelProps): VNode {
  const { value, problem, refresh } = useLoad(() => loadPage(sandbox), [sandbox]);
  const doing = useDoing();
  // Fetches the file because a link cannot send a control token.
  const save = (suffix: string): Promise<boolean> => {
    const file = `${sandbox}-report${suffix === '' ? '.json' : suffix}`;
    return doing.run(
      async () => saveFile(file, await (await fetchReport(sandbox, suffix)).blob()),
      `Saved as ${file}.`,
    );
  };
  return html`<div class="row">
      <button type="button" onClick=${refresh}>Refresh report</button>
      <div class="row" role="group" aria-label="Download the report">
        <span>Download as</span>
        ${formats.map(([suffix, title]) => html`<button key=${title} type="button" disabled=${doing.busy} onClick=${() => save(suffix)}>${title}</button>`)}
      </div>
    </div>
    <${Outcome} doing=${doing} />
    <${ProblemNotice} problem=${problem} />
    ${value === null ? problem === null && html`<${Loading} />` : html`<${Page} sandbox=${sandbox} page=${value} />`}`;
}

function fetchReport(sandbox: string, suffix: string): Promise<Response> {
  return send('get', `/control/sandboxes/${encodeURIComponent(sandbox)}/report${suffix}`);
}

/**
 * The served page. Its style is apart because the console's policy forbids style elements, in a parsed
 * document too.
 */
interface ServedPage {
  readonly content: Document;
  readonly style: string;
}

async function loadPage(sandbox: string): Promise<ServedPage> {
  const reply = await fetchReport(sandbox, '.html');
  const [start = '', style = '', end = ''] = (await reply.text()).split(/<\/?style>/);
  return { content: new DOMParser().parseFromString(start + end, 'text/html'), style };
}

/** The content of the served page, without its title. */
function Page({
  sandbox,
  page: { content, style },
}: {
  readonly sandbox: string;
  readonly page: ServedPage;
}): VNode {
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet();
    // Nested, the rules apply to the report alone. It takes the colors of the console because none of its
    // elements is the root.
    sheet.replaceSync(`.report { margin-top: 1rem; ${style} }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [style]);
  const nodes = [...content.querySelectorAll('header > :not(h1), main > *')];
  return html`<div class="report">${nodes.map((node) => shown(sandbox, node))}</div>`;
}

/** Returns a node of the page for the console, with what the console adds to it. */
function shown(sandbox: string, node: Node): ComponentChildren {
  if (!(node instanceof Element)) return node.textContent;
  const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
  const plain = h(
    node.localName,
    attributes,
    [...node.childNodes].map((child) => shown(sandbox, child)),
  );
  const text = node.textContent;
  if (node.matches('code.request'))
    return html`<${Link} to=${pathTo(sandbox, 'journal', { request: text })}>${plain}<//>`;
  if (node.matches('.variables')) return html`${plain}<${Variables} sandbox=${sandbox} />`;
  const { 'data-kind': kind, 'data-name': name } = attributes;
  if (name === undefined) return plain;
  return html`<div class="row" role="group" aria-label=${name}>
      <${CopyButton} text=${text} what=${`the command for ${name}`} label="Copy command" />
      ${kind === 'fault' && html`<${Link} to=${pathTo(sandbox, 'failures', { fault: name, times: '1' })}>Add rule …<//>`}
    </div>
    ${plain}`;
}

/** The variables that the commands use, for shells that `lp-sandbox exec` did not start. */
function Variables({ sandbox: id }: { readonly sandbox: string }): VNode | null {
  const { value } = useLoad(() => ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: id }), [id]);
  if (value === null) return null;
  const variables = {
    SANDBOX_URL: value.baseUrl,
    SANDBOX_API_KEY: keyOf(id, value.schools[0]?.slug ?? ''),
    SANDBOX_CONTROL_URL: `${location.origin}/control`,
    SANDBOX_ID: id,
  };
  const text = `export ${Object.entries(variables)
    .map(([name, set]) => `${name}='${set}'`)
    .join(' ')}`;
  return html`<p class="small">To set the variables in another shell: <${CopyButton} text=${text} what="the variables" label="Copy variables" /></p>
    <pre class="command"><code>${text}</code></pre>`;
}
