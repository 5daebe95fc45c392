import type { Panel } from './panel.ts';
import { SandboxesPanel } from './sandboxes.ts';

export type { Panel };

/** All panels, in the order in which they are offered; the first one is where the console begins. */
export const panels: readonly Panel[] = [{ name: 'sandboxes', title: 'Sandboxes', component: SandboxesPanel }];
