import { ControlProblem } from '../api.ts';
import { isObject } from './is-object.ts';

/** Parses JSON from the user without validating its content. Throws ControlProblem if it is not JSON. */
export function parseJson(text: string, what: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(`${what} is not valid JSON: ${reason}`);
  }
}

/** Like `parseJson`, for a JSON object. */
export function parseObject(text: string, what: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text, what);
  if (!isObject(value)) throw invalid(`${what} is not a JSON object: it must begin with { and end with }.`);
  return value;
}

function invalid(detail: string): ControlProblem {
  return new ControlProblem({ status: 0, title: 'Invalid JSON', detail });
}
