import * as always200 from './always-200.ts';
import * as drops from './drops.ts';
import * as firstOnly from './first-only.ts';
import * as gateway from './gateway.ts';
import * as jsonErrors from './json-errors.ts';
import * as lockedDown from './locked-down.ts';

/** The six services by name. The one that drops calls drops none here. */
export const services = {
  'json-errors': jsonErrors,
  'always-200': always200,
  gateway,
  'first-only': firstOnly,
  drops: { ...drops, start: () => drops.start({ rates: drops.calm }) },
  'locked-down': lockedDown,
};
