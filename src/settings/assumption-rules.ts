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

/** The rule for a choice of assumptions. */
export const assumptionRule: MembersRuleOf<PartialOptions> = {
  noun: 'an assumption',
  plural: 'assumptions',
  example: "{ unknownId: 'http-404' }",
  // The entries have one rule for each name, with the options of its assumption.
  members: Object.fromEntries(
    assumptionNames.map((name) => [name, oneOf(Object.keys(assumptions[name].options))]),
  ) as {
    readonly [N in AssumptionName]: ValueRule<OptionOf<N>>;
  },
};
