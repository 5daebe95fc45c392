import { checks } from '../src/report/checks/index.ts';
import type { Blocks } from './generated-blocks.ts';

function checkText({ check, title, rule, exercise }: (typeof checks)[number]): string {
  return `### ${check}\n\n${title}. ${rule}\n\nTo exercise it: \`${exercise}\``;
}

/** The generated block of `docs/report.md`. */
export function reportBlocks(): Blocks {
  return { checks: checks.map(checkText).join('\n\n') };
}
