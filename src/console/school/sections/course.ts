import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Badge } from '../../parts/badge.ts';
import { Link } from '../../parts/link.ts';
import { Empty } from '../../parts/notice.ts';
import { Paged } from '../../parts/paged.ts';
import { courseCall, itemCall, quizCall } from '../api-call.ts';
import { Article } from '../article.ts';
import { CardActions } from '../card-actions.ts';
import type { Courses } from '../course-data.ts';
import { ReturnedInstead } from '../fixed-values.ts';
import { dayOf } from '../moment.ts';
import { schoolPath, type School } from '../school.ts';
import { Quiz } from './quiz.ts';

interface Props {
  readonly school: School;
  readonly product: Records['products'];
  readonly courses: Courses;
  /** The id of the item that is open; null for the first one. */
  readonly chosen: string | null;
}

/** A course: its items to click through, and its assignments. */
export function Course({ school, product, courses, chosen }: Props): VNode {
  const { id, title } = product;
  const items = courses.items.filter(({ productId }) => productId === id);
  const at = Math.max(0, chosen === null ? 0 : items.findIndex((item) => item.id === chosen));
  const item = items[at];
  const assignments = courses.assignments.filter(({ productId }) => productId === id);
  return html`<nav aria-label="Breadcrumb" class="crumbs">
      <${Link} to=${schoolPath(school.sandbox, school.slug, 'courses')}>Courses<//> <span aria-hidden="true">›</span> <span aria-current="page">${title}</span>
    </nav>
    <${CardActions} school=${school} what=${title} collection="products" record=${product} call=${courseCall(product)} />
    <div class="course">
      <nav aria-label="Items of the course" class="contents">
        <${ItemLinks} school=${school} product=${product} items=${items} current=${at} />
        <${Assignments} assignments=${assignments} />
      </nav>
      ${
        item === undefined
          ? html`<${Empty}>This course has no items.<//>`
          : html`<${Item} key=${item.id} school=${school} item=${item} courses=${courses} moved=${chosen !== null} before=${items[at - 1]} after=${items[at + 1]} />`
      }
    </div>`;
}

interface LinksProps extends Pick<Props, 'school' | 'product'> {
  readonly items: Courses['items'];
  readonly current: number;
}

function ItemLinks({ school, product, items, current }: LinksProps): VNode {
  const open = items[current];
  const show = (shown: Courses['items']): VNode =>
    html`<ol>
      ${shown.map(
        (item) =>
          html`<li key=${item.id}>
            <${Link} to=${itemPath(school, item, product.id)} current=${item === open}>
              <span class="kind" aria-hidden="true">${item.quizId === undefined ? '¶' : '?'}</span>
              <span>${item.title}${!item.isPublished && html` <${Badge} tone="plain">draft<//>`}</span>
            <//>
          </li>`,
      )}
    </ol>`;
  return html`<${Paged} items=${items} size=${100} what="items" show=${show} />`;
}

function itemPath(school: School, { id }: Records['courseItems'], course: string): string {
  return schoolPath(school.sandbox, school.slug, 'courses', { course, item: id });
}

function Assignments({ assignments }: { readonly assignments: Courses['assignments'] }): VNode | null {
  if (assignments.length === 0) return null;
  return html`<h3>Assignments</h3>
    <${Paged}
      items=${assignments}
      size=${50}
      what="assignments"
      show=${(shown: Courses['assignments']) =>
        html`<ul class="bare">${shown.map(({ id, assignmentTitle }) => html`<li key=${id}>${assignmentTitle}</li>`)}</ul>`}
    />`;
}

interface ItemProps {
  readonly school: School;
  readonly item: Records['courseItems'];
  readonly courses: Courses;
  /** Whether the user chose the item, so that the keyboard continues at its beginning. */
  readonly moved: boolean;
  readonly before: Records['courseItems'] | undefined;
  readonly after: Records['courseItems'] | undefined;
}

function Item({ school, item, courses: { quizzes, fixed }, moved, before, after }: ItemProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (moved) heading.current?.focus();
  }, []);
  const quiz = quizzes.find(({ id }) => id === item.quizId);
  return html`<article class="tile item">
    <h2 tabindex="-1" ref=${heading}>${item.title}</h2>
    <p class="soft small">
      <${Badge} tone="info">${item.type}<//> <${ReturnedInstead} school=${school} fixed=${fixed} collection="courseItems" field="type" value=${item.type} />
      ${item.isPublished ? '' : html`<${Badge} tone="plain">draft<//> `} updated ${dayOf(item.updatedAt, school.timeZone)}
    </p>
    <${CardActions} school=${school} what=${item.title} collection="courseItems" record=${item} call=${itemCall(item)} />
    <${Article} contentJson=${item.contentJson} />
    ${
      quiz !== undefined &&
      html`<section class="quiz" aria-label=${`Quiz ${quiz.quizTitle}`}>
        <h3>${quiz.quizTitle}</h3>
        <${CardActions} school=${school} what=${`Quiz ${quiz.quizTitle}`} collection="quizzes" record=${quiz} call=${quizCall(quiz)} />
        <${Quiz} quiz=${quiz} />
      </section>`
    }
    <nav class="row turn" aria-label="Items before and after">
      ${before === undefined ? html`<span></span>` : html`<${Link} to=${itemPath(school, before, item.productId)}>← ${before.title}<//>`}
      ${after !== undefined && html`<${Link} to=${itemPath(school, after, item.productId)}>${after.title} →<//>`}
    </nav>
  </article>`;
}
