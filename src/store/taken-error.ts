/** Another server uses the state file under another path. This one must not overwrite it. */
export class TakenError extends Error {
  constructor(file: string, what: 'changed' | 'replaced') {
    super(
      `${file} was ${what} by another program, such as a second server that has the same file mounted in another place. This server does not overwrite it. To keep the state of this server, move that file away. To keep the other state, stop this server, delete the logs of this sandbox, and start it again`,
    );
  }
}
