/**
 * As long as a machine that is busy with other work may take; a test that fails waits as long before it says
 * why.
 */
const patienceMs = 15_000;

// Taken before any test replaces them: a test that stops time still waits in real time.
const { setTimeout: startTimer } = globalThis;
const now = performance.now.bind(performance);

/**
 * Looks again and again until an assertion holds, for what happens in the server, on the disk or in another
 * process after a moment that nobody tells. Returns what the look returns.
 *
 * @throws What the last look threw.
 */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  for (const end = now() + patienceMs; ;) {
    try {
      return await look();
    } catch (error) {
      if (now() >= end) throw error;
    }
    await new Promise<void>((done) => void startTimer(done, 5));
  }
}
