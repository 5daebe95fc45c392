import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Markdown } from '../markdown.ts';
import { isRight } from '../score.ts';

type Question = Records['quizzes']['questions'][number];

/** The selected options of each question, by its id. Null until the answers are checked. */
type Checked = ReadonlyMap<string, ReadonlySet<string>> | null;

/** A quiz to try. It sends nothing: the answers of learners are in their own section. */
export function Quiz({ quiz: { questions } }: { readonly quiz: Records['quizzes'] }): VNode {
  const [checked, setChecked] = useState<Checked>(null);
  const check = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setChecked(
      new Map(questions.map(({ questionId: id }) => [id, new Set(form.getAll(id).map(String))] as const)),
    );
  };
  const right = questions.filter((one) => isRight(one, checked?.get(one.questionId) ?? new Set()));
  return html`<form onSubmit=${check} onReset=${() => setChecked(null)}>
    ${questions.map(
      (question, at) =>
        html`<${QuestionField} key=${question.questionId} question=${question} number=${at + 1} selected=${checked?.get(question.questionId) ?? null} />`,
    )}
    <div class="row">
      <button class="main">Check answers</button>
      <button type="reset">Start again</button>
      <strong role="status">${checked === null ? '' : `${right.length} of ${questions.length} correct`}</strong>
    </div>
  </form>`;
}

interface QuestionProps {
  readonly question: Question;
  readonly number: number;
  /** Null until the answers are checked. */
  readonly selected: ReadonlySet<string> | null;
}

function QuestionField({ question, number, selected }: QuestionProps): VNode {
  const { questionId, type, title, description, explanation, options } = question;
  return html`<fieldset class="question">
    <legend>${`${number}. ${title}`}</legend>
    ${type === 'MultiCorrect' && html`<p class="soft small">Select all that apply.</p>`}
    ${description !== null && html`<${Markdown} text=${description} />`}
    ${options.map(({ optionId, text, isCorrectOption }) => {
      const mark = markOf(isCorrectOption, selected?.has(optionId) ?? false);
      return html`<label key=${optionId} class=${selected === null ? 'option' : `option ${mark.tone}`}>
        <input type=${type === 'MultiCorrect' ? 'checkbox' : 'radio'} name=${questionId} value=${optionId} />
        <span>${text}</span>
        ${selected !== null && mark.text !== '' && html`<span class="mark">${mark.text}</span>`}
      </label>`;
    })}
    ${selected !== null && explanation !== null && html`<div class="notice"><${Markdown} text=${explanation} /></div>`}
  </fieldset>`;
}

/** Returns how an option is marked when the answers are checked. */
export function markOf(
  isCorrect: boolean,
  isSelected: boolean,
): { readonly tone: string; readonly text: string } {
  if (isCorrect) return { tone: 'good', text: isSelected ? '✓ correct' : '✓ correct, not selected' };
  return isSelected ? { tone: 'bad', text: '✗ wrong' } : { tone: 'plain', text: '' };
}
