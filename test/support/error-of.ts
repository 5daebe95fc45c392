/** What an attempt comes to that must fail: its error. */
export async function errorOf(attempt: Promise<unknown>): Promise<Error> {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error('Expected it to be refused, but it was done.');
}
