import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { isSecretHeader, splitQuery } from '../sandbox/secrets.ts';

/**
 * The request of an exchange as a command for any POSIX shell, to send it once more; the key, which the journal has only
 * shortened, is taken from the variable SANDBOX_API_KEY. Other secrets are left out, and a comment names them. `baseUrl` is where
 * the sandbox answers.
 */
export function toCurl({ url, requestHeaders, request, cut }: JournalEntry, baseUrl: string): string {
  const mark = url.indexOf('?');
  const { others, secret } = splitQuery(mark < 0 ? '' : url.slice(mark));
  const target = `${baseUrl}${mark < 0 ? url : url.slice(0, mark)}${others}`;
  const sent = Object.entries(requestHeaders).filter(([name]) => !ownHeaders.test(name));
  // Else curl takes brackets for a range of URLs.
  const plain = /[[\]{}]/.test(target) ? '--globoff ' : '';
  const piped = isUnfitAsArgument(request);
  const command = [
    `curl ${plain}${quoted(target)}`,
    ...headers(sent.filter(([name]) => !isLeftOut(name))),
    piped ? '--data-binary @-' : `--data-raw ${quoted(request)}`,
  ];
  return [
    leftOut([
      ...sent.flatMap(([name]) => (isLeftOut(name) ? [`header ${name}`] : [])),
      ...secret.map(([name]) => `query parameter ${name}`),
    ]),
    cut.request > 0 ? `# The body was cut off: ${cut.request} more characters were not kept.\n` : '',
    piped ? `printf ${quoted(formatOf(request))} | ` : '',
    command.join(' \\\n  '),
  ].join('');
}

/** What belongs to the connection, or what every client says of itself. */
const ownHeaders = /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|expect|user-agent|accept|accept-.+|sec-.+)$/;

function isLeftOut(name: string): boolean {
  return isSecretHeader(name) && name !== 'service-api-key';
}

/** Tells which headers and parameters are not in the command. */
function leftOut(names: readonly string[]): string {
  // Some shells run what is in a comment that is typed or pasted.
  const harmless = names.map((name) => name.replaceAll(/[^\w .-]/g, '_'));
  return names.length === 0 ? '' : `# Left out, as the journal masks secrets: ${harmless.join(', ')}.\n`;
}

function headers(sent: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const { 'service-api-key': key, 'content-type': type, ...others }: Readonly<Record<string, string>> = Object.fromEntries(sent);
  return [
    ...(key === undefined ? [] : ['-H "SERVICE-API-KEY: $SANDBOX_API_KEY"']),
    // Without a word on it curl would declare a form.
    `-H ${type === undefined ? "'Content-Type:'" : quoted(`Content-Type: ${type}`)}`,
    // A header that is empty is written with a semicolon; with a colon, curl would leave it out.
    ...Object.entries(others).map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
  ];
}

/** Within single quotes a shell takes everything as it stands but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What a terminal does not let through as it stands: control characters other than the end of a line. */
const control = /(?!\n)\p{Cc}/u;

/** Linux takes arguments of up to 128 KiB each; what a builtin like printf is given is not counted. */
const longestArgument = 120_000;

function isUnfitAsArgument(text: string): boolean {
  return control.test(text) || Buffer.byteLength(text) > longestArgument;
}

/** The format that has printf write a text; one that began with a dash would be taken for an option. */
function formatOf(text: string): string {
  return text.replaceAll('%', '%%').replaceAll(/^-|\\|(?!\n)\p{Cc}/gu, octal);
}

function octal(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
