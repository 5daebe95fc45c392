import { pointerTo } from '../../base/violation.ts';
import { firstUnknown, notIn } from '../../contract/level-hints.ts';
import { nearName } from '../../contract/near-names.ts';
import { hasAllFields, knownFields, knownType, type CouponTypeData } from './coupon-checks.ts';
import type { Services } from './operation.ts';

type Uses = Pick<Services, 'assume' | 'dropField'>;

/** The data of a coupon. */
type TypeData = Readonly<Record<string, unknown>>;

/** Returns the data of a coupon after an update. */
export function typeDataAfter(before: TypeData | undefined, sent: CouponTypeData, services: Uses): TypeData {
  const isPartial =
    sent.type === undefined || Object.keys(before ?? {}).some((name) => !Object.hasOwn(sent, name));
  const staysSame = sent.type === undefined || sent.type === before?.['type'];
  const isMerged = isPartial && staysSame && services.assume('partialCouponTypeData') === 'merge';
  const type = sent.type ?? (isMerged ? before?.['type'] : undefined);
  const stored = storedPart(sent, type, services);
  return isMerged ? { ...before, ...stored } : stored;
}

/** Returns what is stored of sent data: of the known type, only known fields. */
function storedPart(sent: CouponTypeData, type: unknown, { assume, dropField }: Uses): TypeData {
  const unknown = firstUnknown(sent, knownFields);
  const isPlain = unknown.length === 0 && (type === undefined || type === knownType);
  if (isPlain || hasAllFields(type, assume)) return sent;
  const ofType =
    type === undefined
      ? 'a known field of a coupon without a type'
      : `a field of the type "${knownType}"${sent.type === undefined ? ', which the coupon keeps because you sent no type' : ''}`;
  const missing = notIn(sent, knownFields);
  for (const name of unknown) {
    const near = type === undefined ? undefined : nearName(name, missing);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    dropField(pointerTo('/couponTypeData', name), `not ${ofType}.${hint}`);
  }
  return Object.fromEntries(Object.entries(sent).filter(([name]) => knownFields.includes(name)));
}
