import type { CommandFlag } from './command.ts';

export const failOnFlag: CommandFlag = {
  name: 'fail-on',
  value: 'LIST',
  help: 'exit with 3 if the client violates the contract (violations), sends requests that match no operation (unmatched), fails a conduct check (conduct, or conduct:must for those of the contract), or fails a check given by its name',
};

export const baselineFlags: readonly CommandFlag[] = [
  {
    name: 'baseline',
    value: 'FILE',
    help: 'known findings, which --fail-on ignores',
  },
  {
    name: 'write-baseline',
    value: 'FILE',
    help: 'write the findings of this run to a file for --baseline, and do not fail because of them',
  },
];

export const allowFlag: CommandFlag = {
  name: 'allow',
  value: 'LIST',
  help: 'findings that --fail-on ignores, by the start of their ids, such as violations:create-instructor-account',
};

export const minCoverageFlag: CommandFlag = {
  name: 'min-coverage',
  value: 'N|LIST',
  help: 'exit with 3 if less than N percent of the situations were met; or per group: operations=90,failures=50',
};
