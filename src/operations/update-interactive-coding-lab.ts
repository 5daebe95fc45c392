import { describe } from '../base/violation.ts';
import { needed, OperationFailed, type Operation, type Services } from './shared/operation.ts';
import { updated } from './shared/update-fields.ts';

const fields = [
  'labTitle',
  'labDescriptionAsMarkdown',
  'defaultGitRepositoryUrl',
  'defaultGitRepositoryBranchName',
  'evaluationScriptBashCommand',
  'evaluationScriptTestFileContent',
  'testCases',
] as const;

/** Updates a coding lab (specification, endpoint 3). */
export const updateInteractiveCodingLab: Operation<
  'update-interactive-coding-lab',
  'find' | 'state' | 'assume'
> = (parameters, { find, state, assume }) => {
  const lab = find('labs', needed(parameters.labId, '/labId'), '/labId', 'lab');
  checkTestCases(parameters.testCases ?? [], assume);
  state.put('labs', updated(assume, lab, parameters, fields));
  return {};
};

function checkTestCases(testCases: readonly unknown[], assume: Services['assume']): void {
  const invalid = testCases.findIndex(
    (testCase) => typeof testCase !== 'object' || testCase === null || Array.isArray(testCase),
  );
  if (invalid >= 0 && assume('labTestCaseShape') === 'objects') {
    throw new OperationFailed(
      'invalid',
      `/testCases/${invalid}`,
      `must be an object, but is ${describe(testCases[invalid])}.`,
    );
  }
}
