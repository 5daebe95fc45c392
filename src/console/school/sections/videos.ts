import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Badge, type Tone } from '../../parts/badge.ts';
import { Link } from '../../parts/link.ts';
import { Empty, Loading, ProblemNotice } from '../../parts/notice.ts';
import { grouped, Paged, Pager } from '../../parts/paged.ts';
import { useLoad } from '../../parts/use-load.ts';
import { maxTyped, useTyped } from '../../parts/use-typed.ts';
import { videoCall } from '../api-call.ts';
import { CardActions } from '../card-actions.ts';
import { ancestorsOf } from '../folders.ts';
import { loadAssumptions, ReturnedInstead, type FixedValues } from '../fixed-values.ts';
import { loadFolder, type Subfolder } from '../load-folder.ts';
import { Loaded } from '../loaded.ts';
import { dayOf } from '../moment.ts';
import { SearchField } from '../search-field.ts';
import { useSearchText } from '../search-text.ts';
import { pageOf, schoolPath, type School, type SectionProps } from '../school.ts';

type Video = Records['videos'];

interface Library {
  /** The number of all videos. */
  readonly total: number;
  /** The number of the first page of the library, which an assumption sets. */
  readonly firstPage: number;
  readonly fixed: FixedValues;
}

/** Loads what there is apart from folders and videos, which can be 100,000. */
async function loadLibrary(school: School): Promise<Library> {
  const [{ total }, { assumptions, fixedValues: fixed }] = await Promise.all([
    pageOf(school, 'videos', { limit: '1' }),
    loadAssumptions(school),
  ]);
  const first = assumptions.find(({ name }) => name === 'firstPageNumber')?.chosen;
  return { total, firstPage: Number(first ?? 1), fixed };
}

/** The video library of a school, folder by folder. A search covers all folders. */
export function VideosSection({ school, query }: SectionProps): VNode {
  const folder = query.get('folder') ?? '/';
  const show = (library: Library): VNode =>
    library.total === 0
      ? html`<${Empty}>${school.name} has no videos.<//>`
      : html`<${Videos} school=${school} library=${library} folder=${folder} />`;
  return html`<${Loaded} load=${() => loadLibrary(school)} keys=${[]} show=${show} />`;
}

interface Props {
  readonly school: School;
  readonly library: Library;
  readonly folder: string;
}

/** The number of videos on a page. */
const size = 60;

function Videos({ school, library, folder }: Props): VNode {
  const { total } = library;
  const search = useSearchText();
  const { text } = search;
  const [typed, setTyped] = useTyped(search);
  const isSearch = text !== '';
  const key = isSearch ? `search ${text}` : `in ${folder}`;
  const [turned, setTurned] = useState({ key, page: 0 });
  // Another list begins at its first page.
  const page = turned.key === key ? turned.page : 0;
  const { value, problem } = useLoad(async () => {
    const range = { offset: String(page * size), limit: String(size) };
    return {
      key,
      page,
      ...(await pageOf(school, 'videos', { ...range, ...(isSearch ? { text } : { folder }) })),
    };
  }, [key, page]);
  const shown = value?.key === key ? value : null;
  const isBusy = shown !== null && (shown.page !== page || typed.trim() !== text);
  const found = isSearch ? shown?.total : total;
  const isSearching = found === undefined || typed.trim() !== text;
  return html`<${SearchField} typed=${typed} onType=${setTyped} text=${text} found=${found} total=${total} what="videos" isBusy=${isSearching} maxLength=${maxTyped} />
    ${!isSearch && html`<${Place} key=${folder} school=${school} folder=${folder} />`}
    <${ProblemNotice} problem=${problem} />
    ${
      shown === null
        ? problem === null && html`<${Loading} />`
        : html`<div aria-busy=${isBusy}>
          <${Pager} page=${page} size=${size} total=${shown.total} what="videos" onPage=${(next: number) => setTurned({ key, page: next })} />
          <ul class="lines">${shown.records.map((video) => html`<${VideoLine} key=${video.id} school=${school} video=${video} library=${library} showsFolder=${isSearch} />`)}</ul>
        </div>`
    }`;
}

/** The path of a folder, and the folders in it. */
function Place({ school, folder }: Pick<Props, 'school' | 'folder'>): VNode {
  const { value, problem } = useLoad(() => loadFolder(school, folder), []);
  const at = (path: string): string =>
    schoolPath(school.sandbox, school.slug, 'videos', path === '/' ? {} : { folder: path });
  return html`<nav aria-label="Folder" class="crumbs">
      ${ancestorsOf(folder).map((path) => html`<${Link} key=${path} to=${at(path)}>${nameOf(path)}<//> <span aria-hidden="true">›</span> `)}
      <span aria-current="page">${nameOf(folder)}</span>
    </nav>
    <${ProblemNotice} problem=${problem} />
    ${value?.count === 0 && html`<${Empty}>The library has no folder ${folder}.<//>`}
    <${Paged}
      items=${value?.subfolders ?? []}
      size=${60}
      what="folders"
      show=${(shown: readonly Subfolder[]) =>
        html`<ul class="folders">
          ${shown.map(
            ({ path, name, count }) =>
              html`<li key=${path}><${Link} to=${at(path)}><${FolderIcon} /> ${name} <span class="soft small">${grouped(count)}</span><//></li>`,
          )}
        </ul>`}
    />`;
}

function FolderIcon(): VNode {
  return html`<svg class="folder-icon" viewBox="0 0 16 13" aria-hidden="true"><path d="M1 0h5l1.5 2H15a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H1a1 1 0 0 1-1-1V1a1 1 0 0 1 1-1z" /></svg>`;
}

function nameOf(path: string): string {
  return path === '/' ? 'All folders' : path.slice(path.lastIndexOf('/') + 1);
}

const tones: Readonly<Record<string, Tone>> = { Ready: 'good', Processing: 'info', CcFailed: 'bad' };

interface LineProps {
  readonly school: School;
  readonly video: Video;
  readonly library: Library;
  readonly showsFolder: boolean;
}

function VideoLine({ school, video, library, showsFolder }: LineProps): VNode {
  const { videoTitle, status, createdAt, folderPath } = video;
  return html`<li>
    <div>
      <h3>${videoTitle}</h3>
      <p class="soft small">
        <${Badge} tone=${tones[status] ?? 'plain'}>${status}<//> <${ReturnedInstead} school=${school} fixed=${library.fixed} collection="videos" field="status" value=${status} /> ${dayOf(createdAt, school.timeZone)}${showsFolder && ` · ${folderPath}`}
      </p>
    </div>
    <${CardActions} school=${school} what=${videoTitle} collection="videos" record=${video} call=${videoCall(video, library.firstPage)} />
  </li>`;
}
