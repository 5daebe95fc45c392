import { didYouMean } from '../base/did-you-mean.ts';
import { decoded } from '../base/request-target.ts';
import { NotFoundError } from '../base/errors.ts';
import type { ControlRoute } from './route.ts';
import { controlRoutes } from './routes.ts';

/** The routes, with those of fewer parameters first: a literal path takes precedence over a parameter. */
const places = controlRoutes
  .map((route) => ({ route, template: route.path.split('/') }))
  .toSorted((one, other) => parametersIn(one.template) - parametersIn(other.template));

function parametersIn(template: readonly string[]): number {
  return template.filter((part) => part.startsWith('{')).length;
}

/** A route, and its path parameters in a request. */
interface FoundRoute {
  readonly route: ControlRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the route of a request. Throws NotFoundError if there is none. */
export function findRoute(method: string, path: string): FoundRoute {
  const parts = partsOf(path);
  const matching = places.flatMap(({ route, template }) => {
    const params = paramsOf(template, parts);
    return params === null ? [] : [{ route, params }];
  });
  const found = matching.find(({ route }) => route.method === method);
  if (found !== undefined) return found;
  const allowed = [...new Set(matching.map(({ route }) => route.method))];
  throw allowed.length === 0 ? unknownPath(path) : new WrongMethodError(path, method, allowed);
}

/** The path exists, but not with this method. */
export class WrongMethodError extends NotFoundError {
  readonly allowed: readonly string[];

  constructor(path: string, method: string, allowed: readonly string[]) {
    super(`${path} does not support ${method}. Allowed: ${allowed.join(', ')}.`);
    this.allowed = allowed;
  }
}

function partsOf(path: string): readonly string[] {
  return path.split('/').map(decoded);
}

/** Returns the path parameters, or null if the path does not match. */
function paramsOf(
  template: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | null {
  if (template.length !== parts.length) return null;
  const params: [string, string][] = [];
  for (const [place, part] of template.entries()) {
    const text = parts[place] ?? '';
    if (part.startsWith('{')) params.push([part.slice(1, -1), text]);
    else if (part !== text) return null;
  }
  return Object.fromEntries(params);
}

function unknownPath(path: string): NotFoundError {
  const paths = [...new Set(controlRoutes.map((route) => route.path))];
  const hint = didYouMean(path, paths);
  return new NotFoundError(
    `The control plane has no path ${JSON.stringify(path)}.${hint} GET /control/openapi.yaml lists all paths.`,
  );
}
