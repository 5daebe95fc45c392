/**
 * Measures a call of the video library, by the size of the library. `tsx bench/library.ts` after a build; a
 * part of `npm run bench`.
 */
import { load } from './load.ts';
import { startServer } from './servers.ts';

const path = '/public/get-video-library';
const pageSize = 20;

/** The requests to a library with this number of videos. */
function questions(videos: number): Readonly<Record<string, object>> {
  return {
    'first page': { pageNumber: 1 },
    'deep page': { pageNumber: Math.max(1, Math.floor(videos / pageSize)) },
    'by title, many found': { filterTerm: 'in practice', pageNumber: 1 },
    'by title, deep page': { filterTerm: 'lesson', pageNumber: Math.max(1, Math.floor(videos / pageSize)) },
    'by title, none found': { filterTerm: 'no such title', pageNumber: 1 },
    'in a folder': { folderPath: '/', filterTerm: 'lesson', pageNumber: 1 },
  };
}

function bodyOf(parameters: object): string {
  return JSON.stringify({ data: [{ data: parameters }] });
}

const newTerms = 'by a title that nobody has asked for before';

/** Terms that are all different, so that no result is cached. */
async function askedAnew(port: number): Promise<string> {
  const headers = { 'SERVICE-API-KEY': 'sbx_default_riverside', 'Content-Type': 'application/json' };
  const times: number[] = [];
  for (let number = 0; number < 60; number += 1) {
    const body = bodyOf({ filterTerm: `n ${number}: ` });
    const start = performance.now();
    await (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })).text();
    times.push(performance.now() - start);
  }
  // The first ones warm up the client.
  const sorted = times.slice(10).toSorted((one, other) => one - other);
  return `${sorted[25]?.toFixed(3)} (${sorted.at(-1)?.toFixed(2)})`;
}

/** Measures each question at each size, a second or so each, one connection; a table goes to `say`. */
export async function library(say: (line: string) => void, milliseconds: number): Promise<void> {
  say('\nThe video library by its size, one connection, p50 (p99) in ms:\n');
  const sizes = [100, 10_000, 100_000];
  const rows = new Map([...Object.keys(questions(100)), newTerms].map((name) => [name, [name]]));
  const memory: string[] = [];
  for (const videos of sizes) {
    const seed = `generated:schools=1,videos=${videos}`;
    const server = await startServer(
      ['dist/bundle/main.js', '--port', '0', '--limits', '1000000000', '--seed', seed],
      {
        path,
        body: bodyOf({}),
      },
    );
    for (const [name, parameters] of Object.entries(questions(videos))) {
      const target = { path, body: bodyOf(parameters), port: server.port };
      await load(target, 1, milliseconds / 4);
      const { p50, p99 } = await load(target, 1, milliseconds);
      rows.get(name)?.push(`${p50.toFixed(3)} (${p99.toFixed(2)})`);
    }
    rows.get(newTerms)?.push(await askedAnew(server.port));
    memory.push(
      `${videos} videos: up after ${server.firstAnswerMs.toFixed(0)} ms, at most ${((server.peakMemory() ?? 0) / 1e6).toFixed(0)} MB`,
    );
    await server.stop();
  }
  say(`| asked for | ${sizes.map((size) => `${size} videos`).join(' | ')} |`);
  say(`| --- | ${sizes.map(() => '---').join(' | ')} |`);
  for (const row of rows.values()) say(`| ${row.join(' | ')} |`);
  say(`\n${memory.join('; ')}.`);
}
