import { ControlProblem } from '../api.ts';

/** Parses JSON from the user without validating its content. Throws ControlProblem if it is not JSON. */
export function parseJson(text: string, what: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ControlProblem({
      status: 0,
      title: 'Invalid JSON',
      detail: `${what} is not valid JSON: ${reason}`,
    });
  }
}
