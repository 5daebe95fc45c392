/**
 * The headers of pages for people. The policy allows only files of this server. The API reference may also
 * use inline styles, because Swagger UI needs them.
 */
export const pageHeaders = withoutCache(headersWith("style-src 'self'"));
export const referenceHeaders = withoutCache(headersWith("style-src 'self' 'unsafe-inline'"));

/**
 * Those of the pages that get their data from the control plane: they also play recordings, and the guided demo
 * shows the others beside its steps.
 */
export const consoleHeaders = headersWith(
  "style-src 'self'",
  "media-src 'self' blob:",
  "font-src 'self'",
  "frame-src 'self'",
);

type Headers = Readonly<Record<string, string>>;

function headersWith(styles: string, ...more: readonly string[]): Headers {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    styles,
    "img-src 'self' data:",
    "connect-src 'self'",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

/** A page must not load files of another build. */
function withoutCache(headers: Headers): Headers {
  return { ...headers, 'Cache-Control': 'no-cache' };
}
