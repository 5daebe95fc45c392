import type { Words } from '../../contract/record-drafts.ts';
import { presets, type Preset } from '../presets.ts';
import { slugOf, type RecordContext } from '../record-context.ts';

const trees =
  'Alder Ash Aspen Beech Birch Cedar Elder Elm Fern Hazel Hawthorn Juniper Larch Linden Maple Oak Pine Rowan Sorrel Willow'.split(
    ' ',
  );
const places =
  'bank bridge brook bury combe cross dale ferry field ford gate grove haven hurst lake mead moor ridge wick wood'.split(
    ' ',
  );

/** Words about a school: its name, its products and the permissions of its staff. */
export function schoolWords(talk: RecordContext): Words {
  const place = (): string => talk.once('place', () => `${talk.pick(trees)}${talk.pick(places)}`);
  const preset = (): Preset =>
    talk.once('preset', () => presets[talk.subject.number % presets.length] ?? talk.pick(presets));
  const occasion = (): string => talk.once('occasion', () => talk.pick(occasions));
  return {
    schoolSlug: () => slugOf(place()),
    schoolName: () => `${place()} ${talk.pick(['Academy', 'College', 'Institute', 'School'])}`,
    courseTitle: () => {
      const { topic, number } = talk.subject;
      return `${talk.pick(topic.courses)}${number < 10 ? '' : `, Group ${Math.floor(number / 10) + 1}`}`;
    },
    presetName: () => {
      const group = Math.floor(talk.subject.number / presets.length) + 1;
      return `${preset().name}${group === 1 ? '' : ` of group ${group}`}`;
    },
    presetNeedsIds: () => preset().needsIds,
    presetSets: () => preset().sets,
    couponSlug: () =>
      `${slugOf(talk.subject.topic.name)}-${slugOf(occasion())}-${talk.subject.number + 1}`.toUpperCase(),
    couponDescription: () => `${occasion()}: a lower price for ${talk.subject.topic.name}`,
    couponEnd: () => `today 17:00 UTC ${talk.pick(['+', '+', '+', '-'])}P${talk.number(5, 180)}D`,
  };
}

const occasions = [
  'Early bird',
  'Open evening',
  'Bring a friend',
  'Alumni',
  'Last places',
  'Long weekend',
  'Teachers count',
  'Second course',
];
