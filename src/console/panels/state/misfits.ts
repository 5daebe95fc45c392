import type { VNode } from 'preact';
import type { ControlProblem, Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Link } from '../../parts/link.ts';
import { pathTo } from '../../route.ts';

type Collections = Schemas['StateDocument']['collections'];

interface Props {
  readonly sandbox: string;
  readonly problem: ControlProblem;
  /** The rejected document. */
  readonly document: Schemas['StateDocument'];
  /** The current records. */
  readonly collections: Collections;
}

/** Longer lists are not readable. */
const maxShown = 100;

/** The violations of a rejected document, each with its pointer and its record; the record is a link if its id exists. */
export function Misfits({ sandbox, problem: { title, violations }, document, collections }: Props): VNode {
  const hidden = violations.length - maxShown;
  return html`<div class="notice bad" role="alert">
    <p><strong>${title}.</strong> The file was not imported, and nothing has changed.</p>
    <ul>
      ${violations.slice(0, maxShown).map(
        ({ pointer, message: wrong }) =>
          html`<li key=${`${pointer} ${wrong}`}>
            <code>${pointer === '' ? 'the document' : pointer}</code> ${wrong}
            <${Place} sandbox=${sandbox} place=${placeOf(document, pointer)} collections=${collections} />
          </li>`,
      )}
    </ul>
    ${hidden > 0 && html`<p>And ${hidden} more.</p>`}
  </div>`;
}

interface Place {
  readonly collection: string;
  /** Index of the record in its collection. */
  readonly index: number;
  /** Null if the record has no id. */
  readonly id: string | null;
}

/** Returns the record that a pointer leads into, or null if it leads into none. */
function placeOf(document: Schemas['StateDocument'], pointer: string): Place | null {
  const [, top, collection = '', index = ''] = pointer.split('/');
  if (top !== 'collections' || index === '') return null;
  // The document is unvalidated input.
  const id: unknown = document.collections?.[collection]?.[Number(index)]?.['id'];
  return { collection, index: Number(index), id: typeof id === 'string' ? id : null };
}

interface PlaceProps extends Pick<Props, 'sandbox' | 'collections'> {
  readonly place: Place | null;
}

function Place({ sandbox, place, collections }: PlaceProps): VNode | null {
  if (place === null) return null;
  const { collection, index, id } = place;
  if (id === null) return html`<span class="soft">${` in record ${index + 1} of ${collection}, which has no id`}</span>`;
  const isThere = collections[collection]?.some((record) => record['id'] === id) ?? false;
  const name = html`<code>${collection}/${id}</code>`;
  return html`<span class="soft">
    ${' in '}${isThere ? html`<${Link} to=${pathTo(sandbox, 'state', { collection, record: id })}>${name}<//>` : html`${name}, which does not exist now`}
  </span>`;
}
