/** Somebody has deleted or changed a file of a running server, which has all of its content. */
export class DeletedError extends Error {
  constructor(file: string, what: 'deleted' | 'changed' = 'deleted') {
    super(`${file} was ${what}${what === 'changed' ? ' by another program' : ''}`);
  }
}
