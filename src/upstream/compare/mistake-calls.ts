import { isObject } from '../../base/is-object.ts';
import type { Request } from '../calibrate/upstream.ts';
import { required, type PlannedCall, type SideData } from './planned-call.ts';

const presets = 'get-instructor-permission-presets';
const quiz = 'get-quiz-details';
const library = 'get-video-library';
const aPage = { pageNumber: 1, limit: 2 };
const body = JSON.stringify({ data: [{ data: aPage }] });

/** A page of another origin asks whether it may call. */
const preflight = {
  Origin: 'https://page.example',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'content-type, service-api-key',
};

/** Calls without identifiers: the usual mistakes, by name. */
const plain: Readonly<Record<string, Request>> = {
  'no-key': { operation: presets, elements: [aPage], key: 'none' },
  'wrong-key': { operation: presets, elements: [aPage], key: 'wrong' },
  'not-json': { operation: presets, body: '{"data":' },
  'empty-body': { operation: presets, body: '' },
  'no-data-array': { operation: presets, body: '{}' },
  'element-without-data': { operation: presets, body: '{"data":[{}]}' },
  'data-not-a-list': { operation: presets, body: '{"data":{}}' },
  'plain-text': { operation: presets, body, contentType: 'text/plain' },
  'empty-batch': { operation: presets, elements: [] },
  // Without it, one element as the maximum would explain every refusal of a batch.
  'good-after-good': { operation: presets, elements: [aPage, aPage] },
  'good-after-bad': { operation: presets, elements: [{ pageNumber: 'one', limit: 2 }, aPage] },
  'bad-after-good': { operation: presets, elements: [aPage, { pageNumber: 1, limit: 0 }, aPage] },
  'wrong-type': { operation: presets, elements: [{ pageNumber: 'one', limit: 2 }] },
  'null-parameter': { operation: presets, elements: [{ pageNumber: null, limit: 2 }] },
  'unknown-field': { operation: presets, elements: [{ ...aPage, size: 5 }] },
  'no-parameters': { operation: presets, elements: [{}] },
  'page-after-the-last': { operation: presets, elements: [{ pageNumber: 9999, limit: 2 }] },
  'page-before-the-first': { operation: presets, elements: [{ pageNumber: -1, limit: 2 }] },
  get: { operation: presets, method: 'GET' },
  preflight: { operation: presets, method: 'OPTIONS', key: 'none', headers: preflight },
  'other-origin': { operation: presets, elements: [aPage], headers: { Origin: 'https://page.example' } },
  'unknown-path': { operation: presets, path: '/public/get-nothing', elements: [{}] },
  'missing-id': { operation: quiz, elements: [{}] },
  'empty-id': { operation: quiz, elements: [{ quizId: '' }] },
  'number-as-id': { operation: quiz, elements: [{ quizId: 1 }] },
  'page-zero': { operation: library, elements: [{ filterTerm: '', pageNumber: 0, folderPath: '' }] },
  'text-page': { operation: library, elements: [{ filterTerm: '', pageNumber: '1', folderPath: '' }] },
  'missing-product': { operation: 'list-assignments', elements: [{}] },
};

/** The second page of a side may have nothing on it, so its first one is asked for, whatever its number is. */
function onFirstPage({ elements, ...request }: Request, { standIns: { firstPage = 1 } }: SideData): Request {
  if (elements === undefined) return request;
  const numbered = elements.map((one) =>
    isObject(one) && one['pageNumber'] === 1 ? { ...one, pageNumber: firstPage } : one,
  );
  return { ...request, elements: numbered };
}

/** The usual mistakes, because there services differ most. None changes data. */
export function mistakeCalls(): readonly PlannedCall[] {
  return [
    ...Object.entries(plain).map(([call, request]) => ({
      operation: request.operation,
      call,
      writes: false,
      request: (side: SideData) => onFirstPage(request, side),
    })),
    {
      operation: 'list-assignments',
      call: 'other-course-type',
      writes: false,
      request: ({ standIns }) => ({
        operation: 'list-assignments',
        elements: [
          { courseIdentifier: { type: 'course-id', digitalProductId: required(standIns, 'productId') } },
        ],
      }),
    },
  ];
}
