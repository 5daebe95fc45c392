import type { View } from './views.ts';

/** Tags, and ANSI colors of terminals, whose letters can hardly be those of a key. */
const plainTag =
  // oxlint-disable-next-line no-control-regex -- colors begin with one
  /\u001b\[[\d;:]{0,30}[a-z]|<\/?(?:b|br|code|div|em|h[1-6]|i|li|p|s|span|strong|td|tr|u|wbr)\s*\/?>/g;

/**
 * What a service may write between the letters of a key: tags of HTML, and indexes before strings, as in the JSON of a
 * spread string or of `Object.entries`, in PHP (`i:0;s:1:"k";`, `[0] => k`), and in lists such as `0=k;1=e` or
 * `1. k`; the mark of bytes in Python (`b'k'`), and the name of the function that makes a character of a number (`chr(107)`).
 */
const between =
  /<[/!?]?[a-z-][^<>]*>|(?:(["'])\d+\1\s*:|\[\s*(["']?)\d+\2\s*,)(?=\s*["'])|\bi:\d+;s:1:(?=\\*")|(?:\[\d+\]\s*=(?:>|&gt;)\s*|(?<![\w])\d+(?:=|[.)]\s{1,3}))(?=[\w-](?:\W|$))|(?<![\w"'])b(?=\\*(["'])[\w-]\\*\3)|\bcha?r\((?=\d{1,3}\))/g;

/** Returns a text without plain tags, and without all tags and indexes, if this makes a difference. */
export function joinedViews(view: View): readonly View[] {
  const untagged = without(view, plainTag);
  const joined = without(untagged, between);
  return joined === untagged ? [untagged] : [untagged, joined];
}

/** Writes spaces, so that nothing moves. */
function without(view: View, parts: RegExp): View {
  const text = view.text.replaceAll(parts, (part) => ' '.repeat(part.length));
  return text === view.text ? view : { ...view, text };
}
