import { operationNames } from '../../../src/contract/operation-types.ts';
import { pagePaths } from '../../../src/http/pages-app.ts';
import { controlOperations } from '../../support/control.ts';
import { requestExamples } from '../../support/examples.ts';

/** One method of one path that the server answers. */
export interface Route {
  readonly area: 'public' | 'control' | 'page';
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** Documented examples of the body; none if it takes none. */
  readonly bodies: readonly unknown[];
}

/** The parameters of documented paths, with values that exist or may exist. */
export const parameterValues: Readonly<Record<string, readonly string[]>> = {
  collection: [
    'coupons',
    'instructors',
    'videos',
    'schools',
    'quizzes',
    'courseItems',
    'submissions',
    'none',
  ],
  recordId: [
    '5bb6bf98e3b6a0f3c19b07c3',
    '48f925d5f0a4f7f191c9c062',
    '9d5afed5df87086d04584dbf',
    'new-record',
    '000000000000000000000000',
  ],
  name: ['before-lunch', 'a', 'b', 'c'],
  ruleId: ['http-error-1', 'timeout-1', 'delay-1'],
  requestId: ['default-1', 'steered-0-1', 'steered-1-3'],
};

/**
 * Every operation, every method of the control plane, and every page, as the documents and the pages' list
 * name them.
 */
export const routes: readonly Route[] = [
  ...operationNames.map((name): Route => {
    const bodies = Object.values(requestExamples(name)).map(({ value }) => value);
    return { area: 'public', method: 'POST', path: `/public/${name}`, bodies };
  }),
  ...controlOperations.map(({ method, path, requestBody }): Route => {
    const examples = Object.values(requestBody?.content['application/json']?.examples ?? {});
    return { area: 'control', method, path, bodies: examples.map(({ value }) => value) };
  }),
  ...pagePaths.map((path): Route => ({ area: 'page', method: 'GET', path, bodies: [] })),
];

/** Where files and recordings are. */
export const folders = [
  '/assets/',
  '/docs/',
  '/console/',
  '/media/steered-0/sessions/9c5b7ed6df3621555e4a6e2e/',
  '/public/',
  '/control/',
];

/**
 * Beside those that the server answers, those that HTTP and its extensions know. CONNECT has a target of its
 * own form.
 */
export const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'M-SEARCH',
  'BREW',
];
