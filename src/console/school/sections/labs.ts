import type { VNode } from 'preact';
import type { Records } from '../../../contract/generated/facts.ts';
import { html } from '../../html.ts';
import { Empty } from '../../parts/notice.ts';
import { labCall } from '../api-call.ts';
import { CardActions } from '../card-actions.ts';
import { Loaded } from '../loaded.ts';
import { CodeBlock, Markdown } from '../markdown.ts';
import { recordsOf, type School, type SectionProps } from '../school.ts';
import { Table } from '../table.ts';
import { useSearch } from '../use-search.ts';

type Lab = Records['labs'];

/** The coding labs of a school. */
export function LabsSection({ school }: SectionProps): VNode {
  const show = (labs: readonly Lab[]): VNode => html`<${LabTable} school=${school} labs=${labs} />`;
  return html`<${Loaded} load=${() => recordsOf(school, 'labs')} keys=${[school.changes]} show=${show} />`;
}

function LabTable({ school, labs }: { readonly school: School; readonly labs: readonly Lab[] }): VNode {
  const { found, field, key } = useSearch(labs, titleOf, 'labs');
  if (labs.length === 0) return html`<${Empty}>${school.name} has no labs.<//>`;
  const title = (lab: Lab): VNode =>
    html`<strong>${titleOf(lab)}</strong>
      <${CardActions} school=${school} what=${titleOf(lab)} collection="labs" record=${lab} call=${labCall(lab)} />
      <${Details} lab=${lab} />`;
  const columns = [
    { title: 'Title', cell: title },
    { title: 'Test cases', isNumber: true, cell: ({ testCases }: Lab) => testCases?.length ?? '–' },
    { title: 'Command', cell: ({ evaluationScriptBashCommand: command }: Lab) => codeOr(command) },
    { title: 'Repository', cell: ({ defaultGitRepositoryUrl: url }: Lab) => codeOr(url) },
    { title: 'Branch', cell: ({ defaultGitRepositoryBranchName: branch }: Lab) => codeOr(branch) },
  ];
  return html`${field}<${Table} key=${key} items=${found} what="labs" columns=${columns} />`;
}

function titleOf({ labTitle, id }: Lab): string {
  return labTitle ?? id;
}

function codeOr(text: string | undefined): VNode | string {
  return text === undefined ? '–' : html`<code>${text}</code>`;
}

function Details({ lab }: { readonly lab: Lab }): VNode | null {
  const { labDescriptionAsMarkdown: description, evaluationScriptTestFileContent: tests } = lab;
  if (description === undefined && tests === undefined) return null;
  return html`<details>
    <summary>Description and tests <span class="unseen">of ${titleOf(lab)}</span></summary>
    ${description !== undefined && html`<${Markdown} text=${description} />`}
    ${tests !== undefined && html`<${CodeBlock} text=${tests} />`}
  </details>`;
}
