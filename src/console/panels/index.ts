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
  { name: 'journal', title: 'Journal', component: JournalPanel },
  { name: 'failures', title: 'Failures', component: FailuresPanel },
  { name: 'assumptions', title: 'Assumptions', component: AssumptionsPanel },
  { name: 'state', title: 'State', component: StatePanel },
  { name: 'clock', title: 'Clock and limits', component: ClockPanel },
  { name: 'report', title: 'Report', component: ReportPanel },
  { name: 'player', title: 'Player', component: PlayerPanel },
  { name: 'sandboxes', title: 'Sandboxes', component: SandboxesPanel },
];
