import type { Mask } from '../key-mask/key-mask.ts';

/** Private characters around the text of a service, which is masked when it is shown. Our own words are not. */
const opening = '\ue000';
const closing = '\ue001';
const marks = /[\ue000\ue001]/g;
/** A text of the service. */
const marked = /\ue000([^\ue001]*)\ue001?/g;

/** Marks a text of the service in a sentence of ours. */
export function theirs(text: string | number): string {
  return `${opening}${String(text).replaceAll(marks, '\ufffd')}${closing}`;
}

/** Returns a sentence for display: without marks, and without any part of a key in the texts of the service. */
export function shown(words: string, mask: Mask): string {
  return plain(words.replaceAll(marked, (_, text: string) => mask(text)));
}

/** Masks the texts of the service in a sentence, which stay marked. */
export function maskedTheirs(words: string, mask: Mask): string {
  return words.replaceAll(marked, (_, text: string) => theirs(mask(text)));
}

/** Returns a sentence without marks. */
export function plain(words: string): string {
  return words.replaceAll(marks, '');
}
