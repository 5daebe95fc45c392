import type { ServerResponse } from 'node:http';
import { after } from '../sandbox/clock.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Slices } from '../sandbox/slices.ts';
import { jsonPieces } from './json-pieces.ts';

/** Answers up to about this length, in characters, are sent whole. */
const wholeLength = 65_536;

/** For how long a client may read nothing of a long answer, in milliseconds. */
const patienceMs = 60_000;

/** Sends content as JSON: whole if it is short, else piece by piece as it is made and as fast as the client reads. */
export async function sendJson(response: ServerResponse, status: number, content: unknown, slices: Slices): Promise<void> {
  const pieces = jsonPieces(content);
  const first = await slices.run(gathering(pieces));
  if (response.destroyed) return;
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (first.isLast) {
    const body = Buffer.from(first.text, 'utf8');
    response.setHeader('Content-Length', body.length);
    return void response.end(body);
  }
  if (response.req.method === 'HEAD') return void response.end();
  for (let part: Part = first; ; part = await slices.run(gathering(pieces))) {
    if (response.destroyed) return;
    const canTakeMore = response.write(part.text);
    if (part.isLast) return void response.end();
    if (!canTakeMore) await drained(response);
  }
}

interface Part {
  readonly text: string;
  readonly isLast: boolean;
}

function* gathering(pieces: Generator<string, void, void>): SlicedWork<Part> {
  let text = '';
  while (text.length < wholeLength) {
    const piece = pieces.next();
    if (piece.done === true) return { text, isLast: true };
    text += piece.value;
    yield;
  }
  return { text, isLast: false };
}

/** Resolves when the client has read what was written, or has gone. One that reads nothing is let go. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    const finish = (): void => {
      patience.cancel();
      response.off('drain', finish);
      response.off('close', finish);
      done();
    };
    const patience = after(patienceMs, () => response.destroy());
    response.on('drain', finish);
    response.on('close', finish);
  });
}
