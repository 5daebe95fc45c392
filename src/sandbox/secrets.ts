import { closest } from '../base/did-you-mean.ts';
import { shortened } from './keys.ts';

/**
 * Matches the names of headers and query parameters that hold a secret. Everything that is stored, shown or
 * written uses this rule.
 */
const secretName =
  /key|token|secret|auth|session|cookie|passw|passcode|passphrase|pwd|bearer|service[-_.]?api|credential|csrf|xsrf|jwt|signature|(?:^|[-_.])(?:otp|pass|pin|sig)(?:$|[-_.])/i;

/** These names match, but their values mostly describe the credentials that a client needs. */
const challenges: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate']);

/** Names that may be a misspelled SERVICE-API-KEY, of which few are compared letter by letter. */
const likeKeyHeader = /serv|api/;

/** Returns whether a header holds a secret. `name` is in lower case. */
export function isSecretHeader(name: string): boolean {
  if (secretName.test(name)) return !challenges.has(name);
  return likeKeyHeader.test(name) && closest(name, ['service-api-key']) !== undefined;
}

/** Masks the value of a secret header. Only the API key stays recognizable. */
export function maskedHeader(name: string, value: string): string {
  return name === 'service-api-key' ? shortened(value) : masked(value);
}

/** Masks secrets in the value of any other header: those of URLs, and the tokens of challenges. */
export function maskedValue(name: string, value: string): string {
  const shown = challenges.has(name) ? value.replaceAll(token68, (_, scheme = '') => `${scheme}…`) : value;
  return maskUrls(shown);
}

/**
 * An authentication scheme and its token (RFC 9110, section 11.2), as in `Negotiate YII…`; or a token without its
 * scheme, which is longer than all names of schemes.
 */
const token68 = /(?<=^|,)(?:(\s*[\w-]+ )+|\s*(?=[\w.~+/-]{20}))[\w.~+/-]+=*(?=\s*(?:,|$))/g;

/** Masks a whole secret, because passwords and codes can be short. */
export function masked(secret: string): string {
  return secret === '' ? '' : '…';
}

/** Masks the secret parameters and passwords of the URLs in a text, such as the value of a Referer header. */
export function maskUrls(text: string): string {
  return /[=@%]/.test(text) ? maskParameters(maskPasswords(text), /[&#\s"<>]/g) : text;
}

/** Masks the secret parameters of a query, and those of the URLs in it. */
export function maskQuery(query: string): string {
  return query === '' ? '' : maskParameters(maskPasswords(query), /&/g);
}

/**
 * Masks the secret parameters in the segments of a path, such as `/a;token=1`, and passwords of URLs in it. The
 * segments after such a parameter are masked too: a token can contain slashes.
 */
export function maskPath(path: string): string {
  if (!/[=@%]/.test(path)) return path;
  const segments = maskPasswords(path).replaceAll(userOfSegment, '/$1:…@').split('/');
  const shown = segments.map(maskSegment);
  const first = shown.findIndex((segment, at) => segment !== segments[at] && segment.endsWith('…'));
  return shown.map((segment, at) => (first >= 0 && at > first ? masked(segment) : segment)).join('/');
}

/** A user and a password at the beginning of a segment, as before the host of a URL. */
const userOfSegment = /\/([^/:@]+):[^/@]+@/g;

/** A segment may itself be a parameter. */
function maskSegment(segment: string): string {
  return maskParameters(`?${segment}`, /[&;#]/g).slice(1);
}

/** Returns the secrets that `maskQuery` masks, and those of `splitQuery`, as sent. */
export function secretsIn(query: string): readonly string[] {
  if (query === '') return [];
  return [
    ...passwordsIn(query),
    ...secretParameters(query, /&/g).map(([start, end]) => query.slice(start, end)),
    ...splitQuery(query).secret.map(([, value]) => value),
  ];
}

/**
 * Separates the secret parameters of a query from the others. `secret` has their names and values as sent.
 */
export function splitQuery(query: string): {
  readonly others: string;
  readonly secret: readonly (readonly [string, string])[];
} {
  if (query === '') return { others: '', secret: [] };
  const secret: (readonly [string, string])[] = [];
  const others = query
    .slice(1)
    .split('&')
    .filter((parameter) => {
      const end = parameter.indexOf('=');
      if (end < 0 || !isSecretParameter(parameter.slice(0, end))) return true;
      secret.push([parameter.slice(0, end), parameter.slice(end + 1)]);
      return false;
    });
  return { others: others.length === 0 ? '' : `?${others.join('&')}`, secret };
}

function isSecretParameter(name: string): boolean {
  return secretName.test(percentDecoded(name));
}

/** A name can be encoded several times, but each time costs a pass. */
const maxEncodings = 6;

/** Decodes percent-encoded ASCII. Unlike decodeURIComponent, it accepts any text. */
export function percentDecoded(name: string): string {
  let plain = name;
  for (let pass = 0; pass < maxEncodings && plain.includes('%'); pass += 1) {
    plain = plain.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    );
  }
  return plain;
}

/**
 * A parameter up to its value. A URL that is itself the value of a parameter has its separators
 * percent-encoded.
 */
const parameter =
  /(?:^|[?&;#]|%(?:25)*(?:3f|26|3b|23))[ \t]*((?:(?!%(?:25)*(?:3f|26|3b|23|3d))[^?&;#=\s])+)(=|%(?:25)*3d)/gi;

function maskParameters(text: string, ends: RegExp): string {
  let shown = '';
  let done = 0;
  for (const [start, end] of secretParameters(text, ends)) {
    shown += text.slice(done, start) + masked(text.slice(start, end));
    done = end;
  }
  return done === 0 ? text : shown + text.slice(done);
}

/**
 * Returns where the values of secret parameters start and end. `ends` matches the end of a value. It must be
 * global, and is modified.
 */
function secretParameters(text: string, ends: RegExp): readonly (readonly [start: number, end: number])[] {
  const found: (readonly [number, number])[] = [];
  let done = 0;
  for (const { 0: whole, 1: name = '', 2: equals, index } of text.matchAll(parameter)) {
    if (index < done || !isSecretParameter(name)) continue;
    const start = index + whole.length;
    done = endOf(text, start, equals === '=' ? ends : /[&#\s"<>]|%(?:25)*(?:26|23)/gi);
    found.push([start, done]);
  }
  return found;
}

function endOf(text: string, start: number, ends: RegExp): number {
  ends.lastIndex = start;
  return ends.exec(text)?.index ?? text.length;
}

/** Matches the user and password of a URL, plain or percent-encoded. */
const userInfo =
  /\/\/([^/?#\s"<>]+)@|(?:(?:\/|%2f){2}|(?::|%3a)(?:\/|%2f))((?:(?!%2f|%3f|%23)[^/?#&\s"<>])+)(?:@|%40)/gi;

function maskPasswords(text: string): string {
  return text.replaceAll(userInfo, (found, plain?: string, encoded?: string) =>
    found.replace(plain ?? encoded ?? '', '…'),
  );
}

function passwordsIn(text: string): readonly string[] {
  return [...text.matchAll(userInfo)].flatMap(([, plain, encoded]) => {
    const both = plain ?? encoded ?? '';
    return [both, both.replace(/^.*?(?::|%3a)/i, '')];
  });
}
