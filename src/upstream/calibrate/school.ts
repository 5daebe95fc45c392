import type { OperationName } from '../../contract/operation-types.ts';

/** One session of a live event, as the service lists it. */
export interface Session {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startsAt: number;
  readonly durationSeconds: number;
  readonly endedAt: string | null;
}

export interface Video {
  readonly id: string;
  readonly title: string;
}

/** An element that goes well, and how it is made to name nothing, or to break the contract. */
export interface GoodElement {
  readonly operation: OperationName;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The same, with another identifier. */
  readonly naming: (id: unknown) => Readonly<Record<string, unknown>>;
  readonly id: string;
  /** The name of the parameter with the identifier. */
  readonly field: string;
}

/** What has been found of the school so far. */
export interface School {
  sessions: readonly Session[];
  /** A session whose recording can be had. */
  recorded: { readonly id: string; readonly source: unknown } | null;
  productIds: readonly string[];
  /** How many presets there are in all; null where that could not be read. */
  presets: number | null;
  /** The video library as far as it was read. */
  library: {
    readonly total: number;
    readonly pageSize: number;
    readonly firstPage: number;
    readonly videos: readonly Video[];
    readonly folders: readonly string[];
  } | null;
  /** A folder with videos, and one above it. */
  folders: { readonly above: string; readonly below: string; readonly video: Video } | null;
  good: GoodElement | null;
  /** A batch of more elements than two was accepted. */
  takesManyElements: boolean;
  /** Statuses and types whose full list the specification does not give, with whether it shows the value. */
  openValues: { readonly value: string; readonly isShown: boolean }[];
  /** Messages of failures: whether each tells what was wrong with what was sent. */
  messages: { readonly tells: boolean; readonly words: string }[];
}

export function emptySchool(): School {
  return {
    sessions: [],
    recorded: null,
    productIds: [],
    presets: null,
    library: null,
    folders: null,
    good: null,
    takesManyElements: false,
    openValues: [],
    messages: [],
  };
}

/** An identifier of the same form that names nothing: every letter and digit is the next one of its kind. */
export function strangeId(id: string): string {
  return id.replaceAll(/[0-9a-z]/gi, (letter) => next(letter));
}

const circles = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'];

function next(letter: string): string {
  const circle = circles.find((one) => one.includes(letter)) ?? letter;
  return circle[(circle.indexOf(letter) + 1) % circle.length] ?? letter;
}
