import { h, type ComponentChildren, type VNode } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import { ask, send } from '../../api.ts';
import { html } from '../../html.ts';
import { Upstream } from '../../parts/behind-proxy.ts';
import { Button } from '../../parts/button.ts';
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
        ${formats.map(([suffix, title]) => html`<${Button} key=${title} type="button" off=${doing.busy} onClick=${() => save(suffix)}>Download ${title}<//>`)}
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
    sheet.replaceSync(`.report { max-width: 70rem; margin-top: 1rem; ${style} }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [style]);
  const { value: variables } = useLoad(() => loadVariables(sandbox), [sandbox]);
  const isProxy = useContext(Upstream) !== null;
  const nodes = [...content.querySelectorAll('header > :not(h1), main > *')];
  return html`<div class="report">${nodes.map((node) => shown({ sandbox, variables, isProxy }, node))}</div>`;
}

/** The variables of the commands, by name. */
type Variables = Readonly<Record<string, string>>;

interface Context {
  readonly sandbox: string;
  /** Null if their values are unknown. */
  readonly variables: Variables | null;
  readonly isProxy: boolean;
}

/** Returns the values of the variables that `lp-sandbox exec` sets; null behind a proxy, whose keys are of real schools. */
async function loadVariables(id: string): Promise<Variables | null> {
  const { baseUrl, schools, upstream } = await ask('get', '/control/sandboxes/{sandboxId}', {
    sandboxId: id,
  });
  if (upstream !== undefined) return null;
  return {
    SANDBOX_URL: baseUrl,
    SANDBOX_API_KEY: keyOf(id, schools[0]?.slug ?? ''),
    SANDBOX_CONTROL_URL: `${location.origin}/control`,
    SANDBOX_ID: id,
  };
}

/** Returns a command that works in any shell. */
function withValues(command: string, variables: Variables): string {
  return command.replaceAll(/\$(SANDBOX_[A-Z_]+)/g, (same, name: string) => variables[name] ?? same);
}

/** Returns a node of the page for the console, with what the console adds to it. */
function shown(context: Context, node: Node): ComponentChildren {
  const { sandbox, variables, isProxy } = context;
  if (!(node instanceof Element)) return node.textContent;
  const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
  const plain = h(
    node.localName,
    attributes,
    [...node.childNodes].map((child) => shown(context, child)),
  );
  const text = node.textContent;
  if (node.matches('code.request'))
    return html`<${Link} to=${pathTo(sandbox, 'journal', { request: text })}>${plain}<//>`;
  if (node.matches('.variables')) return html`${plain}<${VariablesLine} variables=${variables} />`;
  const { 'data-kind': kind, 'data-name': name } = attributes;
  if (name === undefined) return plain;
  return html`<div class="row" role="group" aria-label=${name}>
      <${CopyButton} text=${variables === null ? text : withValues(text, variables)} what=${`the command for ${name}`} label="Copy command" />
      ${kind === 'fault' && !isProxy && html`<${Link} to=${pathTo(sandbox, 'failures', { fault: name, times: '1' })}>Add rule …<//>`}
    </div>
    ${plain}`;
}

/** The variables that the commands use, for shells that `lp-sandbox exec` did not start. */
function VariablesLine({ variables }: Pick<Context, 'variables'>): VNode | null {
  if (variables === null) return null;
  const text = `export ${Object.entries(variables)
    .map(([name, set]) => `${name}='${set}'`)
    .join(' ')}`;
  return html`<p class="small">Copied commands contain the values of these variables. To set them in another shell: <${CopyButton} text=${text} what="the variables" label="Copy variables" /></p>
    <pre class="command"><code>${text}</code></pre>`;
}
