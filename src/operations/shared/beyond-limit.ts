/** A list is too large for this server. The whole call is refused. */
export class BeyondLimitError extends Error {}
