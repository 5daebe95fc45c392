import type { OperationName } from '../../contract/operation-types.ts';
import type { Request } from '../calibrate/upstream.ts';
import type { StandIns } from './stand-ins.ts';

/** A call that both sides get. */
export interface PlannedCall {
  readonly operation: OperationName;
  /** Its name in reports, the same in every run. */
  readonly call: string;
  /** Whether it may change data. */
  readonly writes: boolean;
  /** Returns the call with the identifiers of a side. Throws Lacking if it has none. */
  readonly request: (side: SideData) => Request;
}

/** The data of a side. */
export interface SideData {
  readonly standIns: StandIns;
  /** Whether the side has a record with an id; true if that is unknown. */
  readonly has: (id: string) => boolean;
}

/** A side has no identifier for a call. */
export class Lacking extends Error {}

/** Returns an identifier or record of a side. Throws Lacking if it has none. */
export function required<N extends keyof StandIns>(standIns: StandIns, name: N): NonNullable<StandIns[N]> {
  const found = standIns[name];
  if (found !== undefined) return found;
  throw new Lacking(whyLacking[name] ?? `give ${name} in --known`);
}

const whyLacking: { readonly [N in keyof StandIns]?: string } = {
  question: 'give quizId of a quiz with questions in --known',
  comingSessionId: 'no session is ahead',
  folder: 'the video library lists no folder',
  liveEventSessionId: 'no session has a recording; give liveEventSessionId in --known',
  productId: 'no live event has a product; give productId in --known',
  coupon: 'give all fields of a coupon in --known',
  lab: 'give all fields of a lab in --known',
};
