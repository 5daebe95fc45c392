import { parseJson } from '../../../contract/envelope.ts';
import { CannotCalibrate } from '../cannot-calibrate.ts';
import { harmless } from '../pace.ts';
import type { Probe, Scene } from '../probe.ts';
import { describeReply, listAt, outcomeOf, resultOf, type Reply } from '../reply.ts';
import { shown, theirs } from '../shown-text.ts';
import type { Request } from '../upstream.ts';

/** The lists without parameters, each with the field that has its records. */
const lists: readonly { readonly request: Request; readonly field: string }[] = [
  { request: harmless, field: 'liveEvents' },
  { request: { operation: 'get-all-instructors' }, field: 'instructors' },
];

/** Whether there is a service to calibrate. Otherwise every other probe would mistake its responses. */
export const serviceCheck: readonly Probe[] = [
  {
    name: 'service',
    what: 'whether the URL leads to the service and the key is accepted: a list; if that fails, another list, and one with an unknown key; later the first list again, if the service may refuse all calls',
    // Each call to a list is repeated after a server error.
    calls: 2 * lists.length + 1,
    tells: [],
    run: async (scene) => {
      await check(scene);
      return { readings: [] };
    },
  },
];

async function check(scene: Scene): Promise<void> {
  const replies: Reply[] = [];
  let works: Reply | null = null;
  for (const { request, field } of lists) {
    const reply = await scene.pace.call(request);
    const result = resultOf(reply);
    if (listAt(result, field).length > 0) return;
    if (result !== null) works ??= reply;
    else if (works === null) stopFor(whyElsewhere(request, reply, scene), scene);
    replies.push(reply);
  }
  const [first] = replies;
  if (first === undefined) return;
  if (works === null) {
    const advice = scene.pace.adviceOn(harmless, first);
    const throttles = `throttles every call: ${describeReply(first)}.${advice} Run this command again later.`;
    stopFor(advice === '' ? whyRefused(first) : throttles, scene);
  }
  const other = await scene.pace.call({ ...harmless, key: 'wrong' });
  if (works !== null) return stopFor(whyNoSchool(works, other), scene);
  if (looksLike(first) === looksLike(other)) {
    stopFor(
      `refuses this key: it responds to an unknown key in the same way (${describeReply(first)})`,
      scene,
    );
  }
}

/** An empty school is possible, but not with every key. Something else may respond to everything with success. */
function whyNoSchool(reply: Reply, toUnknownKey: Reply): string | null {
  if (resultOf(toUnknownKey) === null) return null;
  return `is not the service, or has no data: it lists neither live events nor instructors (${describeReply(reply)}), and accepts an unknown key`;
}

function stopFor(why: string | null, { pace, mask }: Scene): void {
  if (why !== null) throw new CannotCalibrate(`${pace.base} ${shown(why, mask)}`);
}

/** Returns why no further call makes sense; null if another operation may work. */
function whyElsewhere(request: Request, reply: Reply, { pace }: Scene): string | null {
  const { status } = reply;
  if (status >= 300 && status < 400) return whyRedirected(request, reply, pace.base);
  if ([502, 503, 504].includes(status))
    return `is down: it responded twice with ${describeReply(reply)}.${pace.adviceOn(request, reply)} Run this command again later.`;
  return null;
}

/** Returns where a service redirects to, and how to follow it. */
function whyRedirected({ operation }: Request, reply: Reply, base: string): string {
  const location = reply.header('location');
  if (location === null) return `redirects, but does not say where to (${describeReply(reply)})`;
  const from = `${base}/public/${operation}`;
  if (!URL.canParse(location, from)) return `redirects, but to no URL (${describeReply(reply)})`;
  const target = new URL(location, from);
  if (`${target.origin}${target.pathname}` === from)
    return `redirects to ${named(target.href, base)}, the same operation, which is a loop. Is --upstream the base URL of the API, and does it need a header (--header)?`;
  const [, newBase] = /^(.*)\/public\/[^/]+\/?$/.exec(`${target.origin}${target.pathname}`) ?? [];
  if (newBase === undefined || newBase === base)
    return `redirects to ${named(target.href, base)}, which is no operation. Is --upstream the base URL of the API?`;
  const shownBase = named(newBase, base);
  if (isSameHost(target, new URL(base))) return `redirects to ${shownBase}: try --upstream ${shownBase}`;
  return `redirects to another host, ${shownBase}. The API key was not sent there. With this URL as --upstream it would be: use it only if you know that this host belongs to the service.`;
}

/** Whether a key that goes to one URL may go to another: to the same origin, or over TLS to the same host. */
function isSameHost(target: URL, base: URL): boolean {
  const isUpgrade = base.protocol === 'http:' && target.protocol === 'https:';
  return target.origin === base.origin || (isUpgrade && target.hostname === base.hostname);
}

/** Returns a URL of the service, in which only the part that the user gave is ours. */
function named(url: string, base: string): string {
  const { origin } = new URL(base);
  const own = [base, origin].find((part) => url.startsWith(part)) ?? '';
  return url === own ? own : `${own}${theirs(url.slice(own.length))}`;
}

/** Returns why neither list works; null if the key may still be the reason. */
function whyRefused(reply: Reply): string | null {
  const { status, text, outputs } = reply;
  const what = describeReply(reply);
  if (status >= 500) return `fails: both lists returned server errors, twice each (${what})`;
  if (status === 401 || status === 403) return `refuses this key: ${what}`;
  if (status === 404 || status === 405 || status === 410)
    return `has no operation at /public/${harmless.operation}: ${what}. --upstream must be the whole URL before /public/, including a base path such as /v2.`;
  if (status === 429) return `throttles every call: ${what}. Run this command again later.`;
  if (status >= 400) return `refuses a call without parameters: ${what}`;
  const elsewhere = `(${what}). Is --upstream the base URL of the API?`;
  if (parseJson(text) === undefined) return `is not the service: it sends no JSON ${elsewhere}`;
  if (outputs === null || outputs.length === 0)
    return `is not the service: it sends no list of outputs with the status ok or error ${elsewhere}`;
  return null;
}

/** Returns a response without the words that may repeat a key or identify the request. */
function looksLike(reply: Reply): string {
  const words = reply.text.split(/[^\p{L}\p{N}_.-]+/u);
  return [outcomeOf(reply), ...words.filter((word) => /^\p{L}{1,15}$/u.test(word))].join(' ');
}
