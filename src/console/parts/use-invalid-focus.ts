import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ControlProblem } from '../control-problem.ts';

/** Returns a reference for a form. When a problem appears, the first invalid field gets the focus. */
export function useInvalidFocus(problem: ControlProblem | null): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  return form;
}
