import { onTestFinished } from 'vitest';
import { fetchOver } from '../../src/http/connection/fetch-over.ts';
import { plainConnection } from '../../src/http/connection/options.ts';
import { calibrate, type Calibration } from '../../src/upstream/calibrate/calibrate.ts';
import { checkpointText } from '../../src/upstream/calibrate/checkpoint.ts';
import type { Known } from '../../src/upstream/calibrate/known.ts';
import type { Probe } from '../../src/upstream/calibrate/probe.ts';
import { probes } from '../../src/upstream/calibrate/probes/index.ts';
import {
  toBeyondTable,
  toDepartureTable,
  toJson,
  toTable,
  toYaml,
} from '../../src/upstream/calibrate/render.ts';
import { connect, maskOf, type Keys } from '../../src/upstream/calibrate/upstream.ts';
import type { School, StartOptions, Upstream } from '../upstreams/plumbing.ts';

/** A service of test/upstreams, or one with the same exports. */
export interface Service {
  readonly start: (options?: StartOptions) => Promise<Upstream>;
  readonly schools: readonly School[];
  readonly samples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a calibration of a service came to. */
export interface Came {
  readonly keys: readonly string[];
  /** Null if it stopped. */
  readonly calibration: Calibration | null;
  /** The message of the error that stopped it. */
  readonly stopped: string | null;
  /** Everything that the command shows or writes. */
  readonly shown: readonly string[];
  readonly upstream: Upstream;
}

export interface Wish {
  readonly known?: Known;
  /** Headers of every call: name, value, name, value … */
  readonly headers?: readonly string[];
  /** Trust the authority of the service. */
  readonly trusts?: boolean;
  readonly leftOut?: (probe: Probe) => string | null;
  /** Real time after which a call counts as one without a response. */
  readonly patienceMs?: number;
}

/** Where the simulated time begins: ten seconds into a minute. */
const beginning = Date.UTC(2026, 10, 20, 10, 0, 10);

/** The samples as `--known` has them. */
export function knownFrom({ samples }: Service): Known {
  const {
    'get-quiz-details': quiz = {},
    'submit-user-course-item': submission = {},
    'list-assignments': assignments = {},
    'get-live-event-session-processed-mp4': recording = {},
    'update-digital-product-coupon': coupon = {},
    'update-interactive-coding-lab': lab = {},
  } = samples;
  const { digitalProductId } = assignments['courseIdentifier'] as { readonly digitalProductId: string };
  return {
    productId: digitalProductId,
    quizId: String(quiz['quizId']),
    courseItemId: String(submission['courseItemId']),
    liveEventSessionId: String(recording['liveEventSessionId']),
    userId: String(submission['userId']),
    userEmail: String(submission['userEmail']),
    coupon,
    lab,
  };
}

/** Calibrates a service with a time that passes only by waiting. */
export async function calibrated(service: Service, wish: Wish = {}): Promise<Came> {
  let now = beginning;
  const upstream = await service.start({ now: () => now });
  onTestFinished(() => upstream.close());
  const [own = '', second = null] = service.schools[0]?.apiKeys ?? [];
  const keys: Keys = { own, second, other: service.schools[1]?.apiKeys[0] ?? null };
  const shown: string[] = [];
  const mask = maskOf(keys);
  const plan = {
    probes: probes.map((probe) => ({ probe, leftOut: wish.leftOut?.(probe) ?? null })),
    known: wish.known ?? knownFrom(service),
    keys,
    pauseSeconds: 0.25,
    stamp: 'a-test',
  };
  const outside = {
    upstream: connect(
      upstream.url,
      keys,
      fetchAt(upstream, wish, () => now),
    ),
    time: {
      now: () => now,
      wait: (seconds: number) => {
        now += seconds * 1000;
        return Promise.resolve();
      },
    },
    after: (progress: Parameters<typeof checkpointText>[1]) =>
      void shown.push(checkpointText(upstream.url, progress, mask)),
  };
  const every = Object.values(keys).filter((key): key is string => key !== null);
  try {
    const calibration = await calibrate(plan, outside);
    const occasion = { host: new URL(upstream.url).host, from: '', to: '', calls: calibration.calls };
    const texts = [
      toTable(calibration.verdicts),
      toYaml(calibration, occasion),
      toJson(calibration, occasion, null),
      toBeyondTable(calibration.beyond),
      toDepartureTable(calibration.departures),
    ];
    return { keys: every, calibration, stopped: null, shown: [...shown, ...texts], upstream };
  } catch (error) {
    const stopped = error instanceof Error ? error.message : String(error);
    return { keys: every, calibration: null, stopped, shown: [...shown, stopped], upstream };
  }
}

/** `fetch` to a service whose Date header is the simulated time. */
function fetchAt(upstream: Upstream, wish: Wish, now: () => number): typeof fetch {
  const { headers = [], trusts = false, patienceMs = 5000 } = wish;
  const ca = 'ca' in upstream && trusts ? String(upstream.ca) : null;
  const fetched = fetchOver(new URL(upstream.url), { ...plainConnection, headers, ca }, {});
  return async (input, init) => {
    // The URLs of playlists lead nowhere.
    if (new URL(input instanceof Request ? input.url : input).origin !== upstream.url)
      return new Response(null, { status: 404 });
    const reply = await fetched(input, { ...init, signal: AbortSignal.timeout(patienceMs) });
    const sent = new Headers(reply.headers);
    sent.set('Date', new Date(now()).toUTCString());
    return new Response(reply.body, { status: reply.status, headers: sent });
  };
}
