import { operationFacts } from '../../contract/generated/facts.ts';
import { outcomeOf, resultOf, type Reply } from './reply.ts';
import type { Request } from './upstream.ts';

/** Calls in a row without success before the service is checked, whatever it responded. */
const maxUnsuccessful = 4;
/** The same, if it refused them as those before a check that succeeded. Each check takes a call of the limit. */
const mostUnsuccessful = 16;

/**
 * Notices when a service may refuse everything: its key was revoked, it moved, or it is under maintenance. Otherwise
 * the refusals look like answers to the probes.
 */
export class Acceptance {
  #knownGood: Request | null = null;
  #unsuccessful = 0;
  #allowed = maxUnsuccessful;
  /** The outcomes of the calls without success since the last success or check, and those before a check. */
  readonly #outcomes = new Set<string>();
  readonly #checked = new Set<string>();
  #isSettled = true;
  #doubt: string | null = null;
  /** Refusals that the service sends to some calls although it accepts others. */
  readonly #ordinary = new Set<string>();

  /** The first call that succeeded and changed nothing; null before it. */
  get knownGood(): Request | null {
    return this.#knownGood;
  }

  /** Whether a call has succeeded since the last one that did not. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Notes the reply to a call. */
  note(request: Request, reply: Reply): void {
    if ((request.key ?? 'own') !== 'own') return;
    if (reply.outputs?.some(({ status }) => status === 'ok') === true) {
      this.#unsuccessful = 0;
      this.#outcomes.clear();
      this.#isSettled = true;
      // If the service accepts nothing but the known call, that shows nothing new.
      if (request.operation !== this.#knownGood?.operation) {
        this.#allowed = maxUnsuccessful;
        this.#checked.clear();
      }
      if (resultOf(reply) !== null && !operationFacts[request.operation].writes) this.#knownGood ??= request;
      return;
    }
    this.#unsuccessful += 1;
    this.#outcomes.add(outcomeOf(reply));
    this.#isSettled = false;
  }

  /** Notes the reply to a call. Returns whether the service may refuse everything, so that it has to be checked. */
  isDoubtful(request: Request, reply: Reply): boolean {
    this.note(request, reply);
    if (this.#isSettled || this.#knownGood === null || (request.key ?? 'own') !== 'own') return false;
    const { operation, path = '', method = 'POST' } = request;
    const look = JSON.stringify([operation, path, method, outcomeOf(reply)]);
    this.#doubt = refusesAnyone(reply) && !this.#ordinary.has(look) ? look : null;
    // Server errors have a check of their own.
    return this.#doubt !== null || (this.#unsuccessful >= this.#patience() && reply.status < 500);
  }

  /** A new kind of refusal is checked soon; one that was found to be ordinary, ever later. */
  #patience(): number {
    const isNew = [...this.#outcomes].some((outcome) => !this.#checked.has(outcome));
    return isNew ? maxUnsuccessful : this.#allowed;
  }

  /** Notes that the service still accepts the known call. */
  confirm(): void {
    const isAlike = [...this.#outcomes].every((outcome) => this.#checked.has(outcome));
    this.#allowed = isAlike ? Math.min(2 * this.#allowed, mostUnsuccessful) : this.#allowed;
    for (const outcome of this.#outcomes) this.#checked.add(outcome);
    this.#outcomes.clear();
    if (this.#doubt !== null) this.#ordinary.add(this.#doubt);
    this.#doubt = null;
    this.#unsuccessful = 0;
    this.#isSettled = true;
  }
}

/** Whether a reply may be one to every call: about the key, a redirect, or no response of the service. */
function refusesAnyone({ status, outputs }: Reply): boolean {
  return [401, 402, 403, 407].includes(status) || (status < 400 && outputs === null);
}
