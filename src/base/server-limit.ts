/** A limit that protects the other clients of this server. It is not behavior of the platform. */
export interface ServerLimit {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** The unit and what it measures. */
  readonly what: string;
  /** What happens beyond the limit. */
  readonly beyond: string;
}
