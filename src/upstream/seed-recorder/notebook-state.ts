import type { CollectionName } from '../../sandbox/seed.ts';
import { collectionNames } from '../../sandbox/seed.ts';
import { Notebook, type Draft, type Preset, type Told } from './notebook.ts';
import type { NotedList } from './sequences.ts';

type DraftState<N extends CollectionName> = Omit<Draft<N>, 'schools'> & {
  readonly schools: readonly number[];
};

/** A notebook as plain data. It contains only masked values. */
export interface NotebookState {
  readonly drafts: { readonly [N in CollectionName]?: readonly DraftState<N>[] };
  readonly lists: readonly NotedList[];
  readonly sources: readonly (readonly [string, number])[];
  readonly presets: readonly (readonly [
    school: number,
    limit: string,
    page: number | null,
    presets: readonly Preset[],
  ])[];
  readonly totals: readonly (readonly [number, { readonly videos: number; readonly presets: number }])[];
  readonly folders: readonly (readonly [number, readonly string[]])[];
}

export function stateOf(notebook: Notebook): NotebookState {
  const drafts = collectionNames.map((name) => [name, draftsOf(notebook, name)] as const);
  return {
    drafts: Object.fromEntries(drafts),
    lists: [...notebook.sequences.lists()],
    sources: [...notebook.sources],
    presets: [...notebook.presets].flatMap(([school, byLimit]) =>
      [...byLimit].flatMap(([limit, pages]) =>
        [...pages].map(([page, presets]) => [school, limit, page, presets] as const),
      ),
    ),
    totals: [...notebook.totals],
    folders: [...notebook.folders].map(([school, paths]) => [school, [...paths]] as const),
  };
}

function draftsOf<N extends CollectionName>(notebook: Notebook, name: N): readonly DraftState<N>[] {
  return [...notebook.of(name).values()].map(({ id, schools, told }) => ({
    id,
    schools: [...schools],
    told: { ...told },
  }));
}

/** Returns a new notebook with the same content. */
export function notebookFrom(state: NotebookState): Notebook {
  const notebook = new Notebook();
  for (const name of collectionNames) restoreDrafts(notebook, name, state.drafts[name] ?? []);
  for (const [collection, list, page, ids] of state.lists)
    notebook.sequences.note(collection, list, page, ids);
  for (const [id, count] of state.sources) notebook.sources.set(id, count);
  for (const [school, limit, page, presets] of state.presets) {
    const byLimit = notebook.presets.get(school) ?? new Map<string, Map<number | null, readonly Preset[]>>();
    const pages = byLimit.get(limit) ?? new Map<number | null, readonly Preset[]>();
    notebook.presets.set(school, byLimit.set(limit, pages.set(page, presets)));
  }
  for (const [school, totals] of state.totals) notebook.totals.set(school, { ...totals });
  for (const [school, paths] of state.folders) notebook.folders.set(school, new Set(paths));
  return notebook;
}

function restoreDrafts<N extends CollectionName>(
  notebook: Notebook,
  name: N,
  drafts: readonly { readonly id: string; readonly schools: readonly number[]; readonly told: Told<N> }[],
): void {
  for (const { id, schools, told } of drafts)
    notebook.of(name).set(id, { id, schools: new Set(schools), told: { ...told } });
}
