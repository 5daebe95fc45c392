import { splitTarget } from '../base/request-target.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { isSecretHeader, splitQuery } from '../sandbox/secrets.ts';

/**
 * Returns the request of a journal entry as a command for any POSIX shell. The journal stores the key
 * shortened, so the command reads it from SANDBOX_API_KEY. Other secrets are left out and named in a comment.
 * `baseUrl` is the URL of the sandbox.
 */
export function toCurl(entry: JournalEntry, baseUrl: string): string {
  const { method, url, requestHeaders, requestTrailers = {}, request, cut } = entry;
  const { path, query } = splitTarget(url);
  const { others, secret } = splitQuery(query);
  const target = `${baseUrl}${path}${others}`;
  const sent = Object.entries(requestHeaders).filter(([name]) => !ownHeaders.test(name));
  // Otherwise curl expands brackets as a range of URLs.
  const plain = /[[\]{}]/.test(target) ? '--globoff ' : '';
  const piped = isUnfitAsArgument(request);
  const body = bodyOf(method, request, piped);
  const command = [
    `curl ${plain}${quoted(target)}`,
    ...headers(
      sent.filter(([name]) => !isLeftOut(name)),
      body.some((option) => option.startsWith('--data')),
    ),
    ...body,
  ];
  return [
    leftOut([
      ...sent.flatMap(([name]) => (isLeftOut(name) ? [`header ${name}`] : [])),
      ...secret.map(([name]) => `query parameter ${name}`),
      // curl cannot send any.
      ...Object.keys(requestTrailers).map((name) => `trailer ${name}`),
    ]),
    cut.request > 0
      ? `# The body is incomplete: the journal did not store ${cut.request} more characters.\n`
      : '',
    piped ? `printf ${quoted(formatOf(request))} | ` : '',
    command.join(' \\\n  '),
  ].join('');
}

/** Returns the options for the body. With a body, curl uses POST. */
function bodyOf(method: string, request: string, piped: boolean): readonly string[] {
  const other = method === 'POST' ? [] : [method === 'HEAD' ? '--head' : `--request ${quoted(method)}`];
  if (method !== 'POST' && request === '') return other;
  return [...other, piped ? '--data-binary @-' : `--data-raw ${quoted(request)}`];
}

/**
 * Headers that do not change the response: those of the connection, of browsers, of proxies and of tracing,
 * and the mark of calls by our own pages, which the report would not count.
 */
const ownHeaders = new RegExp(
  `^(?:${[
    'host|content-length|transfer-encoding|connection|keep-alive|te|expect|user-agent|accept|accept-.+',
    'origin|referer|sec-.+|dnt|priority|pragma|cache-control|upgrade-insecure-requests',
    'via|forwarded|x-forwarded-.+|x-real-ip|traceparent|tracestate|baggage|postman-token|sandbox-page',
  ].join('|')})$`,
);

function isLeftOut(name: string): boolean {
  return isSecretHeader(name) && name !== 'service-api-key';
}

/** Returns a comment that names the omitted headers and parameters. */
function leftOut(names: readonly string[]): string {
  // Some shells evaluate the text of a comment that is typed or pasted.
  const harmless = names.map((name) => name.replaceAll(/[^\w .-]/g, '_'));
  return names.length === 0 ? '' : `# Left out because the journal masks secrets: ${harmless.join(', ')}.\n`;
}

function headers(
  sent: readonly (readonly [name: string, value: string])[],
  hasBody: boolean,
): readonly string[] {
  const {
    'service-api-key': key,
    'content-type': type,
    ...others
  }: Readonly<Record<string, string>> = Object.fromEntries(sent);
  return [
    ...(key === undefined ? [] : ['-H "SERVICE-API-KEY: $SANDBOX_API_KEY"']),
    ...(type === undefined ? [] : [`-H ${quoted(`Content-Type: ${type}`)}`]),
    // Otherwise curl would send the type of a form.
    ...(type === undefined && hasBody ? ["-H 'Content-Type:'"] : []),
    // curl sends an empty header only if it is written with a semicolon.
    ...Object.entries(others).map(
      ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
  ];
}

/** Quotes a text for the shell: inside single quotes, only the quote itself is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Control characters other than line feeds, which a terminal would not pass unchanged. */
const control = /(?!\n)\p{Cc}/u;

/** Linux accepts arguments of up to 128 KiB; the limit does not apply to builtins such as printf. */
const longestArgument = 120_000;

function isUnfitAsArgument(text: string): boolean {
  return control.test(text) || Buffer.byteLength(text) > longestArgument;
}

/** Returns the printf format for a text; a leading dash is escaped because it would be read as an option. */
function formatOf(text: string): string {
  return text.replaceAll('%', '%%').replaceAll(/^-|\\|(?!\n)\p{Cc}/gu, octal);
}

function octal(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
