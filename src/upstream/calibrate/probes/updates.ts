import type { AssumptionName } from '../../../assumptions.ts';
import type { OperationName } from '../../../contract/operation-types.ts';
import { CannotCalibrate } from '../cannot-calibrate.ts';
import type { Known } from '../known.ts';
import { good, predictBatch, type Element } from '../model/predict.ts';
import type { Reading } from '../model/infer.ts';
import { because, noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import type { Pace } from '../pace.ts';
import { describeReply, resultOf, type Reply } from '../reply.ts';
import { shown } from '../shown-text.ts';
import { Unreachable, type Request } from '../upstream.ts';
import { besideGood } from './batches.ts';

/** An update to try, with its predicted result. */
interface Try {
  readonly about: AssumptionName;
  readonly what: string;
  readonly change: (record: Fields) => Fields;
  readonly fare: Element;
}

type Fields = Readonly<Record<string, unknown>>;

const couponTries: readonly Try[] = [
  {
    about: 'couponTypes',
    what: 'a coupon of the type lp-sandbox-calibrate',
    change: (coupon) => ({ ...coupon, couponTypeData: { type: 'lp-sandbox-calibrate', percentOff: 10 } }),
    fare: (asked) => (asked('couponTypes') === 'percent-off-only' ? 'invalid' : 'ok'),
  },
  {
    about: 'percentOffRange',
    what: 'a coupon of 120 percent off',
    change: (coupon) => ({ ...coupon, couponTypeData: { type: 'percent-off', percentOff: 120 } }),
    fare: (asked) => (asked('percentOffRange') === '0-to-100' ? 'invalid' : 'ok'),
  },
  {
    about: 'redemptionsRange',
    what: 'a coupon that allows -1 redemptions',
    change: (coupon) => ({ ...coupon, numberOfRedemptionsAllowed: -1 }),
    fare: (asked) => (asked('redemptionsRange') === 'zero-or-more' ? 'invalid' : 'ok'),
  },
  {
    about: 'dateTimeFormat',
    what: 'a coupon that expires at a date without a time',
    change: (coupon) => ({ ...coupon, expireAtIsoString: '2030-01-01' }),
    fare: (asked) => (asked('dateTimeFormat') === 'rfc-3339' ? 'violation' : 'ok'),
  },
  {
    about: 'requiredFields',
    what: 'a coupon without its serviceDigitalProductId',
    change: ({ serviceDigitalProductId: _product, ...coupon }) => coupon,
    fare: (asked) => (asked('requiredFields') === 'stated-only' ? 'ok' : 'violation'),
  },
];

const labTries: readonly Try[] = [
  {
    about: 'labTestCaseShape',
    what: 'a lab with a text among its testCases',
    change: (lab) => ({ ...lab, testCases: ['lp-sandbox-calibrate'] }),
    fare: (asked) => (asked('labTestCaseShape') === 'objects' ? 'invalid' : 'ok'),
  },
];

/** Updates of a fully known record, which is restored after each attempt. */
export const updates: readonly Probe[] = [
  {
    name: 'coupon-updates',
    what: 'a coupon of another type, of 120 percent off, with -1 redemptions, with a date as its expiry, and without its product',
    calls: 4 * couponTries.length + 1,
    tells: couponTries.map(({ about }) => about),
    writes: 'changes the coupon of --known and restores it after each attempt',
    run: (scene) => tryUpdates(scene, 'update-digital-product-coupon', 'coupon', couponTries),
  },
  {
    name: 'lab-updates',
    what: 'a lab with a text among its testCases',
    calls: 4 * labTries.length + 1,
    tells: labTries.map(({ about }) => about),
    writes: 'changes the lab of --known and restores it',
    run: (scene) => tryUpdates(scene, 'update-interactive-coding-lab', 'lab', labTries),
  },
];

/** Pauses between attempts to restore a record, in seconds. */
const restorePauses = [2, 5, 15, 30] as const;

/** Restores a record, in several attempts if the service fails or does not respond. Returns the last outcome. */
async function restored(pace: Pace, request: Request): Promise<Reply | Error> {
  const attempt = (): Promise<Reply | Error> =>
    pace.call(request).catch((error: unknown) => (isNoReply(error) ? error : Promise.reject(error)));
  let outcome = await attempt();
  for (const seconds of restorePauses) {
    if (!(outcome instanceof Error) && outcome.status < 500) return outcome;
    await pace.rest(seconds);
    outcome = await attempt();
  }
  return outcome;
}

function isNoReply(error: unknown): error is Error {
  return error instanceof Unreachable || error instanceof CannotCalibrate;
}

async function tryUpdates(
  scene: Scene,
  operation: OperationName,
  name: keyof Known & ('coupon' | 'lab'),
  tries: readonly Try[],
): Promise<Finding> {
  const { pace, known } = scene;
  const record = known[name];
  if (record === undefined)
    return because(`add all fields of a ${name} to --known, so that it can be restored`);
  // An unchanged update: a service that rejects it rejects every update.
  const unchanged = await pace.call({ operation, elements: [record] });
  if (resultOf(unchanged) === null)
    return because(`updating the ${name} of --known without changes returned ${describeReply(unchanged)}`);
  const readings: Reading[] = [];
  for (const { about, what, change, fare } of tries) {
    const reply = await pace.call({ operation, elements: [change(record)] });
    noteMessage(scene, `for ${what}`, reply, ['percentOff', 'type', 'testCases', 'serviceDigitalProductId']);
    readings.push(readingOf(about, what, reply, (asked) => predictBatch(asked, [fare])));
    if (resultOf(reply) === null) {
      const beside = await besideGood(scene, [what, `the ${name} as it is`], operation, [
        [change(record), fare],
        [record, good],
      ]);
      readings.push(...beside);
      // Every batch but the second one ends with the record as it is.
      if (beside.length < 2) continue;
    }
    const back = await restored(pace, { operation, elements: [record] });
    if (back instanceof Error || resultOf(back) === null) {
      const why = back instanceof Error ? back.message : shown(describeReply(back), scene.mask);
      throw new Error(
        `The ${name} of --known could not be restored after ${what}: ${why}. Restore it manually.`,
      );
    }
  }
  return { readings };
}
