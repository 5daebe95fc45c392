// Loaded into a server that bench/blocking.ts measures: tells over IPC for how long its event loop stood still at most.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', (message) => {
  if (message === 'begin') delay.reset();
  process.send?.({ told: message, worstMs: delay.max / 1e6 });
});
