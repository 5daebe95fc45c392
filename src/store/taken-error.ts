/** Another server uses the state file under another path, or somebody has put it back. This server must not overwrite it. */
export class TakenError extends Error {
  constructor(file: string, how: keyof typeof toKeepOwn) {
    const what = how === 'replaced' ? 'replaced' : 'changed';
    super(
      `${file} was ${what} by another program, such as a second server that has the same file mounted in another place, or a restore from a backup. This server does not overwrite it. To keep the state of this server, ${toKeepOwn[how]}. To keep the other state, stop this server, move the logs of this sandbox away${how === 'replaced' ? ', mount the new file,' : ','} and start it again`,
    );
  }
}

/** The system refuses to move a mounted file, and one that was replaced is only visible through its mount. */
const toKeepOwn = {
  changed: 'move that file away',
  mounted: 'copy that file to another place and then empty it, because it is mounted and cannot be moved',
  replaced:
    'copy that file and the logs of this sandbox to another folder, stop this server, and start one with --data there',
} as const;
