import type { VNode } from 'preact';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Empty } from '../../parts/notice.ts';
import { Paged } from '../../parts/paged.ts';
import { instructorsCall } from '../api-call.ts';
import { CardActions } from '../card-actions.ts';
import { Loaded } from '../loaded.ts';
import { Markdown } from '../markdown.ts';
import { Picture } from '../picture.ts';
import { recordsOf, type School, type SectionProps } from '../school.ts';
import { useSearch } from '../use-search.ts';

type Instructor = Records['instructors'];

/** The instructors of a school with their portraits. */
export function InstructorsSection({ school }: SectionProps): VNode {
  const show = (instructors: readonly Instructor[]): VNode =>
    html`<${Instructors} school=${school} instructors=${instructors} />`;
  return html`<${Loaded} load=${() => recordsOf(school, 'instructors')} keys=${[school.changes]} show=${show} />`;
}

function Instructors({
  school,
  instructors,
}: {
  readonly school: School;
  readonly instructors: readonly Instructor[];
}): VNode {
  const { found, field, key } = useSearch(
    instructors,
    ({ name, email, tagline }) => `${name} ${email} ${tagline}`,
    'instructors',
  );
  if (instructors.length === 0) return html`<${Empty}>${school.name} has no instructors.<//>`;
  return html`${field}
    <${Paged}
      key=${key}
      items=${found}
      size=${60}
      what="instructors"
      show=${(shown: readonly Instructor[]) =>
        html`<ul class="cards">${shown.map((one) => html`<${Card} key=${one.id} school=${school} instructor=${one} />`)}</ul>`}
    />`;
}

function Card({ school, instructor }: { readonly school: School; readonly instructor: Instructor }): VNode {
  const { name, email, tagline, profilePhotoUrl, longDescriptionMarkdown } = instructor;
  return html`<li class="tile">
    <div class="person">
      <${Picture} class="portrait" url=${profilePhotoUrl} name=${name} />
      <div>
        <h3>${name === '' ? email : name}</h3>
        <p class="small soft">${email}</p>
      </div>
    </div>
    <p>${tagline}</p>
    ${
      longDescriptionMarkdown !== '' &&
      html`<details>
        <summary>About <span class="unseen">${name}</span></summary>
        <${Markdown} text=${longDescriptionMarkdown} />
      </details>`
    }
    <${CardActions} school=${school} what=${name === '' ? email : name} collection="instructors" record=${instructor} call=${instructorsCall} />
  </li>`;
}
