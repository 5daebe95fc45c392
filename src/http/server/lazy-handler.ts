import type { Defect } from '../../answer/witness.ts';
import { onceOnDemand } from '../../base/on-demand.ts';
import { answerFailure } from '../not-available.ts';
import type { Handler } from '../public-app.ts';

/** A handler that is loaded on first use. */
export interface Lazy {
  readonly handle: Handler;
  load(): Promise<Handler>;
}

/** If loading fails, the request gets an error, and the next one tries again. */
export function lazily(make: () => Promise<Handler>, defect: Defect): Lazy {
  const load = onceOnDemand(make);
  const handle: Handler = (request, response) => {
    load()
      .then((loaded) => loaded(request, response))
      .catch((error: unknown) => {
        request.resume();
        answerFailure(response, error, defect);
      });
  };
  return { handle, load };
}
