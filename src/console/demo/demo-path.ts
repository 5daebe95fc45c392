import type { StepName } from './script.ts';

/** Returns the address of a step of a demo. */
export function demoPath(sandbox: string, step: StepName): string {
  return `/demo/${encodeURIComponent(sandbox)}/${step}`;
}
