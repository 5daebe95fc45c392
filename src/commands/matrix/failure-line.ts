import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../../base/escape.ts';

/** Characters of a reason, so that it stays a line. */
const longest = 160;

/** What a language's runtime or library says of an error: `AssertionError: …`, `urllib.error.HTTPError: …`, `Exception in thread …`. */
const named = /^(?:\W|E\s)*(?:Uncaught |Caused by: |Unhandled )?[\w.$]*(?:Error|Exception)\b(?!\w).*\S/;
/** What most other programs say. */
const likely = /\b(?:error|fail(?:ed|s|ure)?|fatal|panic(?:ked)?|cannot|can't|could not|refused|not ok|denied|timed out)\b|^\s*[✗✖×]/i;
/** What follows an error without telling of it. */
const noise = /^\s*(?:at |npm (?:error|ERR!|warn|notice)|Node\.js v\d|\^+$|[{}[\]()]+[;,]?$|=+ .* =+$)/;

/** The line that most likely tells why a program failed; empty where it said nothing. */
export function tellingLine(out: string, err: string): string {
  const said = [linesOf(out), linesOf(err)];
  for (const looks of [named, likely]) {
    for (const lines of said.toReversed()) {
      const line = lines.findLast((one) => looks.test(one) && !noise.test(one));
      if (line !== undefined) return oneLine(line, longest);
    }
  }
  const all = said.flat();
  return oneLine(all.findLast((line) => !noise.test(line)) ?? all.at(-1) ?? '', longest);
}

function linesOf(text: string): readonly string[] {
  const lines = stripVTControlCharacters(text).split(/[\r\n]+/);
  return lines.filter((line) => line.trim() !== '');
}
