import { operations } from '../operations/index.ts';
import { OperationFailed, type Failure, type Services } from '../operations/operation.ts';
import type { Views } from '../sandbox/views.ts';
import type { WireText } from '../sandbox/wire-text.ts';
import type { School } from '../sandbox/sandbox.ts';
import { batchProcessing } from './batch-processing.ts';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import { servicesFor } from './services.ts';
import { invalidParameters, type Element } from './validate.ts';

/** What one element came to: the JSON of its result, or how it failed. */
export type Outcome = { readonly ok: true; readonly text: WireText } | { readonly ok: false; readonly failure: Failure };

/** Runs the operation for each element, in order; what a reading undoes is undone before anybody sees it. */
export function run(exchange: Exchange, school: School, elements: readonly Element[]): readonly Outcome[] | Refusal {
  const processing = batchProcessing(exchange, elements.length);
  const views = exchange.sandbox.views.from(exchange.call.origin);
  const services = servicesFor(exchange, school, views);
  const outcomes: Outcome[] = [];
  let refusal: Refusal | null = null;
  const takesEffect = exchange.sandbox.state.attempt(() => {
    for (const element of elements) {
      const outcome = runElement(exchange, services, views, element);
      outcomes.push(outcome);
      refusal = unknownIdentifier(exchange, outcome);
      if (refusal !== null) return false;
      if (!outcome.ok && processing === 'stop-at-first-error') return true;
    }
    return processing !== 'all-or-nothing' || outcomes.every(({ ok }) => ok);
  });
  if (refusal !== null) return refusal;
  return takesEffect ? outcomes : outcomes.map((outcome) => (outcome.ok ? undone : outcome));
}

const undone: Outcome = {
  ok: false,
  failure: { kind: 'conflict', message: 'Another element of the batch failed, so nothing of it takes effect.' },
};

function runElement({ call }: Exchange, services: Services, views: Views, { parameters, violations }: Element): Outcome {
  if (violations.length > 0) return { ok: false, failure: { kind: 'invalid', message: invalidParameters(violations) } };
  try {
    const result = operations[call.operation](parameters, services);
    return { ok: true, text: views.text(result) };
  } catch (error) {
    if (error instanceof OperationFailed) return { ok: false, failure: error };
    throw error;
  }
}

function unknownIdentifier({ assume }: Exchange, outcome: Outcome): Refusal | null {
  if (outcome.ok || outcome.failure.kind !== 'not-found') return null;
  return assume('unknownId') === 'http-404' ? new Refusal('unknown-id', 404, outcome.failure.message) : null;
}
