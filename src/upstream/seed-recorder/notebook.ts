import { recordOf } from '../../base/keys.ts';
import { collectionReferences, type Records } from '../../contract/generated/facts.ts';
import { collectionNames, type CollectionName } from '../../sandbox/seed.ts';
import { Sequences } from './sequences.ts';

/** The known fields of a record, without its id and schools. */
export type Told<N extends CollectionName> = {
  -readonly [K in Exclude<keyof Records[N], 'id' | 'schoolId' | 'schoolIds'>]?: Records[N][K];
};

/** A record as far as it is known, completely masked. */
export interface Draft<N extends CollectionName> {
  readonly id: string;
  /** The numbers of the schools under whose keys it was seen. */
  readonly schools: Set<number>;
  readonly told: Told<N>;
}

/** A preset as responses show it: it has no id. */
export type Preset = Told<'permissionPresets'>;

/** What the recording has learned so far, by school. Schools are numbered in the order of their keys. */
export class Notebook {
  readonly #drafts: { readonly [N in CollectionName]: Map<string, Draft<N>> } = recordOf(
    collectionNames,
    () => new Map<string, never>(),
  );
  readonly sequences = new Sequences();
  /** Playback sources of sessions, by id. */
  readonly sources = new Map<string, number>();
  /** The pages of presets by school and limit. */
  readonly presets = new Map<number, Map<string, Map<number | null, readonly Preset[]>>>();
  /** The highest total of videos and presets in a response, by school. */
  readonly totals = new Map<number, { videos: number; presets: number }>();
  /** Listed folders, by school. */
  readonly folders = new Map<number, Set<string>>();

  of<N extends CollectionName>(collection: N): Map<string, Draft<N>> {
    return this.#drafts[collection];
  }

  /** Stores fields of a record; undefined fields are unknown. A later observation wins, field by field. */
  see<N extends CollectionName>(
    school: number,
    collection: N,
    id: string | undefined,
    told: Undefinable<Told<N>>,
  ): void {
    if (id === undefined || id === '') return;
    const draft: Draft<N> = this.of(collection).get(id) ?? { id, schools: new Set(), told: {} };
    draft.schools.add(school);
    for (const [field, value] of Object.entries(told)) {
      const isNothing =
        value === undefined || (value === '' && Object.hasOwn(collectionReferences[collection], field));
      if (!isNothing) Object.assign(draft.told, { [field]: value });
    }
    this.of(collection).set(id, draft);
  }

  /** Stores likely values: earlier values stay. */
  suppose<N extends CollectionName>(
    school: number,
    collection: N,
    id: string | undefined,
    told: Undefinable<Told<N>>,
  ): void {
    const known = id === undefined ? undefined : this.of(collection).get(id)?.told;
    this.see(school, collection, id, { ...told, ...known });
  }

  /**
   * Handles a complete list: members that it does not show no longer exist. `isIn` selects the members of the
   * list.
   */
  only<N extends CollectionName>(
    school: number,
    collection: N,
    ids: readonly string[],
    isIn: (draft: Draft<N>) => boolean,
  ): void {
    const shown = new Set(ids);
    for (const draft of this.of(collection).values()) {
      if (!draft.schools.has(school) || shown.has(draft.id) || !isIn(draft)) continue;
      draft.schools.delete(school);
      if (draft.schools.size === 0) this.of(collection).delete(draft.id);
    }
  }

  noteTotal(school: number, what: 'videos' | 'presets', total: number | undefined): void {
    const known = this.totals.get(school) ?? { videos: 0, presets: 0 };
    this.totals.set(school, { ...known, [what]: Math.max(known[what], total ?? 0) });
  }
}

type Undefinable<T> = { readonly [K in keyof T]?: T[K] | undefined };
