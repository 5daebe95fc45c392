/** The passing of time: real for a service, simulated in tests. */
export interface Time {
  /** Milliseconds since 1970. */
  now(): number;
  /** `why` is for the user, if the wait is long: `get-quiz-details: its limit … is used up`. */
  wait(seconds: number, why?: string): Promise<void>;
}
