import { ControlProblem } from '../api.ts';

/** What a person wrote as JSON. Only whether it is JSON is looked at; whether it fits is for the server to say. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ControlProblem({ status: 0, title: 'Not JSON', detail: `${what} cannot be read as JSON: ${reason}` });
  }
}
