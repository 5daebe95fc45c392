import type { View } from './views.ts';

/** Tags, and ANSI colors of terminals, also without their escape, whose letters can hardly be those of a key. */
const plainTag =
  // oxlint-disable-next-line no-control-regex -- colors begin with one
  /(?:\u001b|\u241b|\^\[)\[[0-?]*[ -/]*[@-~]|\[\d[\d;:]*m|<\/?(?:b|br|code|div|em|h[1-6]|i|li|p|s|span|strong|td|tr|u|wbr)\s*\/?>/g;

/**
 * What a service may write between the letters of a key: tags of HTML, and indexes before strings, as in the JSON of a
 * spread string or of `Object.entries`, and in PHP (`i:0;s:1:"k";`, `[0] => k`); the mark of bytes in Python (`b'k'`),
 * and the name of the function that makes a character of a number (`chr(107)`).
 */
const between =
  /<[/!?]?[a-z-][^<>]*>|(?:(["'])\d+\1\s*:|\[\s*(["']?)\d+\2\s*,)(?=\s*["'])|\bi:\d+;s:1:(?=\\*")|\[\d+\]\s*=(?:>|&gt;)\s*(?=[\w-](?:\W|$))|(?<![\w"'])b(?=\\*(["'])[\w-]\\*\3)|\bcha?r\((?=\d{1,3}\))/g;

/**
 * A number and a single character, as in `1: k`, `0=k;1=e`, `#1 k`, `1 - "k"` and `char 1: k`. Escaped spaces are
 * decoded before.
 */
const numbered =
  // oxlint-disable-next-line no-control-regex -- what escapes are decoded to
  /(?<!\w)(?:[a-z]{1,12}[ _[(]{0,2})?#?\d+(?:[ \t]{0,3}[:=.)\]>|,;/-]{1,2}[ \t>\u0001]{0,3}|[ \t\u0001]{1,3})["'`(*]{0,2}[\w-](?!\w)/g;

/** Backslashes before characters that they do not encode: a service may write one before each. */
const spelling = /(?<!\\)(?:\\|%(?:25)*5c)+(?=[\da-z])(?!u[\da-f]{4}|[ux]\{|x[\da-f]{2})/g;

/** Such a backslash that is no escape of JSON. Most texts have none. */
const mayBeSpelled = /(?:\\|%(?:25)*5c)[ac-eg-mo-qswyz\d]/;

/** Returns a text without backslashes before letters and digits, as a list of one view; an empty list if it has none. */
export function spelledViews(view: View): readonly View[] {
  return mayBeSpelled.test(view.text) ? [without(view, spelling)] : [];
}

/** Returns a text without plain tags, and without all tags and indexes, if this makes a difference. */
export function joinedViews(view: View): readonly View[] {
  const untagged = without(view, plainTag);
  const joined = without(without(untagged, between), numbered, 1);
  return joined === untagged ? [untagged] : [untagged, joined];
}

/** Writes spaces instead of parts, except for their last `kept` characters, so that nothing moves. */
function without(view: View, parts: RegExp, kept = 0): View {
  const text = view.text.replaceAll(
    parts,
    (part: string) => ' '.repeat(part.length - kept) + part.slice(part.length - kept),
  );
  return text === view.text ? view : { ...view, text };
}
