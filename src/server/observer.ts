import type { Observer } from '../answer/witness.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Channels } from './server.ts';

/** Combines the observers of a call. Without `watch`, calls have no overhead for it. */
export function observerOf(log: Log, metrics: Metrics, watch: Channels['observe']): Observer {
  const notify: Observer = (entry, error) => {
    log.exchange(entry, error);
    metrics.observe(entry);
  };
  if (watch === undefined) return notify;
  return (entry, error) => {
    notify(entry, error);
    watch(entry);
  };
}
