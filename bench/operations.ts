/**
 * Each operation beside the bare server, in the same run: success and failure, one element and a
 * batch of 100. `tsx bench/operations.ts [NAME…]` after a build; a part of `npm run bench`.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { load, type Measured } from './load.ts';
import type { Started } from './servers.ts';

interface Body {
  readonly data: readonly unknown[];
}

/** An operation with the bodies of its first successful and its first failing example. */
interface BenchedOperation {
  readonly name: string;
  readonly writes: boolean;
  readonly success: Body;
  /** Null for an operation that cannot fail. */
  readonly failure: Body | null;
}

/** One line of the table. */
export interface Row {
  readonly operation: string;
  readonly what: string;
  readonly ours: Measured & { readonly microsecondsEach: number | null };
  readonly bare: Measured;
  /** The median of the ratios of the rounds. */
  readonly ratio: number;
  readonly p99Ratio: number;
}

const failures: Readonly<Record<string, string>> = {
  'get-quiz-details': 'unknownQuiz',
  'update-digital-product-coupon': 'unknownCoupon',
  'update-interactive-coding-lab': 'unknownLab',
  'submit-user-course-item': 'unknownCourseItem',
  'create-instructor-account': 'namelessInstructor',
  'get-signed-url-data-for-live-event-session-playback': 'unknownSession',
  'list-assignments': 'unknownProduct',
  'get-course-item-data': 'unknownCourseItem',
  'get-instructor-permission-presets': 'noRoomForAny',
};

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
}

interface Operation {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly examples: Readonly<Record<string, { readonly value: Body }>> };
    };
  };
}

export function benchedOperations(): readonly BenchedOperation[] {
  const path = new URL('../openapi/learning-platform.yaml', import.meta.url);
  // The document is checked by the tests.
  const { paths } = parse(readFileSync(path, 'utf8')) as OpenApi;
  return Object.entries(paths).map(([route, { post }]) => {
    const { examples } = post.requestBody.content['application/json'];
    const [first] = Object.values(examples);
    const name = route.slice('/public/'.length);
    if (first === undefined) throw new Error(`${name} has no example.`);
    return {
      name,
      writes: /^(update|submit|create)-/.test(name),
      success: first.value,
      failure: examples[failures[name] ?? '']?.value ?? null,
    };
  });
}

/** How often and how long each server is measured. */
export interface Extent {
  readonly connections: number;
  readonly rounds: number;
  readonly roundMs: number;
  /** Of the default sandbox, unless given. */
  readonly key?: string;
}

/** Measures one body against both servers, in turn. */
export async function compareOn(
  target: { readonly operation: string; readonly body: Body },
  { sandbox, bare }: { readonly sandbox: Started; readonly bare: Started },
  { connections, rounds, roundMs, key = 'sbx_default_riverside' }: Extent,
): Promise<Omit<Row, 'operation' | 'what'>> {
  const call = { path: `/public/${target.operation}`, body: JSON.stringify(target.body), key };
  for (const { port } of [sandbox, bare]) await load({ ...call, port }, connections, roundMs / 3);
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  const before = sandbox.usedTime();
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await load({ ...call, port: sandbox.port }, connections, roundMs));
    theirs.push(await load({ ...call, port: bare.port }, connections, roundMs));
  }
  const after = sandbox.usedTime();
  const calls = ours.reduce((sum, { perSecond }) => sum + (perSecond * roundMs) / 1000, 0);
  const microsecondsEach = before === null || after === null ? null : (after - before) / calls;
  const ratios = (figure: 'perSecond' | 'p99'): number =>
    median(ours.map((one, round) => one[figure] / (theirs[round]?.[figure] ?? Number.NaN)));
  return {
    ours: { ...medians(ours), microsecondsEach },
    bare: medians(theirs),
    ratio: ratios('perSecond'),
    p99Ratio: ratios('p99'),
  };
}

function medians(all: readonly Measured[]): Measured {
  const of = (figure: keyof Measured): number => median(all.map((one) => one[figure]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    p999: of('p999'),
    worst: of('worst'),
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function hundredTimes({ data }: Body): Body {
  return { data: Array.from({ length: 100 }, (_, index) => data[index % data.length]) };
}

/** Measures every operation, and hands on each row when it is there. */
export async function measureOperations(
  servers: { readonly sandbox: Started; readonly bare: Started },
  extent: Extent,
  {
    onRow,
    names = [],
    batches = true,
  }: {
    readonly onRow: (row: Row) => void;
    readonly names?: readonly string[];
    readonly batches?: boolean;
  },
): Promise<void> {
  for (const { name, success, failure } of benchedOperations()) {
    if (names.length > 0 && !names.includes(name)) continue;
    const bodies: readonly (readonly [string, Body | null])[] = [
      ['success', success],
      ['failure', failure],
      ...(batches ? ([['batch of 100', hundredTimes(success)]] as const) : []),
    ];
    for (const [what, body] of bodies) {
      if (body === null) continue;
      onRow({ operation: name, what, ...(await compareOn({ operation: name, body }, servers, extent)) });
    }
  }
}
