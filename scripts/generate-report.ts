import { checks } from '../src/report/checks/index.ts';
import type { Blocks } from './generated-blocks.ts';

const strengths = { must: 'Must', should: 'Should', advice: 'Advice' } as const;

function checkText({ check, title, rule, basis, strength, exercise }: (typeof checks)[number]): string {
  return `### ${check}\n\n${title}. ${rule}\n\n_${strengths[strength]}._ ${basis}\n\nTo exercise it: \`${exercise}\``;
}

/** The generated blocks of `docs/report.md`. */
export function reportBlocks(): Blocks {
  return { checks: checks.map(checkText).join('\n\n') };
}
