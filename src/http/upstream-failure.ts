/** Why an upstream did not reply, by error code: what happened, and what to do. */
const reasons: readonly (readonly [codes: RegExp, what: string, advice: string])[] = [
  [/^ECONNREFUSED$/, 'refuses connections', 'Is it running, and is the port of --upstream right?'],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'has a host name that cannot be resolved',
    'Check the host of --upstream, and the network.',
  ],
  [
    /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
    'closed the connection before its response was complete',
    'It is unknown whether it processed the request.',
  ],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/,
    'cannot be reached',
    'Check the host of --upstream, and the network.',
  ],
  [/^HPE_HEADER_OVERFLOW$/, 'sent headers larger than 64 KiB', 'No more is read.'],
  [
    /^STATUS_LINE$/,
    'sent a status line that HTTP does not allow',
    'A final status has three digits, from 200 up, and the reason phrase has no control characters.',
  ],
  [
    /^PROXY_\d+$/,
    'was not reached, because the proxy server refused the connection',
    'Check HTTPS_PROXY, its user name and password, and NO_PROXY.',
  ],
  [/^UPGRADE$/, 'switched to another protocol', 'Only HTTP is supported.'],
  [/^INTERIM$/, 'sent more than 100 interim responses (1xx)', 'It may send at most 100.'],
  [/^HPE_/, 'sent a response that is not HTTP', 'Is the port of --upstream right?'],
  [
    /^ERR_SSL_\w*(CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA)\w*$/,
    'refused the TLS handshake',
    'It may require a client certificate: set --cert and --key.',
  ],
  [/^(EPROTO|ERR_SSL_\w+)$/, 'failed the TLS handshake', 'Should --upstream start with http://?'],
  [
    /^(CERT_\w+|\w+_CERT\w*|UNABLE_TO_\w+|ERR_TLS_\w+|HOSTNAME_MISMATCH|INVALID_CA)$/,
    'has a certificate that is not trusted',
    'Set --ca to the certificate file of its certificate authority.',
  ],
];

/** Returns a message for a failure of the proxy server between this machine and the service. */
export function proxyFailureMessage(service: string, proxy: string, code: string): string {
  const [, what = 'failed'] = reasons.find(([codes]) => codes.test(code)) ?? [];
  const variable = service.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return `The service ${service} was not reached, because the proxy server ${proxy} ${what} (${code}). Check ${variable} and NO_PROXY.`;
}

/** Returns a message for the failure. `code` is the error code, or SILENT or SLOW after a timeout. */
export function failureMessage(upstream: string, code: string, timeoutMs: number): string {
  const name = `The service ${upstream}`;
  if (code === 'SILENT') {
    return `${name} did not respond for ${timeoutMs / 1000} s. It is unknown whether it processed the request. Set --timeout to wait longer.`;
  }
  if (code === 'SLOW') {
    return `${name} sent its response too slowly: less than 1 kB per second after ${timeoutMs / 100} s. Set --timeout to wait longer.`;
  }
  const [, what, advice] = reasons.find(([codes]) => codes.test(code)) ?? [];
  return what === undefined
    ? `The request to the service ${upstream} failed: ${code}.`
    : `${name} ${what} (${code}). ${advice}`;
}
