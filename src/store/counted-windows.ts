import type { Facts } from '../sandbox/facts.ts';
import type { CallCounts } from '../sandbox/ledger.ts';

type WindowFacts = NonNullable<Facts['limits']['windows']>[number];
type Counted = WindowFacts['counted'][number];

/** The windows in a log: each line has only the latest entries of one of them, which replace the known ones. */
export class CountedWindows {
  readonly #byKey = new Map<string, ReadWindow>();

  constructor(windows: readonly WindowFacts[]) {
    for (const window of windows) this.add({ ...window, counting: window.counted.length });
  }

  add({ counting, counted, isNew, ...settings }: NonNullable<CallCounts['window']>): void {
    const key = JSON.stringify([settings.operation, settings.caller]);
    // The one before was forgotten, and this one is the latest.
    if (isNew === true) this.#byKey.delete(key);
    const known = this.#byKey.get(key)?.counted ?? [];
    // The facts before may have later entries than the line of the last call: a part of what this line has.
    const from = counted[0]?.at ?? Infinity;
    while ((known.at(-1)?.at ?? -Infinity) >= from) known.pop();
    known.push(...counted);
    // Not for each line, because that would take as long as the window is.
    const isTooLong = known.length > 2 * counting + minSurplus;
    this.#byKey.set(key, { settings, counting, counted: isTooLong ? latest(known, counting) : known });
  }

  all(): WindowFacts[] {
    return [...this.#byKey.values()].map(({ settings, counting, counted }) => ({
      ...settings,
      counted: latest(counted, counting),
    }));
  }
}

/** A window, with entries that no longer count. */
interface ReadWindow {
  readonly settings: Omit<WindowFacts, 'counted'>;
  /** The number of the last entries that count. */
  readonly counting: number;
  readonly counted: Counted[];
}

const minSurplus = 100;

function latest(counted: readonly Counted[], counting: number): Counted[] {
  return counted.slice(Math.max(0, counted.length - counting));
}
