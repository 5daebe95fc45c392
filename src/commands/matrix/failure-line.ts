import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../../base/escape.ts';

/** Maximum length of a reason, so that it fits on one line. */
const longest = 160;

/** Error lines of runtimes and libraries: `AssertionError: …`, `urllib.error.HTTPError: …`, `Exception in thread …`. */
const named = /^(?:\W|E\s)*(?:Uncaught |Caused by: |Unhandled )?[\w.$]*(?:Error|Exception)\b(?!\w).*\S/;
/** Error lines of most other programs. */
const likely = /\b(?:error|fail(?:ed|s|ure)?|fatal|panic(?:ked)?|cannot|can't|could not|refused|not ok|denied|timed out)\b|^\s*[✗✖×]/i;
/** Lines after an error that do not describe it. */
const noise = /^\s*(?:at |npm (?:error|ERR!|warn|notice)|Node\.js v\d|\^+$|[{}[\]()]+[;,]?$|=+ .* =+$)/;

/** Returns the line that most likely explains the failure; empty if the program printed nothing. */
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
