import type { JsonLine } from '../parts/json-lines.ts';

/** A line of an excerpt. */
interface ShownLine {
  readonly kind: 'line';
  readonly text: string;
  readonly isMarked: boolean;
}

/** Lines that an excerpt leaves out. */
interface Gap {
  readonly kind: 'gap';
  readonly lines: number;
}

/** A text with fewer lines is shown whole. */
const minLines = 12;

/** A gap saves room only if it hides more lines. */
const minGap = 2;

/**
 * Returns the marked lines of a JSON text, and those that open the objects and lists around them; the beginning if
 * none is marked. A marker is a JSON Pointer, in which `*` stands for any member, or a text in the line.
 */
export function excerptOf(
  lines: readonly JsonLine[],
  markers: readonly string[],
): readonly (ShownLine | Gap)[] {
  const marked = markedIn(lines, markers);
  const kept = keptOf(lines, marked);
  const shown: (ShownLine | Gap)[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const end = endOfGap(kept, at, lines.length);
    if (end - at >= minGap) {
      shown.push({ kind: 'gap', lines: end - at });
      at = end - 1;
    } else shown.push({ kind: 'line', text: lines[at]?.text ?? '', isMarked: marked.has(at) });
  }
  return shown;
}

/** Returns all lines. */
export function wholeOf(lines: readonly JsonLine[], markers: readonly string[]): readonly ShownLine[] {
  const marked = markedIn(lines, markers);
  return lines.map(({ text }, at) => ({ kind: 'line', text, isMarked: marked.has(at) }));
}

/** Returns the places of the marked lines. */
function markedIn(lines: readonly JsonLine[], markers: readonly string[]): ReadonlySet<number> {
  const patterns = markers.filter(isPointer).map(patternOf);
  const texts = markers.filter((marker) => !isPointer(marker));
  const isMarked = ({ pointer, text }: JsonLine): boolean =>
    texts.some((part) => text.includes(part)) ||
    (pointer !== null && patterns.some((pattern) => pattern.test(pointer)));
  return new Set(lines.flatMap((line, at) => (isMarked(line) ? [at] : [])));
}

function isPointer(marker: string): boolean {
  return marker.startsWith('/');
}

/** Returns the places of the lines that are shown. */
function keptOf(lines: readonly JsonLine[], marked: ReadonlySet<number>): ReadonlySet<number> {
  if (lines.length <= minLines) return new Set(lines.keys());
  if (marked.size === 0) return new Set([...lines.keys()].slice(0, minLines - minGap));
  const parents = new Set([...marked].flatMap((at) => parentsOf(lines[at]?.pointer ?? '')));
  const opening = [...lines.keys()].filter((at) => parents.has(lines[at]?.pointer ?? null));
  return new Set([...marked, ...opening]);
}

/** Returns the pointers of the objects and lists around a member. */
function parentsOf(pointer: string): readonly (string | null)[] {
  const names = pointer.split('/');
  return names.slice(1).map((_, depth) => names.slice(0, depth + 1).join('/'));
}

function endOfGap(kept: ReadonlySet<number>, from: number, length: number): number {
  let end = from;
  while (end < length && !kept.has(end)) end += 1;
  return end;
}

function patternOf(marker: string): RegExp {
  const escaped = marker.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*')}$`);
}
