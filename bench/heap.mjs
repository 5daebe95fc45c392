// Loaded into a server that bench/hosted.ts measures, with `--expose-gc`: tells over IPC how much of the heap is in use when all garbage is
// collected, in bytes.
process.on('message', () => {
  globalThis.gc?.();
  // What finalizers have freed.
  setTimeout(() => {
    globalThis.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
  }, 100);
});
process.channel?.unref();
