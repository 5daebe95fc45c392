// Loaded into a server that bench/blocking.ts measures: tells over IPC for how long its event loop stood still at most, in real time and in
// the processor time of its thread, which other programs on the machine do not lengthen.
import { openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

// Linux tells it to the nanosecond; elsewhere there is no such figure.
const file = process.platform === 'linux' ? openSync(`/proc/self/task/${process.pid}/schedstat`, 'r') : null;
const bytes = Buffer.alloc(100);
function processorMs() {
  if (file === null) return Number.NaN;
  const length = readSync(file, bytes, 0, bytes.length, 0);
  return Number(bytes.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

let before = processorMs();
let worst = 0;
setInterval(() => {
  const now = processorMs();
  worst = Math.max(worst, now - before);
  before = now;
}, 1);

process.on('message', (message) => {
  if (message === 'begin') {
    delay.reset();
    worst = 0;
  }
  process.send?.({ told: message, worstMs: delay.max / 1e6, worstProcessorMs: worst });
});
