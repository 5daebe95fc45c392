/** As much of React as is used here; Swagger UI brings its own. */
type Element = object;
type Component = (props: object) => Element | null;
interface System {
  readonly React: {
    createElement(
      type: string | Component,
      props: object | null,
      ...children: readonly (Element | string | undefined)[]
    ): Element;
  };
}

/**
 * What this server's pages have otherwise than Swagger UI: what the contract says of itself is folded, so
 * that the operations are in sight; there is no choice of servers, as there is one; and there are no links
 * inside of buttons, which no screen reader can tell apart.
 */
export function swaggerPlugin({ React }: System): object {
  const { createElement } = React;
  return {
    wrapComponents: {
      InfoContainer: (original: Component) => (props: object) =>
        createElement(
          'details',
          { className: 'about' },
          createElement('summary', null, 'About this API'),
          createElement(original, props),
        ),
      ServersContainer: () => () => null,
      DeepLink: () => (props: { readonly text?: string }) => createElement('span', null, props.text),
    },
  };
}
