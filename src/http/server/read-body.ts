/** The body of a call, as it was received. */
export interface ReadBody {
  /** Without a byte order mark. */
  readonly text: string;
  /** The offset of the first byte that is not UTF-8, or null. */
  readonly invalidByte: number | null;
  readonly bytes: number;
  /** Whether the body exceeded the maximum, or the memory of the server. */
  readonly cutOff: boolean;
  /** Whether the server currently has no room for the body. */
  readonly isUnwelcome: boolean;
}

/** Returns what is known of a body that was not read to its end. */
export function unread(bytes: number, isUnwelcome: boolean): ReadBody {
  return { text: '', invalidByte: null, bytes, cutOff: true, isUnwelcome };
}
