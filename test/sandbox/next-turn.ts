/** Resolves in the next turn of the event loop, after the work that is queued for it. */
export function nextTurn(): Promise<void> {
  return new Promise((done) => void setImmediate(done));
}
