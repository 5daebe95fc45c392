/** The parts of React that this file uses; Swagger UI contains React. */
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
 * Where this server's pages differ from Swagger UI: the description of the contract is collapsed, so that the
 * operations are visible; there is no choice of servers, because there is only one; and buttons contain no
 * links, because screen readers cannot tell them apart.
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
