import { unmatched } from '../model/predict.ts';
import { acceptedOperation, ask, type Probe } from '../probe.ts';
import { describeReply, type Reply } from '../reply.ts';
import { theirs } from '../shown-text.ts';
import { plainReading } from './listings.ts';

const noOperation = '/public/lp-sandbox-calibrate';
/** The origin of an invented page. */
const origin = 'https://lp-sandbox-calibrate.example';
const preflight = {
  Origin: origin,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'content-type,service-api-key',
};

/** Requests with a wrong method or path, and the request of a browser before a page makes a call. */
export const addresses: readonly Probe[] = [
  {
    name: 'wrong-method',
    what: 'an operation with the method GET',
    calls: 1,
    tells: ['wrongMethod', 'unmatchedBody', 'refusalBody'],
    run: async (scene) => {
      const operation = acceptedOperation(scene);
      const reading = await ask(
        scene,
        'wrongMethod',
        `GET /public/${operation}`,
        { operation, method: 'GET' },
        (asked) => unmatched(asked, 'wrongMethod'),
      );
      return { readings: [reading] };
    },
  },
  {
    name: 'unknown-path',
    what: `a path that matches no operation: ${noOperation}`,
    calls: 1,
    tells: ['unknownPath', 'unmatchedBody', 'refusalBody'],
    run: async (scene) => ({
      readings: [
        await ask(
          scene,
          'unknownPath',
          `POST ${noOperation}`,
          { operation: acceptedOperation(scene), path: noOperation },
          (asked) => unmatched(asked, 'unknownPath'),
        ),
      ],
    }),
  },
  {
    name: 'preflight',
    what: `a browser's preflight request for a page from ${origin}, and its call (if that is allowed)`,
    calls: 2,
    tells: ['cors'],
    run: async (scene) => {
      const { pace } = scene;
      const operation = acceptedOperation(scene);
      const reply = await pace.call({ operation, method: 'OPTIONS', key: 'none', headers: preflight });
      const allowed = reply.header('access-control-allow-origin');
      const words = `a preflight request: ${describeReply(reply)}; it allows ${allowed === null ? 'no other origin' : theirs(allowed)}`;
      const preflighted = corsOf(reply, allowed);
      if (preflighted !== 'any-origin') return { readings: [plainReading('cors', preflighted, words)] };
      // Without the header in its response, the page cannot read it.
      const made = await pace.call({ operation, headers: { Origin: origin } });
      const inReply = made.header('access-control-allow-origin');
      const seen = ['*', origin].includes(inReply ?? '') ? 'any-origin' : 'only the preflight request';
      const more = `; the call itself: ${describeReply(made)}; it allows ${inReply === null ? 'no other origin' : theirs(inReply)}`;
      return { readings: [plainReading('cors', seen, `${words}${more}`)] };
    },
  },
];

/** Returns the option that the response to a preflight request shows. */
function corsOf({ status }: Reply, allowed: string | null): string {
  if (status >= 300 || allowed === null) return 'none';
  return ['*', origin].includes(allowed) ? 'any-origin' : 'some origins';
}
