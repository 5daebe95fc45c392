import { assumptions, optionsFrom, type AssumptionName, type Options } from '../../assumptions.ts';
import { withoutPause } from '../../base/sliced-work.ts';
import type { CheckSource } from '../../contract/parameter-checks.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import type { Sandbox, School } from '../../sandbox/sandbox.ts';
import { restoreState, takeSnapshot, type Snapshot } from '../../sandbox/snapshot.ts';
import { missingTemplate } from '../../settings/refusal-templates.ts';
import type { Replied } from './aspects.ts';
import { Unreachable, type Request, type Upstream } from '../calibrate/upstream.ts';

/** The sandbox in this process that gets the same calls as the service. */
export interface TwinParts {
  readonly sandbox: Sandbox;
  readonly school: School;
  readonly checkSource: CheckSource;
  readonly upstream: Upstream;
}

/** An option that the sandbox does not have. */
export interface OtherOption {
  readonly assumption: AssumptionName;
  readonly option: string;
}

/** Calls the sandbox, also under other options. Its rate limits never apply to these calls. */
export class Twin {
  readonly sandbox: Sandbox;
  readonly school: School;
  readonly upstream: Upstream;
  readonly #checkSource: CheckSource;
  readonly #options: Options;

  constructor({ sandbox, school, checkSource, upstream }: TwinParts) {
    this.sandbox = sandbox;
    this.school = school;
    this.upstream = upstream;
    this.#checkSource = checkSource;
    this.#options = sandbox.options;
  }

  get options(): Options {
    return this.#options;
  }

  call(request: Request): Promise<Replied> {
    this.sandbox.limits.counters.clear();
    return replyTo(this.upstream, request);
  }

  /** Keeps the state before a call that writes, so that `callWith` can repeat it. */
  before({ operation }: Request): Snapshot | null {
    return operationFacts[operation].writes ? withoutPause(takeSnapshot(this.sandbox)) : null;
  }

  /** Repeats a call under other options, from the state before it. Null if the options cannot be combined. */
  async callWith(
    request: Request,
    before: Snapshot | null,
    others: readonly OtherOption[],
  ): Promise<Replied | null> {
    const changed = others.map(({ assumption, option }) => [assumption, option] as const);
    const options = { ...this.#options, ...optionsFrom(changed) };
    if (missingTemplate(options, this.sandbox.templates) !== null) return null;
    const after = before === null ? null : withoutPause(takeSnapshot(this.sandbox));
    try {
      if (before !== null) withoutPause(restoreState(this.sandbox, before));
      await this.#choose(options);
      return await this.call(request);
    } finally {
      if (after !== null) {
        withoutPause(restoreState(this.sandbox, after));
        // Its memory counts, and a comparison repeats thousands of calls.
        after.state.discard();
      }
      await this.#choose(this.#options);
    }
  }

  async #choose(options: Options): Promise<void> {
    this.sandbox.choose(options, await this.#checkSource.checksUnder(options));
  }
}

export function otherOptions(name: AssumptionName, options: Options): readonly OtherOption[] {
  return Object.keys(assumptions[name].options).flatMap((option) =>
    option === options[name] ? [] : [{ assumption: name, option }],
  );
}

/** Makes a call; a service that does not respond is a result, too. */
export async function replyTo({ call }: Pick<Upstream, 'call'>, request: Request): Promise<Replied> {
  try {
    return await call(request);
  } catch (error) {
    if (error instanceof Unreachable) return { failure: error.message };
    throw error;
  }
}
