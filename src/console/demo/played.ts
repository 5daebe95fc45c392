import type { PlaybackSource } from '../panels/player/playback.ts';

/** A request and its response, as the page shows them. The response is missing until it arrives. */
export interface ShownCall {
  readonly kind: 'call';
  readonly place: number;
  readonly caption: string;
  /** Who sends it: the client calls the public API, and its player the recordings. */
  readonly by: 'client' | 'player' | 'control plane';
  readonly method: string;
  readonly path: string;
  /** The name of the school whose key it has. */
  readonly school: string | null;
  readonly request: string;
  /** The important lines: JSON Pointers, in which `*` stands for any member, or texts in them. */
  readonly marked: { readonly request: readonly string[]; readonly response: readonly string[] };
  readonly response: ShownResponse | null;
}

export interface ShownResponse {
  /** 0 if the connection broke before the end of the response. */
  readonly status: number;
  /** The headers that matter for the step. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** The id of its journal entry. */
  readonly requestId: string | null;
}

/** Something that happened between the calls. */
interface Note {
  readonly kind: 'note';
  readonly place: number;
  readonly text: string;
}

/** A picture of what the calls achieved. */
export type Visual =
  | { readonly kind: 'posters'; readonly groups: readonly Posters[] }
  | { readonly kind: 'statuses'; readonly statuses: readonly number[] }
  | {
      readonly kind: 'count';
      readonly before: number;
      readonly after: number;
      readonly ids: readonly string[];
    }
  | { readonly kind: 'score'; readonly right: number; readonly of: number; readonly name: string }
  | { readonly kind: 'film'; readonly source: PlaybackSource }
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] };

export interface Posters {
  readonly title: string;
  readonly events: readonly { readonly name: string; readonly url: string }[];
}

export interface Finding {
  readonly tone: 'good' | 'bad' | 'open';
  readonly text: string;
}

/** What a step has done so far. */
export interface Played {
  readonly items: readonly (ShownCall | Note)[];
  readonly visual: Visual | null;
}

export const nothingPlayed: Played = { items: [], visual: null };
