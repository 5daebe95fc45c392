import { listOf, type Output } from '../output.ts';
import type { Posters } from '../played.ts';
import { outcome, type Run } from './step.ts';

const operation = 'get-all-live-events';
const marked = { response: ['/0/output/data/liveEvents/*/name'] };

export const runLiveEvents: Run<'live-events'> = async (stage, captions) => {
  const riverside = await stage.call(captions.riverside, { operation, marked });
  const first = postersIn('Riverside Academy', riverside.output);
  stage.show({ kind: 'posters', groups: [first] });
  const hillcrest = await stage.call(captions.hillcrest, { operation, school: 'hillcrest', marked });
  const second = postersIn('Hillcrest College', hillcrest.output);
  stage.show({ kind: 'posters', groups: [first, second] });
  return outcome(
    first.events.length > 0 && second.events.length > 0,
    'One of the schools returned no live events.',
  );
};

function postersIn(title: string, output: Output | null): Posters {
  const events = listOf(output, 'liveEvents').flatMap(({ name, thumbnailUrl }) =>
    typeof name === 'string' && typeof thumbnailUrl === 'string' ? [{ name, url: thumbnailUrl }] : [],
  );
  return { title, events };
}
