import type { AssumptionName } from '../../assumptions.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import type { Known } from './known.ts';
import type { Prediction } from './model/ask.ts';
import type { Mask } from '../key-mask/key-mask.ts';
import type { Reading } from './model/infer.ts';
import type { Pace } from './pace.ts';
import { describeReply, failureMessageOf, isPage, outcomeOf, ownFormOf, type Reply } from './reply.ts';
import type { School } from './school.ts';
import { theirs } from './shown-text.ts';
import type { Keys, Request } from './upstream.ts';

/** What a probe can use. */
export interface Scene {
  readonly pace: Pace;
  readonly school: School;
  readonly known: Known;
  readonly keys: Keys;
  readonly mask: Mask;
  /** Distinguishes the data of this run from that of other runs. */
  readonly stamp: string;
}

/** The result of a probe. */
export interface Finding {
  readonly readings: readonly Reading[];
  /** Why the probe has no result. */
  readonly missing?: string;
  /** Why the probe has no result for some assumptions. */
  readonly lacking?: { readonly [N in AssumptionName]?: string };
}

/** A few calls that test assumptions. */
export interface Probe {
  readonly name: string;
  /** Description of what it sends. */
  readonly what: string;
  /** Maximum number of calls. */
  readonly calls: number;
  readonly tells: readonly AssumptionName[];
  /** What it leaves behind in the school; missing for a probe that only reads. */
  readonly writes?: string;
  /** Maximum wait for a rate limit, in seconds; missing if the wait is short. */
  readonly waits?: number;
  /** Whether it only shows departures from all options, which `compare` finds with its own calls. */
  readonly isForDepartures?: true;
  readonly run: (scene: Scene) => Promise<Finding>;
}

/** Returns the reading of a response. `show` adds a part of the result that the prediction includes. */
export function readingOf(
  about: AssumptionName,
  what: string,
  reply: Reply,
  expected: Prediction,
  show?: (result: unknown) => string | number,
): Reading {
  const ownForm = ownFormOf(reply);
  return {
    about,
    words: `${what}: ${describeReply(reply)}`,
    seen: outcomeOf(reply, show),
    expected,
    ...(ownForm === null ? {} : { ownForm }),
  };
}

/** Makes a call and returns its reading. */
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

/**
 * Stores the failure message and whether it names one of the tokens. A server error, and a page that names
 * none, may come from a gateway, so they show nothing. Nor do refusals of the key and of the rate limit.
 */
export function noteMessage({ school }: Scene, what: string, reply: Reply, tokens: readonly string[]): void {
  const message = failureMessageOf(reply);
  if (message === null || reply.status >= 500) return;
  const tells = tokens.some((token) => message.toLowerCase().includes(token.toLowerCase()));
  if (!tells && isPage(reply)) return;
  school.messages.push({ tells, words: `${what}: ${theirs(JSON.stringify(message.slice(0, 80)))}` });
}

/**
 * Returns an operation that succeeds with the key. What the service does to a wrong call shows only there: it may
 * refuse every call to another operation.
 */
export function acceptedOperation({ pace, school }: Scene): OperationName {
  return school.presets === null ? pace.knownGood.operation : 'get-instructor-permission-presets';
}

export function because(missing: string): Finding {
  return { readings: [], missing };
}
