/**
 * The headers of pages for people. The policy allows only files of this server. The API reference may also
 * use inline styles, because Swagger UI needs them.
 */
export const pageHeaders = headersWith("style-src 'self'");
export const referenceHeaders = headersWith("style-src 'self' 'unsafe-inline'");

function headersWith(styles: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    styles,
    "img-src 'self' data:",
    "connect-src 'self'",
  ];
  return {
    'Content-Security-Policy': [
      ...policy,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    // A page must not load files of another build.
    'Cache-Control': 'no-cache',
  };
}
