import { checks } from '../src/report/checks/index.ts';
import { fillBlocks } from './generated-blocks.ts';

function checkText({ check, title, rule, exercise }: (typeof checks)[number]): string {
  return `### ${check}\n\n${title}. ${rule}\n\nTo exercise it: \`${exercise}\``;
}

/** `docs/report.md` with its generated block filled anew. */
export function fillReport(page: string): string {
  return fillBlocks(page, { checks: checks.map(checkText).join('\n\n') });
}
