/** Replaces a part of a key. It must not show how the key continues. */
export const replacement = '[key]';

/** Replaces each number that stands for a character of a key or contains a part, so that JSON stays valid. */
const numberReplacement = '0';

const mayBeJson = /^\s*[{[]/;
const inToken = /[\w.+-]/;
/** V8 gives up a regular expression after some millions of characters. */
const maxValuesChars = 64 * 1024;
const onlyValues = /^(?:[\d.e+,\s-]|true|false|null)*$/i;

/** Returns a text without its hidden characters. Hidden numbers become other numbers. */
export function replaced(text: string, isHidden: Uint8Array, isNumber: Uint8Array): string {
  const isInString = mayBeJson.test(text) ? stringsOf(text) : () => true;
  let shown = '';
  let done = 0;
  for (let at = isHidden.indexOf(1); at >= 0; at = isHidden.indexOf(1, done)) {
    const hiddenEnd = isHidden.indexOf(0, at);
    let start = at;
    let end = hiddenEnd < 0 ? text.length : hiddenEnd;
    let mark = isNumber[at] === 1 ? numberReplacement : replacement;
    if (mark === replacement && !isInString(at)) {
      const [from, to] = tokensAround(text, start, end, done);
      const values = text.slice(from, to);
      if (values.length <= maxValuesChars && onlyValues.test(values)) {
        [start, end] = [from, to];
        mark = values.replaceAll(/[\w.+-]+/g, numberReplacement);
      }
    }
    shown += text.slice(done, start) + mark;
    done = end;
  }
  return done === 0 ? text : shown + text.slice(done);
}

/** Returns a function that checks whether a place of JSON is in a string. The places must ascend. */
function stringsOf(text: string): (place: number) => boolean {
  let at = 0;
  let isInString = false;
  return (place) => {
    for (; at < place; at += 1)
      if (text[at] === '"') isInString = !isInString;
      else if (text[at] === '\\') at += 1;
    return isInString;
  };
}

/** Returns where the numbers and words begin and end that a part of a text, after `done`, belongs to. */
function tokensAround(text: string, from: number, to: number, done: number): readonly [number, number] {
  let start = from;
  let end = to;
  while (start > done && inToken.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && inToken.test(text.charAt(end))) end += 1;
  return [start, end];
}
