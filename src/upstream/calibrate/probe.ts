import type { AssumptionName } from '../../assumptions.ts';
import type { Known } from './known.ts';
import type { Prediction } from './model/ask.ts';
import type { Reading } from './model/infer.ts';
import type { Pace } from './pace.ts';
import { describeReply, messageOf, outcomeOf, type Reply } from './reply.ts';
import type { School } from './school.ts';
import type { Keys, Request } from './upstream.ts';

/** What a probe may use. */
export interface Scene {
  readonly pace: Pace;
  readonly school: School;
  readonly known: Known;
  readonly keys: Keys;
  /** Distinguishes what this run writes from what any other wrote. */
  readonly stamp: string;
}

/** What came of a probe. */
export interface Finding {
  readonly readings: readonly Reading[];
  /** Why it could not tell what it is for. */
  readonly missing?: string;
  /** Why it could not tell some of it, by assumption. */
  readonly lacking?: { readonly [N in AssumptionName]?: string };
}

/** A few calls that tell something. */
export interface Probe {
  readonly name: string;
  /** What it sends, in words. */
  readonly what: string;
  /** How many calls it makes at most. */
  readonly calls: number;
  readonly tells: readonly AssumptionName[];
  /** What it leaves behind in the school; a probe without it only reads. */
  readonly writes?: string;
  /** How long it waits at most, in seconds, for a limit to open; only what takes long has it. */
  readonly waits?: number;
  readonly run: (scene: Scene) => Promise<Finding>;
}

/** A reading of a reply. `show` makes something of the result that the prediction tells, too. */
export function readingOf(
  about: AssumptionName,
  what: string,
  reply: Reply,
  expected: Prediction,
  show?: (result: unknown) => string | number,
): Reading {
  return { about, words: `${what}: ${describeReply(reply)}`, seen: outcomeOf(reply, show), expected };
}

/** Makes a call and reads its reply. */
export async function ask(
  { pace }: Scene,
  about: AssumptionName,
  what: string,
  request: Request,
  expected: Prediction,
  show?: (result: unknown) => string | number,
): Promise<Reading> {
  return readingOf(about, what, await pace.call(request), expected, show);
}

/** Keeps what a failure says, to see whether it names one of the things that were wrong. */
export function noteMessage({ school }: Scene, what: string, reply: Reply, tokens: readonly string[]): void {
  const message = messageOf(reply);
  if (message === null) return;
  const tells = tokens.some((token) => message.toLowerCase().includes(token.toLowerCase()));
  school.messages.push({ tells, words: `${what}: ${JSON.stringify(message.slice(0, 80))}` });
}

export function because(missing: string): Finding {
  return { readings: [], missing };
}
