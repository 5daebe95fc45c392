import type { VNode } from 'preact';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Link } from '../../parts/link.ts';
import { Empty } from '../../parts/notice.ts';
import { counted, Paged } from '../../parts/paged.ts';
import { courseCall } from '../api-call.ts';
import { CardActions } from '../card-actions.ts';
import { loadCourses, type Courses } from '../course-data.ts';
import { Loaded } from '../loaded.ts';
import { initialsOf } from '../picture.ts';
import { schoolPath, type School, type SectionProps } from '../school.ts';
import { tintOf } from '../tint.ts';
import { useSearch } from '../use-search.ts';
import { Course } from './course.ts';

/** The courses as cards, or one course with its items. */
export function CoursesSection({ school, query }: SectionProps): VNode {
  const show = (courses: Courses): VNode => {
    const id = query.get('course');
    const product = courses.products.find((one) => one.id === id);
    if (id !== null && product === undefined) return html`<${Empty}>${school.name} has no course ${id}.<//>`;
    return product === undefined
      ? html`<${CourseCards} school=${school} courses=${courses} />`
      : html`<${Course} school=${school} product=${product} courses=${courses} chosen=${query.get('item')} />`;
  };
  return html`<${Loaded} load=${() => loadCourses(school)} keys=${[]} show=${show} />`;
}

interface CardsProps {
  readonly school: School;
  readonly courses: Courses;
}

function CourseCards({ school, courses }: CardsProps): VNode {
  const { products } = courses;
  const { found, field, key } = useSearch(products, ({ title }) => title, 'courses');
  if (products.length === 0) return html`<${Empty}>${school.name} has no courses.<//>`;
  return html`${field}
    <${Paged}
      key=${key}
      items=${found}
      size=${60}
      what="courses"
      show=${(shown: Courses['products']) =>
        html`<ul class="cards">${shown.map((product) => html`<${CourseCard} key=${product.id} school=${school} product=${product} courses=${courses} />`)}</ul>`}
    />`;
}

interface CardProps extends CardsProps {
  readonly product: Records['products'];
}

function CourseCard({ school, product, courses }: CardProps): VNode {
  const { id, title } = product;
  const items = courses.items.filter(({ productId }) => productId === id);
  const quizzes = items.filter(({ quizId }) => quizId !== undefined);
  const assignments = courses.assignments.filter(({ productId }) => productId === id);
  const parts = [
    ...wordsFor(items.length - quizzes.length, 'article'),
    ...wordsFor(quizzes.length, 'quiz', 'quizzes'),
    ...wordsFor(assignments.length, 'assignment'),
  ];
  return html`<li class="tile">
    <span class=${`cover ${tintOf(id)}`} aria-hidden="true">${initialsOf(title)}</span>
    <h3><${Link} to=${schoolPath(school.sandbox, school.slug, 'courses', { course: id })}>${title}<//></h3>
    <p class="soft">${parts.length === 0 ? 'No items' : parts.join(' · ')}</p>
    <${CardActions} school=${school} what=${title} collection="products" record=${product} call=${courseCall(product)} />
  </li>`;
}

function wordsFor(count: number, noun: string, plural?: string): readonly string[] {
  return count === 0 ? [] : [counted(count, noun, plural)];
}
