import { because, type Probe } from '../probe.ts';
import { theirs } from '../shown-text.ts';
import { plainReading } from './listings.ts';

/** With this many values that are all among the documented ones, chance is unlikely. */
const enoughValues = 10;

/** Conclusions from the responses to other probes; makes no calls. */
export const sums: readonly Probe[] = [
  {
    name: 'open-values',
    what: 'the statuses and types in what was listed',
    calls: 0,
    tells: ['openValues'],
    run: ({ school: { openValues: values } }) => {
      const other = values.find(({ isShown }) => !isShown);
      if (other === undefined && values.length < enoughValues) {
        return Promise.resolve(
          because(
            `${values.length} statuses and types were seen, all shown in the specification; that is too few`,
          ),
        );
      }
      const words =
        other === undefined
          ? `${values.length} statuses and types, all shown in the specification`
          : `a value that is not shown: ${theirs(other.value)}`;
      return Promise.resolve({
        readings: [plainReading('openValues', other === undefined ? 'shown-only' : 'plausible', words)],
      });
    },
  },
  {
    name: 'messages',
    what: 'the messages of all failures',
    calls: 0,
    tells: ['failureMessages'],
    run: ({ school: { messages } }) => {
      const telling = messages.find(({ tells }) => tells) ?? messages[0];
      if (telling === undefined)
        return Promise.resolve(because('no failure came with a message of the service itself'));
      return Promise.resolve({
        readings: [plainReading('failureMessages', telling.tells ? 'descriptive' : 'generic', telling.words)],
      });
    },
  },
];
