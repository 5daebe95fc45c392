import { AssumptionsPanel } from './assumptions/assumptions.ts';
import { ClockPanel } from './clock/clock.ts';
import { FailuresPanel } from './failures/failures.ts';
import { JournalPanel } from './journal/journal.ts';
import type { Panel } from './panel.ts';
import { PlayerPanel } from './player/player.ts';
import { ReportPanel } from './report/report.ts';
import { SandboxesPanel } from './sandboxes/sandboxes.ts';
import { StatePanel } from './state/state.ts';

export type { Panel };

/** All panels in the order of the navigation. The first one is the default. */
export const panels: readonly Panel[] = [
  { name: 'journal', title: 'Journal', isOfProxy: true, component: JournalPanel },
  { name: 'failures', title: 'Failures', isOfProxy: false, component: FailuresPanel },
  { name: 'assumptions', title: 'Assumptions', isOfProxy: true, component: AssumptionsPanel },
  { name: 'state', title: 'State', isOfProxy: false, staysOnUndo: true, component: StatePanel },
  { name: 'clock', title: 'Clock and limits', isOfProxy: false, component: ClockPanel },
  { name: 'report', title: 'Report', isOfProxy: true, component: ReportPanel },
  { name: 'player', title: 'Player', isOfProxy: false, staysOnUndo: true, component: PlayerPanel },
  { name: 'sandboxes', title: 'Sandboxes', isOfProxy: false, component: SandboxesPanel },
];
