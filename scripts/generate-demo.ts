import { steps } from '../src/console/demo/script.ts';
import type { Blocks } from './generated-blocks.ts';

/** The generated blocks of the script of the guided demo. */
export function demoBlocks(): Blocks {
  // Prettier writes emphasis with underscores.
  return {
    steps: steps
      .map(section)
      .join('\n\n')
      .replaceAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g, '_$1_'),
  };
}

function section({ title, sees, matters, calls, point, look }: (typeof steps)[number], at: number): string {
  const captions = Object.values(calls).map((caption, place) => `${place + 1}. ${caption}`);
  return [
    `## ${at + 1}. ${title}`,
    `**Say:** ${sees} ${matters}`,
    `**Do it:**`,
    captions.join('\n'),
    `**Point at:** ${point}`,
    `**Look** opens _${look.at}_: ${look.shows}`,
  ].join('\n\n');
}
