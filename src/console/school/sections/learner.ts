import type { VNode } from 'preact';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Badge } from '../../parts/badge.ts';
import { Link } from '../../parts/link.ts';
import { Empty } from '../../parts/notice.ts';
import { Paged } from '../../parts/paged.ts';
import { submissionCall } from '../api-call.ts';
import { CardActions } from '../card-actions.ts';
import { learnerName, type Learners } from '../learner-data.ts';
import { momentOf } from '../moment.ts';
import { schoolPath, type School } from '../school.ts';
import { rightAnswers } from '../score.ts';
import { markOf } from './quiz.ts';

interface Props {
  readonly school: School;
  readonly user: Records['users'];
  readonly learners: Learners;
  /** The id of the item whose answers are shown at first. */
  readonly opened: string | null;
}

/** A learner with the answers to each item. */
export function Learner({ school, user, learners, opened }: Props): VNode {
  const name = learnerName(user);
  const submissions = learners.submissions.get(user.id) ?? [];
  return html`<nav aria-label="Breadcrumb" class="crumbs">
      <${Link} to=${schoolPath(school.sandbox, school.slug, 'learners')}>Learners<//> <span aria-hidden="true">›</span> <span aria-current="page">${name}</span>
    </nav>
    <p class="soft">${user.email ?? user.id}</p>
    ${submissions.length === 0 && html`<${Empty}>${name} has not answered anything yet. A client sends answers with <code>submit-user-course-item</code>.<//>`}
    <${Paged}
      items=${submissions}
      size=${20}
      what="answered items"
      show=${(shown: readonly Records['submissions'][]) =>
        html`<ul class="answers">${shown.map((one) => html`<${Submission} key=${one.id} school=${school} user=${user} learners=${learners} opened=${opened} submission=${one} />`)}</ul>`}
    />`;
}

interface SubmissionProps extends Props {
  readonly submission: Records['submissions'];
}

function Submission({ school, user, learners, opened, submission }: SubmissionProps): VNode {
  const { courseItemId, isCompleted, updatedAt } = submission;
  const item = learners.items.get(courseItemId);
  const quiz = learners.quizzes.get(item?.quizId ?? '');
  const title = item?.title ?? courseItemId;
  const to = schoolPath(school.sandbox, school.slug, 'courses', {
    course: item?.productId ?? '',
    item: courseItemId,
  });
  return html`<li class="tile">
    <h3>${item === undefined ? title : html`<${Link} to=${to}>${title}<//>`}</h3>
    <p class="row">
      ${quiz !== undefined && html`<strong>${`${rightAnswers(quiz, submission).length} of ${quiz.questions.length} correct`}</strong>`}
      <${Badge} tone=${isCompleted ? 'good' : 'info'}>${isCompleted ? 'completed' : 'in progress'}<//>
      <span class="soft small">${momentOf(updatedAt, school.timeZone)}</span>
    </p>
    <${CardActions} school=${school} what=${`${learnerName(user)}, ${title}`} collection="submissions" record=${submission} call=${submissionCall(submission, user)} />
    <details open=${courseItemId === opened}>
      <summary>Answers <span class="unseen">to ${title}</span></summary>
      ${quiz === undefined ? html`<${Unknown} submission=${submission} />` : html`<${Answers} quiz=${quiz} submission=${submission} />`}
    </details>
  </li>`;
}

type Answered = Pick<SubmissionProps, 'submission'>;

/** The answers to an item without a quiz, by id. */
function Unknown({ submission: { answers } }: Answered): VNode {
  if (answers.length === 0) return html`<p class="soft">No answers.</p>`;
  return html`<ul>
    ${answers.map(({ questionUniqueId, selectedOptionIds }) => html`<li key=${questionUniqueId}><code>${questionUniqueId}</code>: <code>${selectedOptionIds.join(', ')}</code></li>`)}
  </ul>`;
}

function Answers({ quiz, submission: { answers } }: Answered & { readonly quiz: Records['quizzes'] }): VNode {
  const selected = new Map(answers.map((one) => [one.questionUniqueId, one.selectedOptionIds]));
  return html`<ol class="marked">
    ${quiz.questions.map(({ questionId, title, options }) => {
      const chosen = selected.get(questionId);
      return html`<li key=${questionId}>
        ${title}
        ${chosen === undefined && html`<p class="soft small">Not answered.</p>`}
        <ul class="bare">
          ${options
            .filter(({ optionId, isCorrectOption }) => isCorrectOption || chosen?.includes(optionId) === true)
            .map(({ optionId, text, isCorrectOption }) => {
              const mark = markOf(isCorrectOption, chosen?.includes(optionId) ?? false);
              return html`<li key=${optionId} class=${`option ${mark.tone}`}><span>${text}</span> <span class="mark">${mark.text}</span></li>`;
            })}
        </ul>
      </li>`;
    })}
  </ol>`;
}
