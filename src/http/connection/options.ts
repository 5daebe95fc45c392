/** How to reach an upstream: one set of options for all tools that talk to the real service. */
export interface ConnectionOptions {
  /** Headers that are added to every request, such as the key of a gateway: name, value, name, value … */
  readonly headers: readonly string[];
  /** Additional certificate authorities, in PEM. Null to trust only the known ones. */
  readonly ca: string | null;
  /** The client certificate and its private key, in PEM. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  /** Whether to trust any certificate. */
  readonly isInsecure: boolean;
  /** The proxy server between this machine and the upstream. */
  readonly proxy: URL | null;
}

export const plainConnection: ConnectionOptions = {
  headers: [],
  ca: null,
  certificate: null,
  isInsecure: false,
  proxy: null,
};

/** Returns the secrets in the options, which nothing may show. */
export function secretsOf({ headers, proxy }: ConnectionOptions): readonly string[] {
  const values = headers.filter((_, at) => at % 2 === 1);
  const { username = '', password = '' } = proxy ?? {};
  return [
    ...values,
    decodeURIComponent(password),
    ...(password === '' ? [] : [decodeURIComponent(username)]),
  ];
}
