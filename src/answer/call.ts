import type { WireText } from '../sandbox/wire-text.ts';
import type { OperationName } from '../contract/operation-types.ts';

/** One HTTP request to an operation, as plain data. */
export interface Call {
  readonly operation: OperationName;
  /** The body as text; empty where none came, or none that could be read. */
  readonly body: string;
  /** Bytes of the body, as far as it was read. */
  readonly bodyBytes: number;
  /** The body was longer than the server ever reads. */
  readonly bodyCutOff: boolean;
  /** The query with its question mark, or nothing. */
  readonly query: string;
  readonly header: (name: string) => string | undefined;
  /** The client's network address. */
  readonly address: string;
  /** Where the client reached this server, for absolute links: scheme, host and port, no slash at the end. */
  readonly origin: string;
}

/** What goes back, as plain data. */
export interface Reply {
  readonly status: number;
  /** Name, value, name, value … */
  readonly headers: readonly string[];
  readonly body: WireText;
  /** The time to tell in the Date header, in milliseconds since 1970. */
  readonly at: number;
}
