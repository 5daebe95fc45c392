import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Records } from '../../../contract/generated/facts.ts';
import { ask } from '../../api.ts';
import { html } from '../../html.ts';
import { Badge, type Tone } from '../../parts/badge.ts';
import { Link } from '../../parts/link.ts';
import { Empty } from '../../parts/notice.ts';
import { grouped, Paged } from '../../parts/paged.ts';
import { videoCall } from '../api-call.ts';
import { CardActions } from '../card-actions.ts';
import { ancestorsOf, foldersOf, type Subfolder } from '../folders.ts';
import { Loaded } from '../loaded.ts';
import { recordsOf, schoolPath, type School, type SectionProps } from '../school.ts';
import { useSearch } from '../use-search.ts';

type Video = Records['videos'];

interface Library {
  readonly videos: readonly Video[];
  /** The number of the first page of the library, which an assumption sets. */
  readonly firstPage: number;
}

async function loadLibrary(school: School): Promise<Library> {
  const [videos, { assumptions }] = await Promise.all([
    recordsOf(school, 'videos'),
    ask('get', '/control/sandboxes/{sandboxId}/assumptions', { sandboxId: school.sandbox }),
  ]);
  const first = assumptions.find(({ name }) => name === 'firstPageNumber')?.chosen;
  return { videos, firstPage: Number(first ?? 1) };
}

/** The video library of a school, folder by folder. A search covers all folders. */
export function VideosSection({ school, query }: SectionProps): VNode {
  const folder = query.get('folder') ?? '/';
  const show = (library: Library): VNode =>
    html`<${Videos} school=${school} library=${library} folder=${folder} />`;
  return html`<${Loaded} load=${() => loadLibrary(school)} keys=${[]} show=${show} />`;
}

interface Props {
  readonly school: School;
  readonly library: Library;
  readonly folder: string;
}

function Videos({ school, library, folder }: Props): VNode {
  const { videos, firstPage } = library;
  const folders = useMemo(() => foldersOf(videos), [videos]);
  const { found, field, key } = useSearch(videos, ({ videoTitle }) => videoTitle, 'videos');
  const isSearch = key !== '';
  if (videos.length === 0) return html`<${Empty}>${school.name} has no videos.<//>`;
  return html`${field}
    ${!isSearch && html`<${Place} school=${school} folder=${folder} folders=${folders.subfoldersOf(folder)} />`}
    ${!isSearch && !folders.has(folder) && html`<${Empty}>The library has no folder ${folder}.<//>`}
    <${Paged}
      key=${isSearch ? `search ${key}` : `in ${folder}`}
      items=${isSearch ? found : folders.videosIn(folder)}
      size=${60}
      what="videos"
      show=${(shown: readonly Video[]) =>
        html`<ul class="lines">${shown.map((video) => html`<${VideoLine} key=${video.id} school=${school} video=${video} firstPage=${firstPage} showsFolder=${isSearch} />`)}</ul>`}
    />`;
}

interface PlaceProps extends Pick<Props, 'school' | 'folder'> {
  readonly folders: readonly Subfolder[];
}

/** The path of a folder, and the folders in it. */
function Place({ school, folder, folders }: PlaceProps): VNode {
  const at = (path: string): string =>
    schoolPath(school.sandbox, school.slug, 'videos', path === '/' ? {} : { folder: path });
  return html`<nav aria-label="Folder" class="crumbs">
      ${ancestorsOf(folder).map((path) => html`<${Link} key=${path} to=${at(path)}>${nameOf(path)}<//> <span aria-hidden="true">›</span> `)}
      <span aria-current="page">${nameOf(folder)}</span>
    </nav>
    <${Paged}
      key=${folder}
      items=${folders}
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
  readonly firstPage: number;
  readonly showsFolder: boolean;
}

function VideoLine({ school, video, firstPage, showsFolder }: LineProps): VNode {
  const { videoTitle, status, createdAt, folderPath } = video;
  return html`<li>
    <div>
      <h3>${videoTitle}</h3>
      <p class="soft small">
        <${Badge} tone=${tones[status] ?? 'plain'}>${status}<//> ${createdAt.slice(0, 10)}${showsFolder && ` · ${folderPath}`}
      </p>
    </div>
    <${CardActions} school=${school} what=${videoTitle} collection="videos" record=${video} call=${videoCall(video, firstPage)} />
  </li>`;
}
