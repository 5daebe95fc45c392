/** Somebody has deleted a file of a running server, which has all of its content. */
export class DeletedError extends Error {
  constructor(file: string) {
    super(`${file} was deleted`);
  }
}
