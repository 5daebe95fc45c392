import { languages } from './code-snippets.ts';

/** The parts of React that this file uses; Swagger UI contains React. */
type Element = object;
type Component<P = object> = (props: P) => Element | null;
interface React {
  createElement(
    type: string | Component<never>,
    props: object | null,
    ...children: readonly (Element | string | null | undefined)[]
  ): Element;
  useState<T>(initial: T): readonly [T, (value: T) => void];
}
interface System {
  readonly React: React;
  getComponent(name: string, isContainer?: true): Component;
}

/** An operation in the page. */
interface Place {
  readonly path: string;
  readonly method: string;
}

/** The parts of Swagger UI's state that a snippet shows. */
interface State {
  readonly oas3Selectors: {
    requestBodyValue(path: string, method: string): unknown;
    activeExamplesMember(path: string, method: string, type: string, name: string): string | undefined;
  };
  readonly authSelectors: { authorized(): { getIn(path: readonly string[]): unknown } };
  readonly specSelectors: { specJson(): { toJS(): Contract } };
}

interface Contract {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly requestBody?: Body } | undefined>>>
  >;
}
interface Body {
  readonly content: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
  >;
}

interface Response {
  getIn(path: readonly ['headers', string]): unknown;
}

/**
 * Where this server's pages differ from Swagger UI: there is no second `main`; the description of the contract is
 * collapsed, so that the operations are visible; there is no choice of servers, because there is only one; buttons
 * contain no links, because screen readers cannot tell them apart; each operation has its call as code, in place of the
 * curl command of the last call; and a response has a link to its request in the journal.
 */
export function swaggerPlugin({ React }: System): object {
  const { createElement } = React;
  return {
    components: { CallAsCode: callAsCode(React) },
    wrapComponents: {
      BaseLayout: layout(createElement),
      InfoContainer: (original: Component) => (props: object) =>
        createElement(
          'details',
          { className: 'about' },
          createElement('summary', null, 'About this API'),
          createElement(original, props),
        ),
      ServersContainer: () => () => null,
      DeepLink: () => (props: { readonly text?: string }) => createElement('span', null, props.text),
      curl: () => () => null,
      responses:
        (original: Component, { getComponent }: System) =>
        (props: Place) =>
          createElement(
            'div',
            null,
            document.getElementById('reference')?.dataset['canTry'] === 'yes'
              ? createElement(getComponent('CallAsCode', true), { path: props.path, method: props.method })
              : null,
            createElement(original, props),
          ),
      liveResponse: (original: Component) => (props: { readonly response?: Response }) =>
        createElement(
          'div',
          null,
          journalLink(React, props.response?.getIn(['headers', 'sandbox-request-id'])),
          createElement(original, props),
        ),
    },
  };
}

interface LayoutProps {
  readonly getComponent: System['getComponent'];
  readonly specSelectors: { loadingStatus(): string | undefined };
}

/** Returns the layout of Swagger UI without its `main`. Until the contract is loaded, the original is shown. */
function layout(createElement: React['createElement']) {
  const block = (className: string, ...content: readonly Element[]): Element =>
    createElement(
      'div',
      { className: `wrapper ${className}` },
      createElement('div', { className: 'block col-12' }, ...content),
    );
  return (original: Component) => (props: LayoutProps) => {
    if (props.specSelectors.loadingStatus() !== 'success') return createElement(original, props);
    const part = (name: string): Element => createElement(props.getComponent(name, true), null);
    return createElement(
      'div',
      { className: 'swagger-ui' },
      createElement(props.getComponent('SvgAssets'), null),
      part('errors'),
      block('information-container', part('InfoContainer')),
      createElement(
        'div',
        { className: 'scheme-container' },
        createElement('div', { className: 'schemes wrapper block col-12' }, part('AuthorizeBtnContainer')),
      ),
      block('', part('operations')),
      block('', part('Models')),
    );
  };
}

function journalLink({ createElement }: React, requestId: unknown): Element | null {
  if (typeof requestId !== 'string') return null;
  const sandbox = requestId.slice(0, requestId.lastIndexOf('-'));
  const href = `/console/${encodeURIComponent(sandbox)}/journal?request=${encodeURIComponent(requestId)}`;
  return createElement(
    'p',
    { className: 'in-journal' },
    createElement('a', { href }, `Open ${requestId} in the journal`),
  );
}

/** Returns the component that shows a call as code, with the key and the body of the page. */
function callAsCode({ createElement, useState }: React): Component<Place & State> {
  // The language that the reader selected last, for all operations.
  let lastLanguage = languages[0]?.name ?? '';
  return (props) => {
    const [name, setName] = useState(lastLanguage);
    const [isCopied, setCopied] = useState(false);
    const { path } = props;
    const authorized = props.authSelectors.authorized().getIn(['apiKey', 'value']);
    const key = typeof authorized === 'string' ? authorized : '<API key>';
    const language = languages.find((one) => one.name === name);
    const text = language?.write({ url: `${location.origin}${path}`, key, body: bodyOf(props) }) ?? '';
    const select = ({ target }: { readonly target: { readonly value: string } }): void => {
      lastLanguage = target.value;
      setName(target.value);
      setCopied(false);
    };
    const copy = (): void =>
      void navigator.clipboard.writeText(text.trimEnd()).then(
        () => setCopied(true),
        () => {},
      );
    return createElement(
      'div',
      { className: 'call-as-code' },
      createElement(
        'div',
        { className: 'opblock-section-header' },
        createElement('h4', null, 'Code'),
        createElement(
          'select',
          { 'aria-label': 'Language', value: name, onChange: select },
          ...languages.map((one) => createElement('option', { key: one.name, value: one.name }, one.name)),
        ),
        createElement(
          'button',
          { type: 'button', className: 'btn', onClick: copy },
          isCopied ? 'Copied' : 'Copy',
        ),
      ),
      createElement('pre', { tabIndex: 0, 'aria-label': 'The call as code' }, text),
    );
  };
}

/** Returns the body that the page would send: as edited, else the selected example. */
function bodyOf({ path, method, oas3Selectors, specSelectors }: Place & State): string {
  const edited = oas3Selectors.requestBodyValue(path, method);
  if (typeof edited === 'string' && edited !== '') return edited;
  const content = specSelectors.specJson().toJS().paths[path]?.[method]?.requestBody?.content;
  const examples = content?.['application/json']?.examples ?? {};
  const chosen = oas3Selectors.activeExamplesMember(path, method, 'requestBody', 'requestBody');
  const example = examples[chosen ?? ''] ?? Object.values(examples)[0];
  return JSON.stringify(example?.value ?? { data: [{ data: {} }] });
}
