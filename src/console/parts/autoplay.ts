/** Whether videos may start by themselves: not if a person has asked the system for less motion. */
export function mayAutoplay(): boolean {
  return matchMedia('(prefers-reduced-motion: no-preference)').matches;
}
