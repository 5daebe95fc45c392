import { shownNumber } from '../base/violation.ts';
import type { OptionOf } from '../assumptions.ts';
import type { Records } from '../contract/generated/facts.ts';
import { openValue, openValues, type Values } from './shared/open-values.ts';
import { OperationFailed, type Operation, type Services } from './shared/operation.ts';
import { pageOf } from './shared/paging.ts';

/** Returns one page of the school's permission presets (specification, endpoint 10). */
export const getInstructorPermissionPresets: Operation<
  'get-instructor-permission-presets',
  'state' | 'school' | 'showingEach' | 'assume' | 'order'
> = function* ({ pageNumber, limit }, { state, school, showingEach, assume, order }) {
  const stored = yield* state.collection('permissionPresets').list('school', school.id);
  const presets = order === null ? stored : yield* order.of(stored);
  const view = views[openValues(assume)][assume('permissionShape')];
  return {
    totalPresetCount: presets.length,
    presets: yield* showingEach(pageOf(presets, pageNumber, pageSize(limit, assume), assume), view),
  };
};

function pageSize(limit: number | undefined, assume: Services['assume']): number {
  if (limit === undefined) return Number(assume('presetPageSize'));
  const whole = Number.isInteger(limit) ? limit : wholeLimit(limit, assume);
  if (whole >= 1) return whole;
  if (assume('limitBelowOne') === 'default-page-size') return Number(assume('presetPageSize'));
  throw new OperationFailed('invalid', '/limit', `must be at least 1, but is ${shownNumber(limit)}.`);
}

function wholeLimit(limit: number, assume: Services['assume']): number {
  const reading = assume('fractionalLimit');
  if (reading === 'refuse')
    throw new OperationFailed('invalid', '/limit', `must be a whole number, but is ${shownNumber(limit)}.`);
  return Math[reading](limit);
}

type Shape = OptionOf<'permissionShape'>;

const views = {
  'shown-only': { strings: viewWith('shown-only', 'strings'), objects: viewWith('shown-only', 'objects') },
  plausible: { strings: viewWith('plausible', 'strings'), objects: viewWith('plausible', 'objects') },
};

function viewWith(values: Values, shape: Shape) {
  return ({ requiresResourceIds, permissionSets }: Records['permissionPresets']) => ({
    requiresResourceIds,
    permissionSets: permissionSets.map(({ permissions, resourceIdType }) => ({
      permissions: shape === 'strings' ? permissions : permissions.map(asObject),
      resourceIdType: openValue(values, resourceIdType, 'All'),
    })),
  });
}

function asObject(permission: string): { resource: string; action: string } {
  const [resource = '', action = ''] = permission.split(':', 2);
  return { resource, action };
}
