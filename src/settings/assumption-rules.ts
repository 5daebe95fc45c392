import {
  assumptionNames,
  assumptions,
  profileNames,
  type AssumptionName,
  type OptionOf,
  type PartialOptions,
  type ProfileName,
} from '../assumptions.ts';
import { oneOf, type MembersRuleOf, type ValueRule } from './value-rule.ts';

export const profileRule: ValueRule<ProfileName> = oneOf(profileNames);

/** The options of each assumption. */
export const assumptionRule: MembersRuleOf<PartialOptions> = {
  noun: 'assumption',
  plural: 'assumptions',
  example: "{ unknownId: 'http-404' }",
  // One rule for each name of the list, with the options of its own assumption.
  members: Object.fromEntries(assumptionNames.map((name) => [name, oneOf(Object.keys(assumptions[name].options))])) as {
    readonly [N in AssumptionName]: ValueRule<OptionOf<N>>;
  },
};
