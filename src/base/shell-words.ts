/** Returns an argument as it is typed in a POSIX shell. */
export function shellWord(argument: string): string {
  return /^[\w.,:=/@+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
