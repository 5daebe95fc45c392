import type { OperationName } from '../../contract/operation-types.ts';

/** One session of a live event, as the service lists it. */
export interface Session {
  readonly id: string;
  /** Milliseconds since 1970, in UTC if the service states no time zone. */
  readonly startsAt: number;
  /** How far the start may be off, in milliseconds, because its time zone is not known. */
  readonly offByMs: number;
  readonly durationSeconds: number;
  /** Undefined if the field is missing. */
  readonly endedAt: string | null | undefined;
}

export interface Video {
  readonly id: string;
  readonly title: string;
}

/** A successful element, and how to make it unknown or invalid. */
export interface GoodElement {
  readonly operation: OperationName;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The same element with another identifier. */
  readonly naming: (id: unknown) => Readonly<Record<string, unknown>>;
  readonly id: string;
  /** The name of the parameter with the identifier. */
  readonly field: string;
}

/** Returns an element that reads a record by its identifier. */
export function goodElement(operation: OperationName, field: string, id: string): GoodElement {
  const naming = (value: unknown): Readonly<Record<string, unknown>> =>
    operation === 'list-assignments'
      ? { courseIdentifier: { type: 'product-id', [field]: value } }
      : { [field]: value };
  return { operation, parameters: naming(id), naming, id, field };
}

/** What the probes have found in the school so far. */
export interface School {
  sessions: readonly Session[];
  /** Why no session is known to lie ahead. */
  noneAhead: string;
  /** A session with a recording. */
  recorded: { readonly id: string } | null;
  productIds: readonly string[];
  /** Why later probes lack what these reads find. */
  unread: {
    library: string;
    presets: string;
    good: string;
    /** Why a status may be missing; null if nothing is known to be. */
    statuses: string | null;
  };
  /** The total number of presets; null if it could not be read. */
  presets: number | null;
  /** The part of the video library that was read. */
  library: {
    /** Null if the service does not state it. */
    readonly total: number | null;
    /** If the service does not state it, the number of videos on the first page. */
    readonly pageSize: number;
    readonly firstPage: number;
    readonly videos: readonly Video[];
    readonly folders: readonly string[];
  } | null;
  /** A folder with videos, and a folder above it. */
  folders: { readonly above: string; readonly below: string; readonly video: Video } | null;
  good: GoodElement | null;
  /** Whether a batch of two showed the output of an element that failed after one that succeeded. */
  hasFailedInBatch: boolean;
  /** Whether a batch of more than two elements was accepted. */
  takesManyElements: boolean;
  /**
   * Values of statuses and types that the specification does not list completely, and whether it shows them.
   */
  openValues: { readonly probe: string; readonly value: string; readonly isShown: boolean }[];
  /** Failure messages, and whether each describes the error. */
  messages: { readonly tells: boolean; readonly words: string }[];
}

export function emptySchool(): School {
  return {
    sessions: [],
    noneAhead: 'found no future session',
    recorded: null,
    productIds: [],
    unread: {
      library: 'the video library could not be read',
      presets: 'the permission presets could not be read',
      good: 'whether a reading operation accepts an identifier could not be found out',
      statuses: null,
    },
    presets: null,
    library: null,
    folders: null,
    good: null,
    hasFailedInBatch: false,
    takesManyElements: false,
    openValues: [],
    messages: [],
  };
}

/** Whether a session starts later than a minute from now. */
export function liesAhead({ startsAt, offByMs }: Session, now: number): boolean {
  return startsAt - offByMs > now + 60_000;
}

/** Whether a session is over, as scheduled. */
export function isOver({ startsAt, durationSeconds, offByMs }: Session, now: number): boolean {
  return startsAt + durationSeconds * 1000 + offByMs < now;
}

/** Returns an unknown identifier of the same form: every letter and digit is replaced by the next one. */
export function strangeId(id: string): string {
  return id.replaceAll(/[0-9a-z]/gi, (letter) => next(letter));
}

const circles = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ'];

function next(letter: string): string {
  const circle = circles.find((one) => one.includes(letter)) ?? letter;
  return circle[(circle.indexOf(letter) + 1) % circle.length] ?? letter;
}
