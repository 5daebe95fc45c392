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
 * Returns the marked lines of a JSON text, and those that open the objects and lists around them. Without a marked line, the
 * beginning. In a marker, `*` stands for any member.
 */
export function excerptOf(
  lines: readonly JsonLine[],
  markers: readonly string[],
): readonly (ShownLine | Gap)[] {
  const patterns = markers.map(patternOf);
  const marked = new Set(
    lines.flatMap(({ pointer }, at) =>
      pointer !== null && patterns.some((pattern) => pattern.test(pointer)) ? [at] : [],
    ),
  );
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

/** Returns all lines with the marked ones. */
export function wholeOf(
  lines: readonly JsonLine[],
  markers: readonly string[],
): readonly (ShownLine | Gap)[] {
  const patterns = markers.map(patternOf);
  return lines.map(({ pointer, text }) => ({
    kind: 'line',
    text,
    isMarked: pointer !== null && patterns.some((pattern) => pattern.test(pointer)),
  }));
}

/** Returns the places of the lines that are shown. */
function keptOf(lines: readonly JsonLine[], marked: ReadonlySet<number>): ReadonlySet<number> {
  if (lines.length <= minLines) return new Set(lines.keys());
  if (marked.size === 0) return new Set([...lines.keys()].slice(0, minLines - minGap));
  const parents = new Set([...marked].flatMap((at) => parentsOf(lines[at]?.pointer ?? '')));
  const opening = [...lines.keys()].filter((at) => parents.has(lines[at]?.pointer ?? null));
  return new Set([...marked, ...opening]);
}

function parentsOf(pointer: string): readonly (string | null)[] {
  const names = pointer.split('/');
  return names.map((_, depth) => names.slice(0, depth).join('/')).filter((_, depth) => depth > 0);
}

function endOfGap(kept: ReadonlySet<number>, from: number, length: number): number {
  let end = from;
  while (end < length && !kept.has(end)) end += 1;
  return end;
}

function patternOf(marker: string): RegExp {
  const names = marker
    .split('/')
    .map((name) => (name === '*' ? '[^/]*' : name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)));
  return new RegExp(`^${names.join('/')}$`);
}
