import { BoundedMap } from '../../base/bounded-map.ts';
import { slicedMaskFor, type SlicedMask } from '../key-mask/key-mask.ts';
import { maxEncodedChars } from '../key-mask/key-parts.ts';

/** The total length of the keys whose masks are remembered. Each character takes about ten kilobytes. */
const maxChars = 2 * maxEncodedChars;

/** A mask, and how much of its key makes it large. */
interface Known {
  readonly mask: SlicedMask;
  readonly chars: number;
}

/** The masks of the last keys, because clients repeat theirs, and deriving all forms of a key takes milliseconds. */
export class KeyMasks {
  readonly #known = new BoundedMap<string, Known>(maxChars, ({ chars }) => chars);

  of(key: string): SlicedMask {
    const known = this.#known.get(key) ?? {
      mask: slicedMaskFor([key]),
      chars: Math.min(key.length, maxEncodedChars),
    };
    // Again, if it is known: the one that was used longest ago is forgotten first.
    this.#known.set(key, known);
    return known.mask;
  }
}
