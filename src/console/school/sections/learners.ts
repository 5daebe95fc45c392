import type { VNode } from 'preact';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Link } from '../../parts/link.ts';
import { Empty } from '../../parts/notice.ts';
import { counted, Paged } from '../../parts/paged.ts';
import { CardActions } from '../card-actions.ts';
import { callOf, learnerName, loadLearners, type Learners } from '../learner-data.ts';
import { Loaded } from '../loaded.ts';
import { initialsOf } from '../picture.ts';
import { schoolPath, type School, type SectionProps } from '../school.ts';
import { useSearch } from '../use-search.ts';
import { Learner } from './learner.ts';

/** The learners of a school, or one with all answers. */
export function LearnersSection({ school, query }: SectionProps): VNode {
  const show = (learners: Learners): VNode => {
    const id = query.get('learner');
    const user = learners.users.find((one) => one.id === id);
    if (id !== null && user === undefined) return html`<${Empty}>${school.name} has no learner ${id}.<//>`;
    return user === undefined
      ? html`<${LearnerCards} school=${school} learners=${learners} />`
      : html`<${Learner} school=${school} user=${user} learners=${learners} opened=${query.get('item')} />`;
  };
  return html`<${Loaded} load=${() => loadLearners(school)} keys=${[school.changes]} show=${show} />`;
}

interface CardsProps {
  readonly school: School;
  readonly learners: Learners;
}

function LearnerCards({ school, learners }: CardsProps): VNode {
  const { users, submissions } = learners;
  const { found, field, key } = useSearch(users, ({ id, email }) => `${email ?? ''} ${id}`, 'learners');
  if (users.length === 0) return html`<${Empty}>${school.name} has no learners.<//>`;
  const countOf = ({ id }: Records['users']): number => submissions.get(id)?.length ?? 0;
  const active = found.toSorted((one, other) => countOf(other) - countOf(one));
  return html`${field}
    <${Paged}
      key=${key}
      items=${active}
      size=${60}
      what="learners"
      show=${(shown: Learners['users']) =>
        html`<ul class="cards">${shown.map((user) => html`<${LearnerCard} key=${user.id} school=${school} user=${user} learners=${learners} />`)}</ul>`}
    />`;
}

interface CardProps extends CardsProps {
  readonly user: Records['users'];
}

function LearnerCard({ school, user, learners }: CardProps): VNode {
  const name = learnerName(user);
  const submissions = learners.submissions.get(user.id) ?? [];
  return html`<li class="tile">
    <div class="person">
      <span class="portrait initials" aria-hidden="true">${initialsOf(name)}</span>
      <div>
        <h3><${Link} to=${schoolPath(school.sandbox, school.slug, 'learners', { learner: user.id })}>${name}<//></h3>
        <p class="small soft">${user.email ?? user.id}</p>
      </div>
    </div>
    <p>${submissions.length === 0 ? 'No answers yet' : counted(submissions.length, 'answered item')}</p>
    <${CardActions} school=${school} what=${name} collection="users" record=${user} call=${callOf(user, learners)} callLabel="Call that sends answers" />
  </li>`;
}
