import { setTimeout as wait } from 'node:timers/promises';

const tries = 5;

/** What a second submission does is not stated. All other operations read, put the same values once more, or are stated to be idempotent. */
const unsafeToRepeat = new Set(['/public/submit-user-course-item']);

/**
 * `fetch` that waits as long as it is told to, and sends again what got no answer, where that does no harm.
 * Rejects where it gives up, and where a call must not be sent again though its reply is lost.
 */
export async function patientFetch(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (let attempt = 1; ; attempt += 1) {
    const reply = await replyTo(request.clone());
    if (typeof reply !== 'string' && reply.status !== 429 && reply.status < 500) return reply;
    const problem = typeof reply === 'string' ? reply : `HTTP ${reply.status}`;
    // These two say that nothing was done. After the others it may be done, or not.
    const wasTurnedAway = typeof reply !== 'string' && (reply.status === 429 || reply.status === 503);
    if (!wasTurnedAway && unsafeToRepeat.has(pathname))
      throw new Error(`${pathname}: ${problem}. It may be done: look before you repeat it.`);
    if (attempt === tries) throw new Error(`${pathname}: ${problem}, the last of ${tries} times.`);
    const seconds = pauseAfter(reply, attempt);
    console.log(`  (${pathname}: ${problem}; again in ${seconds} s)`);
    await wait(seconds * 1000);
  }
}

/** A reply that is there as a whole, or in words why there is none. */
async function replyTo(request: Request): Promise<Response | string> {
  try {
    const reply = await fetch(request, { signal: AbortSignal.timeout(10_000) });
    const text = await reply.text();
    if (reply.ok) JSON.parse(text);
    return new Response(text, reply);
  } catch (error) {
    return `no reply that can be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** In seconds: what Retry-After says, or else twice as long with every try. */
function pauseAfter(reply: Response | string, attempt: number): number {
  const told = typeof reply === 'string' ? null : reply.headers.get('Retry-After');
  return told !== null && /^\d+$/.test(told) ? Number(told) : 0.25 * 2 ** (attempt - 1);
}
