import { choice, choiceConflict, chosenElements } from './chosen-elements.ts';
import { defineFault, type Edit, type Fault, type InjectedFailure } from './fault.ts';
import type { Given, Parameters } from './parameter.ts';

interface Definition<N extends string, P extends Parameters> {
  readonly name: N;
  readonly summary: string;
  readonly parameters: P;
  readonly failure: (given: Given<P>) => InjectedFailure;
  /** Malforms the outputs of the failed elements. */
  readonly edit?: Edit;
}

/** Defines a fault that makes the chosen elements of a batch fail. */
export function elementFault<const N extends string, P extends Parameters>(
  definition: Definition<N, P>,
): Fault & { readonly name: N } {
  const { name, summary, parameters, failure, edit } = definition;
  return defineFault({
    name,
    summary,
    parameters: { ...choice, ...parameters },
    phase: 'before',
    conflict: choiceConflict,
    act: (given) => ({
      kind: 'fail',
      hits: chosenElements(given),
      failure: failure(given),
      ...(edit === undefined ? {} : { edit }),
    }),
  });
}
