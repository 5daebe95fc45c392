import { bytesIn, defaultMemoryBytes } from '../base/amounts.ts';
import { checkHeap } from '../base/heap.ts';
import { CounterMemory } from '../sandbox/counter-memory.ts';
import { JournalMemory } from '../sandbox/journal-memory.ts';
import type { SandboxDefaults } from '../sandbox/sandboxes-options.ts';
import { StateMemory } from '../sandbox/state-memory.ts';
import { ViewMemory } from '../sandbox/view-memory.ts';
import type { Settings } from './server.ts';

/**
 * Creates the memory that all sandboxes of a server share: each part of it has a limit of its own. Throws
 * SandboxError if the heap is too small for a server.
 */
export function sharedMemory(
  { journalMemory, stateMemory }: Pick<Settings, 'journalMemory' | 'stateMemory'>,
  maxSandboxes: number,
): Pick<SandboxDefaults, 'journalMemory' | 'stateMemory' | 'viewMemory' | 'counterMemory'> {
  checkHeap();
  return {
    journalMemory: new JournalMemory(bytesIn(journalMemory ?? '') ?? defaultMemoryBytes(256)),
    stateMemory: new StateMemory(bytesIn(stateMemory ?? '') ?? defaultMemoryBytes(512), maxSandboxes),
    viewMemory: new ViewMemory(defaultMemoryBytes(256)),
    counterMemory: new CounterMemory(defaultMemoryBytes(512) / 8),
  };
}
