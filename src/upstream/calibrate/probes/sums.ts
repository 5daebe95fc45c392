import { because, type Probe } from '../probe.ts';
import { theirs } from '../shown-text.ts';
import { plainReading } from './listings.ts';

/** With this many values that are all among the documented ones, chance is unlikely. */
const enoughValues = 10;

/** With this many messages of which none names what is wrong, chance is unlikely. */
const enoughMessages = 3;

/** Conclusions from the responses to other probes; makes no calls. */
export const sums: readonly Probe[] = [
  {
    name: 'open-values',
    what: 'the statuses and types in what was listed',
    calls: 0,
    tells: ['openValues'],
    run: ({ school: { openValues: values, unread } }) => {
      const other = values.find(({ isShown }) => !isShown);
      if (other === undefined && unread.statuses !== null)
        return Promise.resolve(
          because(
            `${values.length} statuses and types were seen, all shown in the specification, but ${unread.statuses}`,
          ),
        );
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
      const [first] = messages;
      if (first === undefined)
        return Promise.resolve(because('no failure came with a message of the service itself'));
      const telling = messages.find(({ tells }) => tells);
      // One failure may need no more than a few words.
      if (telling === undefined && messages.length < enoughMessages)
        return Promise.resolve(because(`too few failures came with a message: ${first.words}`));
      const { words } = telling ?? first;
      const option = telling === undefined ? 'generic' : 'descriptive';
      return Promise.resolve({ readings: [plainReading('failureMessages', option, words)] });
    },
  },
];
