/** A list is larger than this server can go through; becomes the refusal of the whole call. */
export class BeyondLimitError extends Error {}
