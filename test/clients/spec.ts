import type { NewFaultRule, SandboxHandle } from '../../src/index.ts';
import type { Client } from './kit/api.ts';

/** What a client runs under, besides the scenarios. */
export interface Condition {
  readonly name: string;
  readonly scenario?: string;
  readonly rules?: readonly NewFaultRule[];
  /** Factor of all documented rate limits. */
  readonly limits?: number;
  readonly prepare?: (sandbox: SandboxHandle) => Promise<void>;
}

/** A client in another language: started with SANDBOX_URL, SANDBOX_API_KEY and SANDBOX_SEED. */
export interface Program {
  readonly file: string;
  readonly args?: readonly string[];
}

interface Spec {
  readonly name: string;
  /** One sentence: what it is. */
  readonly is: string;
  readonly run: Client | Program;
}

/** A client that no sane reviewer would object to: the report must have no finding. */
export interface Exemplary extends Spec {
  /** What it draws at random: then it runs with 20 seeds, or with 3. */
  readonly random?: 'its pauses' | 'some pauses';
  /** Instead of no scenario and every scenario. */
  readonly only?: readonly Condition[];
  /** Beyond those. */
  readonly also?: readonly Condition[];
}

/** A client with one defect: the named check must find it, or must not judge it. */
export interface Bad extends Spec {
  readonly check: string;
  /** Whether the journal does not show the defect for certain: then the check must not pass. */
  readonly mayBeNotJudged?: true;
  readonly under: Condition;
}
