import { because, type Probe } from '../probe.ts';
import { plainReading } from './listings.ts';

/** So many values that are all among the few that the specification shows are no chance any more. */
const enoughValues = 10;

/** What follows from the other probes' replies together; no calls are made. */
export const sums: readonly Probe[] = [
  {
    name: 'open-values',
    what: 'the statuses and types in what was listed',
    calls: 0,
    tells: ['openValues'],
    run: ({ school: { openValues: values } }) => {
      const other = values.find(({ isShown }) => !isShown);
      if (other === undefined && values.length < enoughValues) {
        return Promise.resolve(because(`${values.length} statuses and types were seen, all shown in the specification; that is too few`));
      }
      const words =
        other === undefined
          ? `${values.length} statuses and types, all shown in the specification`
          : `a value that is not shown: ${other.value}`;
      return Promise.resolve({ readings: [plainReading('openValues', other === undefined ? 'shown-only' : 'plausible', words)] });
    },
  },
  {
    name: 'messages',
    what: 'the messages of all failures',
    calls: 0,
    tells: ['failureMessages'],
    run: ({ school: { messages } }) => {
      const telling = messages.find(({ tells }) => tells) ?? messages[0];
      if (telling === undefined) return Promise.resolve(because('no failure came with a message'));
      return Promise.resolve({ readings: [plainReading('failureMessages', telling.tells ? 'descriptive' : 'generic', telling.words)] });
    },
  },
];
