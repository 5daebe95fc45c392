/** Why an upstream gave no reply, by the code of the error: what happened, and what to do. */
const reasons: readonly (readonly [codes: RegExp, what: string, advice: string])[] = [
  [/^ECONNREFUSED$/, 'refuses connections', 'Is it running, and is the port of --upstream right?'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'has a name that cannot be looked up', 'Check the host of --upstream, and the network.'],
  [
    /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
    'hung up before its reply was complete',
    'Whether it did what was asked is not known.',
  ],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, 'cannot be reached', 'Check the host of --upstream, and the network.'],
  [/^HPE_HEADER_OVERFLOW$/, 'answered with headers larger than 64 KiB', 'That is more than is read here.'],
  [/^HPE_/, 'answered with something that is not HTTP', 'Is the port of --upstream right?'],
  [/^(EPROTO|ERR_SSL_\w+)$/, 'does not speak TLS as https wants it', 'Is --upstream to begin with http:// ?'],
  [
    /^(CERT_\w+|\w+_CERT\w*|UNABLE_TO_\w+|ERR_TLS_\w+|HOSTNAME_MISMATCH|INVALID_CA)$/,
    'has a certificate that is not trusted',
    'Name the file of the authority that signed it in NODE_EXTRA_CA_CERTS.',
  ],
];

/** The failure in a sentence or two. `code` is that of the error, or SILENT where time was up. */
export function failureMessage(upstream: string, code: string, timeoutMs: number): string {
  const name = `The upstream ${upstream}`;
  if (code === 'SILENT') {
    return `${name} was silent for ${timeoutMs / 1000} s. Whether it did what was asked is not known. --timeout sets how long to wait.`;
  }
  const [, what, advice] = reasons.find(([codes]) => codes.test(code)) ?? [];
  return what === undefined ? `${name} could not be asked: ${code}.` : `${name} ${what} (${code}). ${advice}`;
}
