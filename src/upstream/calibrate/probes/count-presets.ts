import type { Scene } from '../probe.ts';
import { listAt, resultOf, type Reply } from '../reply.ts';

/** Maximum number of further pages to read. */
export const maxFurtherPages = 4;

/** The number of presets, or why it cannot be counted. */
type Counted = { readonly total: number } | { readonly why: string };

/**
 * Counts the presets of all pages, for a service that does not send their number. `first` and `zero` are the responses to
 * the pages 1 and 0. Only an empty page, or a refused one, proves that no more follow.
 */
export async function countPresets(
  { pace }: Scene,
  limit: number,
  { first, zero }: { readonly first: Reply; readonly zero: Reply },
): Promise<Counted> {
  const [atOne, atZero] = [presetsIn(first), presetsIn(zero)];
  if (atOne.length === 0) return atZero.length === 0 ? none : { total: atZero.length };
  if (JSON.stringify(atOne) === JSON.stringify(atZero))
    return { why: 'pages 0 and 1 have the same presets, so its pages do not show where the list ends' };
  let [total, before] = [atOne.length + atZero.length, atOne];
  for (let pageNumber = 2; pageNumber < 2 + maxFurtherPages; pageNumber += 1) {
    const reply = await pace.call({
      operation: 'get-instructor-permission-presets',
      elements: [{ pageNumber, limit }],
    });
    const found = presetsIn(reply);
    if (found.length === 0) return { total };
    if (JSON.stringify(found) === JSON.stringify(before))
      return { why: 'consecutive pages have the same presets, so its pages do not show where the list ends' };
    [total, before] = [total + found.length, found];
  }
  return { why: `more than ${maxFurtherPages} pages with a limit of ${limit} have presets` };
}

const none: Counted = { why: 'neither page 0 nor page 1 has presets' };

function presetsIn(reply: Reply): readonly unknown[] {
  return listAt(resultOf(reply), 'presets');
}
