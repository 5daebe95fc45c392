import type { Exemplary } from '../spec.ts';
import { budgets } from './budgets.ts';
import { bursts } from './bursts.ts';
import { fetchClients } from './fetch.ts';
import { libraries } from './libraries.ts';
import { limiters } from './limiters.ts';
import { networks } from './networks.ts';
import { outages } from './outages.ts';
import { people } from './people.ts';
import { policies } from './policies.ts';
import { pools } from './pools.ts';
import { programs } from './programs.ts';
import { situations } from './situations.ts';
import { spreadPauses } from './spread.ts';
import { tests } from './tests.ts';

export const exemplary: readonly Exemplary[] = [
  ...fetchClients,
  ...pools,
  ...libraries,
  ...policies,
  ...limiters,
  ...situations,
  ...people,
  ...budgets,
  ...outages,
  ...networks,
  ...spreadPauses,
  ...bursts,
  ...tests,
  ...programs,
];
