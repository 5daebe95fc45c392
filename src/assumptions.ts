import { keysOf } from './base/keys.ts';
/**
 * Every point that the specification leaves open, as a named switch: the question, the sentence of the
 * specification that leaves it open, the options, and the default with its reason.
 *
 * Exactly one file of `src/` reads an assumption, and lists it in the reply's `Sandbox-Assumed` header. The
 * table in `docs/assumptions.md` and the tests are generated from this list.
 */

/** One open point. `options` maps each option to what the sandbox does. */
export interface Assumption {
  readonly question: string;
  /** Quoted from docs/specification.md. */
  readonly sentence: string;
  /** The section of the specification that contains the sentence. */
  readonly section: string;
  readonly options: Readonly<Record<string, string>>;
  readonly default: string;
  readonly why: string;
}

const unshownErrors = 'HTTP status codes for failures: not shown. Only 200 is shown.';
const unshownMessages = 'The list of error messages or codes: not shown.';
const unshownLimitReply = 'The response when a rate limit is exceeded: not shown.';
const unshownSizes = 'Size limits (batch size of the `data` array, page size, payload size): not shown.';
const unshownKeyBehaviour =
  'Behavior on a missing or invalid key, and how keys are issued or rotated: not shown.';
const unshownRequired = 'Which request and response fields are required, except where stated, is not shown.';
const unshownBatch =
  'Whether every element of the outer `data` array is processed and how the output array corresponds to it is not shown.';
const perMinute = 'Rate limits per endpoint, each over a window of 1 minute:';
const videoRequest =
  'Request: filterTerm (string, search filter), pageNumber (integer), folderPath (string).';
const presetRequest = 'Request: pageNumber (integer), limit (a number; the sample is not an integer).';
const submitRule =
  '`courseItemType` (string; `Quiz` is the value that occurs) and `questionsToUpsert` (array of objects with `questionUniqueId` string and `newSelectedOptionIds` array of strings)';

const refusalForms = {
  envelope: 'The response envelope with one error output.',
  'problem-json': 'An RFC 9457 problem document.',
  'message-json': 'A JSON object with the message: `{"message": "…"}`.',
  'error-json': 'A JSON object with a code and the message: `{"error": {"code": "…", "message": "…"}}`.',
  'plain-text': 'One line of plain text.',
  html: 'A small HTML page, such as gateways send.',
  empty: 'No body.',
} as const;

export const assumptions = {
  missingKey: {
    question: 'What is the response to a call without an API key?',
    sentence: unshownKeyBehaviour,
    section: 'Authentication',
    options: {
      'http-401': 'HTTP 401 with a refusal body.',
      'http-403': 'HTTP 403 with a refusal body.',
      'output-error': 'HTTP 200 with one error output per element (one if the body cannot be read).',
    },
    default: 'http-401',
    why: 'Most gateways return this status, and clients of such APIs treat any status outside 2xx as an error.',
  },
  invalidKey: {
    question: 'What is the response to a call with a key that matches no school?',
    sentence: unshownKeyBehaviour,
    section: 'Authentication',
    options: {
      'http-401': 'HTTP 401 with a refusal body.',
      'http-403': 'HTTP 403 with a refusal body.',
      'output-error': 'HTTP 200 with one error output per element (one if the body cannot be read).',
    },
    default: 'http-401',
    why: 'The same as for a missing key, so that probing does not reveal which keys exist.',
  },
  refusalBody: {
    question: 'What is the body of the response if a call is refused before its operation runs?',
    sentence: unshownErrors,
    section: 'Errors',
    options: { ...refusalForms, template: 'Your own JSON object, from the setting `refusalTemplate`.' },
    default: 'envelope',
    why: 'A client that reads `[0].output.errorMessage` finds the explanation.',
  },
  gatewayRefusalBody: {
    question:
      'What is the body of a refusal that typically comes from a gateway: a missing or invalid key, the rate limit, or a body that is too large?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'as-refusals': 'The same body as all other refusals: see `refusalBody`.',
      ...refusalForms,
      template: 'Your own JSON object, from the setting `gatewayTemplate`.',
    },
    default: 'as-refusals',
    why: 'The specification does not mention a gateway. With another option, a client receives errors in two formats.',
  },
  wrongMethod: {
    question: 'What is the response to a method other than POST?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'http-405': 'HTTP 405 with `Allow: POST`.',
      'http-404': 'HTTP 404, from routers that match path and method together.',
      'http-403': 'HTTP 403, from some gateways.',
    },
    default: 'http-405',
    why: 'HTTP defines this status for a wrong method. It shows the client that the path is right.',
  },
  unknownPath: {
    question: 'What is the response to a path that matches no operation?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'http-404': 'HTTP 404.',
      'http-403': 'HTTP 403, from some gateways.',
    },
    default: 'http-404',
    why: 'HTTP defines this status for an unknown path.',
  },
  unmatchedBody: {
    question: 'What is the body of the response to a wrong method or path?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'problem-json': 'An RFC 9457 problem document.',
      'as-refusals': 'A refusal in the form of `refusalBody`.',
    },
    default: 'problem-json',
    why: 'The envelope belongs to operations, and such a request matches none.',
  },
  cors: {
    question: 'Can a web page from another origin call an operation (CORS)?',
    sentence:
      "Every endpoint requires the request header `SERVICE-API-KEY` carrying the school's API key (`<API_KEY>`).",
    section: 'Authentication',
    options: {
      none: "No. The browser's preflight request is refused as a wrong method.",
      'any-origin':
        'Yes. Preflight requests return 204, and any page can read the responses. Preflight requests have no key, so the default sandbox decides about them.',
    },
    default: 'none',
    why: 'A web page exposes its API key to its users, so the key belongs on a server.',
  },
  operationFailureStatus: {
    question: 'What is the HTTP status of the response if an operation fails?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'always-200': 'HTTP 200, as for success.',
      'by-kind':
        'For a call with one element, 404, 409 or 422 depending on the failure; for a call with several, 200.',
    },
    default: 'always-200',
    why: 'The specification reports failures in the body, and 200 is the only status that it shows.',
  },
  ruleFailureStatus: {
    question:
      'With operationFailureStatus=by-kind, what is the status of the response to values that match the schema but violate a rule of the operation?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'by-kind': 'HTTP 409 for a conflict with stored data, otherwise 422.',
      'http-400': 'HTTP 400 for both.',
    },
    default: 'by-kind',
    why: 'RFC 9110 defines 409 and 422 for such requests. Many services return 400 for every validation error.',
  },
  operationFailureBody: {
    question: 'With operationFailureStatus=by-kind, what is the body of a response whose status is an error?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      envelope: 'The response envelope with the error output.',
      'as-refusals': 'The same body as refusals: see refusalBody.',
    },
    default: 'envelope',
    why: 'The specification reports failures in the output of the element.',
  },
  failureMessages: {
    question: 'How detailed is an error message?',
    sentence: unshownMessages,
    section: 'Errors',
    options: {
      descriptive: 'What was received, what is wrong, where, and what to do.',
      generic: 'A few words for each kind of failure.',
    },
    default: 'descriptive',
    why: 'A sandbox should explain mistakes. `generic` shows whether a client parses the messages.',
  },
  malformedBody: {
    question:
      'What is the response to a body that is not the request envelope (not JSON, no data array, an element without a data object)?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'http-400': 'HTTP 400 (413 if it is too large, 415 if its Content-Type is not JSON).',
      'http-422': 'HTTP 422 (413 and 415 as above).',
      'output-error': 'HTTP 200 with one error output.',
    },
    default: 'http-400',
    why: 'Outputs cannot be aligned with a batch that cannot be read.',
  },
  invalidParameters: {
    question: 'What is the response to an element with invalid parameters?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'element-error': 'That element fails in its own output; the others run.',
      'http-400': 'The whole call is refused with HTTP 400; nothing runs.',
      'http-422': 'The whole call is refused with HTTP 422; nothing runs.',
    },
    default: 'element-error',
    why: 'The envelope reports failures per element.',
  },
  unknownId: {
    question: 'What is the response to an identifier that matches no record of the school?',
    sentence: unshownMessages,
    section: 'Errors',
    options: {
      'element-error': 'That element fails in its own output.',
      'http-404': 'The whole call is refused with HTTP 404 and has no effect.',
      synthesise:
        'The sandbox generates a plausible record, always the same one for an identifier, and stores what is written to it.',
    },
    default: 'element-error',
    why: "The envelope reports failures per element. Another school's record always looks like one that does not exist.",
  },
  batchProcessing: {
    question: 'Which elements of a batch are processed?',
    sentence: unshownBatch,
    section: 'Endpoints',
    options: {
      'each-in-order': 'All, in order; output i belongs to element i.',
      'first-only': 'The first; the others are ignored, and there is one output.',
      'stop-at-first-error': 'In order until one fails; the outputs end with that failure.',
      'all-or-nothing': 'All; if one fails, none takes effect, and every output is an error.',
    },
    default: 'each-in-order',
    why: 'Request and response are both arrays. Only this option uses every element of both.',
  },
  emptyBatch: {
    question: 'What is the response to an empty data array?',
    sentence: unshownBatch,
    section: 'Endpoints',
    options: {
      'empty-array': 'HTTP 200 with an empty array.',
      refuse: 'The call is refused as if its body were malformed.',
    },
    default: 'empty-array',
    why: 'No elements in, no outputs out.',
  },
  maxBatchSize: {
    question: 'How many elements can a call have?',
    sentence: unshownSizes,
    section: 'Limits',
    options: {
      none: 'Any number that fits into the payload.',
      '1': 'One; a call with more is refused as if its body were malformed.',
      '25': 'Up to 25; a call with more is refused as if its body were malformed.',
      '100': 'Up to 100; a call with more is refused as if its body were malformed.',
    },
    default: 'none',
    why: 'The specification gives no limit.',
  },
  maxPayload: {
    question: 'How large can a request body be?',
    sentence: unshownSizes,
    section: 'Limits',
    options: {
      '1mb': 'Up to 1,048,576 bytes.',
      '100kb': 'Up to 102,400 bytes.',
      '10mb': 'Up to 10,485,760 bytes.',
    },
    default: '1mb',
    why: 'A common default of gateways, and far more than the operations need.',
  },
  requiredFields: {
    question: 'Which parameters are required?',
    sentence: unshownRequired,
    section: 'Endpoints',
    options: {
      identifiers: 'Those that identify the records to read or change.',
      'stated-only': 'Only quizId, as the specification states.',
      all: 'Every field of the request tables.',
    },
    default: 'identifiers',
    why: 'An operation must know which records to read or change. Every other field has a sensible meaning if it is absent.',
  },
  unknownFields: {
    question: 'What happens to parameters that the specification does not list?',
    sentence: unshownRequired,
    section: 'Endpoints',
    options: {
      ignore: 'They are ignored.',
      refuse:
        'They make the parameters invalid. An unknown field next to data, in the body or in an element, makes the body invalid.',
    },
    default: 'ignore',
    why: 'JSON services are usually lenient. `refuse` finds misspelled optional fields.',
  },
  nullFields: {
    question: 'What happens to parameters that are null?',
    sentence: unshownRequired,
    section: 'Endpoints',
    options: {
      refuse: 'They make the parameters invalid.',
      'as-omitted':
        'They count as omitted. In testCases and in undocumented fields of couponTypeData, which accept any value, null is stored.',
    },
    default: 'refuse',
    why: 'The request tables give each field a type, and no type includes null.',
  },
  dateTimeFormat: {
    question: 'Which date-times are accepted?',
    sentence: '| expireAtIsoString | string, date-time | expiry |',
    section: 'Resources and their fields',
    options: {
      'rfc-3339': 'Date-times in RFC 3339, such as 2026-02-11T09:30:00Z or 2026-02-11T10:30:00+01:00.',
      'iso-8601':
        'Also other forms of ISO 8601: a date alone, a time without seconds, a time without a time zone (read as UTC), or an offset such as +0200 or +02. A space may replace the T. Stored as RFC 3339.',
    },
    default: 'rfc-3339',
    why: 'In OpenAPI, the format date-time means RFC 3339.',
  },
  emailFormat: {
    question: 'Which e-mail addresses are accepted?',
    sentence: 'Request: instructorEmail (string, e-mail address), instructorName (string).',
    section: 'Endpoints',
    options: {
      ascii:
        "ASCII addresses of any length: letters, digits and !#$%&'*+/=?^_`{|}~- with single dots in between, then @ and a host name with at least one dot.",
      'ascii-limited': 'The same, but at most 64 characters before the @ and 254 in total.',
      international:
        'Also letters and digits of any script, and host names without a dot, such as localhost. At most 254 bytes in UTF-8.',
    },
    default: 'ascii',
    why: 'Validators of the JSON Schema format email accept these addresses.',
  },
  throttleReply: {
    question: 'What is the response to a call over the rate limit?',
    sentence: unshownLimitReply,
    section: 'Limits',
    options: {
      'http-429': 'HTTP 429.',
      'http-503': 'HTTP 503, as from some gateways.',
      'http-403': 'HTTP 403, as from some gateways.',
      'output-error': 'HTTP 200 with one error output per element.',
    },
    default: 'http-429',
    why: 'RFC 6585 defines 429 for this purpose.',
  },
  retryAfter: {
    question: 'How does the response to a throttled call state when to retry?',
    sentence: unshownLimitReply,
    section: 'Limits',
    options: {
      seconds: 'Retry-After in whole seconds.',
      'http-date': 'Retry-After as an HTTP date.',
      none: 'Not at all.',
    },
    default: 'seconds',
    why: 'The most common form of the header. Clients must also handle the other two.',
  },
  rateLimitHeaders: {
    question: 'Which headers state how much of the limit is left?',
    sentence: unshownLimitReply,
    section: 'Limits',
    options: {
      none: 'None.',
      ietf: 'RateLimit and RateLimit-Policy, as in the IETF draft.',
      ratelimit:
        'RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset (in seconds), from earlier versions of the draft.',
      'x-ratelimit': 'X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset (seconds).',
    },
    default: 'none',
    why: 'The specification shows no such header.',
  },
  rateLimitWindow: {
    question: 'When does the window of 1 minute start?',
    sentence: perMinute,
    section: 'Limits',
    options: {
      'fixed-from-first': 'With the first call; it ends 60 s later.',
      'fixed-aligned': 'With every full minute of the clock.',
      sliding: '60 s before each call.',
    },
    default: 'fixed-from-first',
    why: 'The most common implementation: a counter that expires a minute after its creation.',
  },
  rateLimitScope: {
    question: 'Which calls share a window?',
    sentence: perMinute,
    section: 'Limits',
    options: {
      'key-and-operation': 'Calls with the same key to the same operation.',
      'school-and-operation': 'Calls with any key of the same school to the same operation.',
      'address-and-operation': 'Calls from the same client address to the same operation, with any key.',
    },
    default: 'key-and-operation',
    why: 'The limits are given per endpoint, and the key identifies the caller.',
  },
  rateLimitUnit: {
    question: 'What does the limit count?',
    sentence: 'Maximum requests per window',
    section: 'Limits',
    options: {
      request: 'Calls, regardless of their number of elements.',
      element: 'Elements of the batch.',
    },
    default: 'request',
    why: 'The table says requests.',
  },
  refusedCallsCount: {
    question: 'Do throttled calls count toward the limit?',
    sentence: unshownLimitReply,
    section: 'Limits',
    options: {
      no: 'No; a client that keeps retrying succeeds as soon as the window has room.',
      yes: 'Yes; a client that keeps retrying uses up the limit by its retries, and with a sliding window never succeeds.',
    },
    default: 'no',
    why: 'The more lenient reading. `yes` matches a strict gateway, which punishes constant retries.',
  },
  processedMp4RateLimit: {
    question: 'How many calls per minute does get-live-event-session-processed-mp4 allow?',
    sentence: '| get-live-event-session-processed-mp4 | not shown |',
    section: 'Limits',
    options: { '60': '60 calls.', '15': '15 calls.', none: 'No limit.' },
    default: '60',
    why: 'Most other operations have a limit of 60.',
  },
  firstPageNumber: {
    question: 'What is the number of the first page?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: { '1': 'One.', '0': 'Zero.' },
    default: '1',
    why: 'The field is called a page number, not an index.',
  },
  videoPageSize: {
    question: 'How many videos does a page of the video library have?',
    sentence: unshownSizes,
    section: 'Limits',
    options: { '20': '20.', '10': '10.', '50': '50.', '100': '100.' },
    default: '20',
    why: 'A common size; the response states it in pageSize.',
  },
  presetPageSize: {
    question: 'How many permission presets does a page have if the request has no limit?',
    sentence: unshownSizes,
    section: 'Limits',
    options: { '20': '20.', '10': '10.', '5': '5.' },
    default: '20',
    why: 'The same as for videos.',
  },
  pageOutOfRange: {
    question: 'What is the response to a page number before the first or after the last page?',
    sentence: unshownSizes,
    section: 'Limits',
    options: {
      'empty-list': 'An empty page with the true totals.',
      'element-error': 'An error output.',
    },
    default: 'empty-list',
    why: 'It ends the loop of a client that reads pages until one is empty.',
  },
  fractionalLimit: {
    question: 'What does a limit of 2.5 mean?',
    sentence: presetRequest,
    section: 'Endpoints',
    options: {
      floor: 'Two.',
      round: 'Three.',
      refuse: 'An error output.',
    },
    default: 'floor',
    why: 'The client never gets more than it asked for.',
  },
  limitBelowOne: {
    question: 'What is the response to a limit below one?',
    sentence: presetRequest,
    section: 'Endpoints',
    options: {
      'element-error': 'An error output.',
      'default-page-size': 'A page of the default size.',
    },
    default: 'element-error',
    why: 'A request for an empty page is probably a mistake.',
  },
  filterMatching: {
    question: 'How does filterTerm match a video title?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      'substring-ignoring-case': 'Anywhere in the title, ignoring case.',
      substring: 'Anywhere in the title, matching case.',
      prefix: 'At the start of the title, ignoring case.',
    },
    default: 'substring-ignoring-case',
    why: 'People expect this of a search field.',
  },
  folderMatching: {
    question: 'Does a folder include the videos of its subfolders?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      exact: 'No.',
      recursive: 'Yes, at every depth.',
    },
    default: 'exact',
    why: 'Most programs show folders this way; absoluteFolderPaths lists the subfolders.',
  },
  omittedFolderPath: {
    question: 'Which videos are searched if folderPath is missing or empty?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      'whole-library': 'All videos of the school.',
      'root-folder': 'Those in the folder /.',
    },
    default: 'whole-library',
    why: 'Without a filter, nothing is filtered out.',
  },
  unknownFolder: {
    question: 'What is the response to a folderPath that does not exist?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      'element-error': 'An error output.',
      'empty-list': 'A page without videos.',
    },
    default: 'element-error',
    why: 'The path is probably misspelled, and an empty page would hide that.',
  },
  folderListing: {
    question: 'Which folders are in absoluteFolderPaths?',
    sentence: 'absoluteFolderPaths (array of strings).',
    section: 'Endpoints',
    options: {
      'direct-subfolders': 'The direct subfolders of the requested folder (default: the root).',
      'all-folders': "All of the school's folders.",
    },
    default: 'direct-subfolders',
    why: 'A client needs these to traverse the library.',
  },
  filteredFolders: {
    question: 'Does filterTerm narrow absoluteFolderPaths?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      all: 'No. filterTerm does not change the folders.',
      'with-matches': 'Yes. Only folders with a matching video in them or below them are listed.',
    },
    default: 'all',
    why: 'A client can still browse the whole library while it searches.',
  },
  listOrder: {
    question: 'In which order are records and folders listed?',
    sentence: "Returns all live events of the caller's school.",
    section: 'Endpoints',
    options: {
      added: 'Records in the order in which they were added; folders by name.',
      reversed: 'The reverse: the newest record first; folders by descending name.',
      shuffled: 'An arbitrary order, the same in every call.',
    },
    default: 'added',
    why: 'New records do not change earlier pages. The other options reveal clients that rely on an order.',
  },
  responseFields: {
    question: 'Which fields does a record in a response have?',
    sentence: unshownRequired,
    section: 'Endpoints',
    options: {
      all: 'All fields, including empty ones.',
      'not-null': 'Fields that are not null.',
      'not-empty': 'Fields that are not null, an empty string or an empty list.',
    },
    default: 'all',
    why: 'In the specification, missing explanations and descriptions are null.',
  },
  omittedUpdateFields: {
    question: 'What does an update do to fields that are not sent?',
    sentence: 'Updates an existing coupon.',
    section: 'Endpoints',
    options: {
      keep: 'They keep their values.',
      clear: 'They are removed.',
    },
    default: 'keep',
    why: 'No data is lost.',
  },
  partialCouponTypeData: {
    question: 'What happens to the fields of couponTypeData that an update does not send?',
    sentence: 'Updates an existing coupon.',
    section: 'Endpoints',
    options: {
      merge: 'They keep their values if the type stays the same.',
      replace: 'They are removed.',
    },
    default: 'merge',
    why: 'The update loses no data. Other fields of the coupon behave the same way.',
  },
  couponTypes: {
    question: 'Which coupon types are accepted?',
    sentence: 'Other coupon types: not shown.',
    section: 'Resources and their fields',
    options: {
      'percent-off-only': 'percent-off; any other type returns an error output.',
      any: 'Any. Data of other types, or without a type once the update is applied, is stored as sent, with all its fields. A percentOff in it must still be a number that percentOffRange allows.',
    },
    default: 'percent-off-only',
    why: 'The specification shows no other value.',
  },
  percentOffRange: {
    question: 'Which values can percentOff have?',
    sentence: '`type` is the string `percent-off` and `percentOff` is a number.',
    section: 'Resources and their fields',
    options: {
      '0-to-100': '0 to 100; any other value returns an error output.',
      any: 'Any number.',
    },
    default: '0-to-100',
    why: 'No other value makes sense as a discount in percent.',
  },
  redemptionsRange: {
    question: 'Which values can numberOfRedemptionsAllowed have?',
    sentence: '| numberOfRedemptionsAllowed | integer | |',
    section: 'Resources and their fields',
    options: {
      'zero-or-more': '0 or more; any other value returns an error output.',
      any: 'Any integer.',
    },
    default: 'zero-or-more',
    why: 'A coupon cannot be redeemed a negative number of times.',
  },
  labTestCaseShape: {
    question: 'Which elements can the list testCases have?',
    sentence: 'array; the element shape is not shown.',
    section: 'Resources and their fields',
    options: {
      any: 'Anything; it is stored as sent.',
      objects: 'Objects; anything else returns an error output.',
    },
    default: 'any',
    why: 'The shape is not shown.',
  },
  courseIdentifierTypes: {
    question: 'Which types of courseIdentifier are accepted?',
    sentence: 'the value `product-id` is the one that occurs; other identifier types are not shown',
    section: 'Endpoints',
    options: {
      'product-id-only': 'product-id (or none); any other type returns an error output.',
      'any-with-product-id': 'Any, if digitalProductId identifies a product.',
    },
    default: 'product-id-only',
    why: 'The specification shows no other value.',
  },
  submittedItemTypes: {
    question: 'Which values of details.courseItemType are accepted?',
    sentence: submitRule,
    section: 'Endpoints',
    options: {
      'quiz-only': 'Quiz (or none); any other value returns an error output.',
      any: 'Any.',
    },
    default: 'quiz-only',
    why: 'The specification shows no other value.',
  },
  unknownUser: {
    question: 'What happens to answers of a user who does not exist in the school?',
    sentence: "submit a user's course-item answers;",
    section: 'What the service does',
    options: {
      create: 'The user is created from userId and userEmail, and the answers are stored.',
      'element-error': 'An error output.',
    },
    default: 'create',
    why: "The request contains the user's e-mail address. The service needs it only to create the user.",
  },
  emailOfKnownUser: {
    question: 'What happens if userEmail differs from the stored address of the user?',
    sentence: '| userEmail | string (e-mail address) | |',
    section: 'Endpoints',
    options: {
      keep: 'The stored address is kept.',
      update: 'The new address is stored.',
      'element-error': 'An error output.',
    },
    default: 'keep',
    why: 'Submitting answers should not update a user profile.',
  },
  answersOutsideQuiz: {
    question: 'What happens to answers whose question or options do not belong to the quiz?',
    sentence: submitRule,
    section: 'Endpoints',
    options: {
      'element-error': 'An error output. Nothing from the element is stored.',
      ignore: 'They are ignored; the others are stored.',
      store: 'They are stored as sent.',
    },
    default: 'element-error',
    why: 'This reveals mixed-up identifiers at once.',
  },
  omittedSelection: {
    question: 'What happens to an answer without newSelectedOptionIds?',
    sentence: submitRule,
    section: 'Endpoints',
    options: {
      'element-error': 'An error output. Nothing from the element is stored.',
      'no-option': 'The answer is stored with no option selected, and replaces an earlier one.',
    },
    default: 'element-error',
    why: 'Otherwise a misspelled field would erase an earlier answer.',
  },
  emptySelection: {
    question: 'What happens to an answer whose newSelectedOptionIds is empty?',
    sentence: submitRule,
    section: 'Endpoints',
    options: {
      'no-option': 'The answer is stored with no option selected, and replaces an earlier one.',
      'element-error': 'An error output. Nothing from the element is stored.',
    },
    default: 'no-option',
    why: 'It is the only way to clear an answer.',
  },
  repeatedOption: {
    question: 'What happens to an answer that selects the same option twice?',
    sentence: submitRule,
    section: 'Endpoints',
    options: {
      store: 'It is stored as sent. The option counts once.',
      'element-error': 'An error output. Nothing from the element is stored.',
    },
    default: 'store',
    why: 'The selection is unambiguous.',
  },
  repeatedQuestion: {
    question: 'What happens if a call has several answers to the same question?',
    sentence: submitRule,
    section: 'Endpoints',
    options: {
      'last-answer': 'The last one is stored.',
      'element-error': 'An error output. Nothing from the element is stored.',
    },
    default: 'last-answer',
    why: 'An upsert replaces an earlier answer, even one in the same call.',
  },
  severalAnswersToSingleCorrect: {
    question: 'What happens if several options are selected for a SingleCorrect question?',
    sentence: 'enum: `MultiCorrect`, `SingleCorrect`',
    section: 'Resources and their fields',
    options: {
      'element-error': 'An error output. Nothing from the element is stored.',
      store: 'They are stored as sent.',
    },
    default: 'element-error',
    why: 'The question type means that one option is correct.',
  },
  resubmission: {
    question: 'What happens to answers for a course item that the user has completed?',
    sentence: '| shouldMarkAsCompleted | boolean | |',
    section: 'Endpoints',
    options: {
      replace: 'They replace the earlier answers, question by question.',
      'refuse-after-completion': 'An error output.',
    },
    default: 'replace',
    why: 'The field is called questionsToUpsert.',
  },
  withdrawnCompletion: {
    question:
      'What happens to a completed course item if new answers are accepted with shouldMarkAsCompleted: false?',
    sentence: '| shouldMarkAsCompleted | boolean | |',
    section: 'Endpoints',
    options: {
      ignore: 'It stays completed.',
      withdraw: 'It is no longer completed.',
    },
    default: 'ignore',
    why: 'The field says whether to mark the item, not whether it is completed.',
  },
  emailMatching: {
    question: 'When are two e-mail addresses of instructors the same?',
    sentence: 'The operation is idempotent: repeating it with the same e-mail creates no duplicate account.',
    section: 'Endpoints',
    options: {
      'ignore-case': 'If they are identical except for case.',
      exact: 'If they are identical.',
    },
    default: 'ignore-case',
    why: 'Mail servers ignore case in practice, and no duplicates are created by accident.',
  },
  emptyInstructorName: {
    question: "Can an instructor's name be empty or blank?",
    sentence: 'Request: instructorEmail (string, e-mail address), instructorName (string).',
    section: 'Endpoints',
    options: {
      'element-error': 'No; the output is an error.',
      store: 'Yes; it is stored as sent.',
    },
    default: 'element-error',
    why: 'An instructor without a name is probably a mistake.',
  },
  omittedInstructorName: {
    question: 'What is the name of an instructor who is created without a name?',
    sentence: unshownRequired,
    section: 'Endpoints',
    options: {
      'local-part': 'The part of the e-mail address before the @.',
      empty: 'An empty string.',
      'element-error': 'None: the output is an error, and no instructor is created.',
    },
    default: 'local-part',
    why: 'Lists of instructors show names, and no other name is known.',
  },
  existingInstructorName: {
    question: 'What happens to the name of an instructor who already exists?',
    sentence:
      "When the instructor already exists, the instructor is added to the caller's school if not already associated with it.",
    section: 'Endpoints',
    options: {
      keep: 'It is kept.',
      overwrite: 'It is replaced by the name that was sent.',
    },
    default: 'keep',
    why: 'The rule states only one effect: the instructor is added to the school.',
  },
  instructorTimestampFormat: {
    question: 'Which format do the timestamps of instructors have?',
    sentence: '| createdAt | string (format not stated) |',
    section: 'Resources and their fields',
    options: {
      'iso-8601': '2026-02-11T09:30:00.000Z',
      'epoch-milliseconds': '1770802200000, as a string.',
      'rfc-1123': 'Wed, 11 Feb 2026 09:30:00 GMT',
    },
    default: 'iso-8601',
    why: 'Timestamps are ISO 8601 unless stated otherwise.',
  },
  permissionShape: {
    question: 'What are the elements of permissions?',
    sentence: 'each has `permissions` (array; element shape not shown)',
    section: 'Resources and their fields',
    options: {
      strings: 'Strings such as "courses:read".',
      objects: 'Objects such as { "resource": "courses", "action": "read" }.',
    },
    default: 'strings',
    why: 'The simplest shape.',
  },
  openValues: {
    question:
      'Which values occur in status and type fields for which the specification does not list all values?',
    sentence: 'The full sets of states are not listed.',
    section: 'States and transitions',
    options: {
      'shown-only': 'Only the value that the specification shows.',
      plausible: 'The values in the data, which a real service might also return.',
    },
    default: 'shown-only',
    why: 'Responses then contain only values that the specification shows. `plausible` finds clients that accept only known values.',
  },
  unendedSessionEnd: {
    question: 'What is the endedAtIso of a session that has not ended?',
    sentence: '| endedAtIso | string, date-time | |',
    section: 'Resources and their fields',
    options: {
      omitted: 'The field is left out.',
      null: 'null.',
      'scheduled-end': 'The scheduled start plus the scheduled duration.',
    },
    default: 'omitted',
    why: 'The field is a date-time that cannot be null, and no date is known yet.',
  },
  unfinishedSession: {
    question:
      'What is the response to a request for the recording of a session that has not ended or was not recorded?',
    sentence: 'obtain playback or download data for live-event sessions.',
    section: 'What the service does',
    options: {
      'element-error': 'An error output.',
      'empty-sources': 'No playback sources, and an empty downloadUrl.',
    },
    default: 'element-error',
    why: 'There is nothing to play.',
  },
  signedUrlLifetime: {
    question: 'How long is a signed URL valid?',
    sentence:
      'The data supports manual playback: a playlist location, a decryption key and signature query parameters.',
    section: 'Endpoints',
    options: { '1h': 'One hour.', '5m': 'Five minutes.', '15s': '15 seconds.' },
    default: '1h',
    why: 'Long enough to watch a recording. The shorter options show whether a client requests a new URL.',
  },
  signatureQueryForm: {
    question: 'How does urlSearchParamString begin?',
    sentence: '| urlSearchParamString | string |',
    section: 'Resources and their fields',
    options: {
      'question-mark': 'With a question mark: `?expires=…`.',
      bare: 'With the first parameter: `expires=…`.',
    },
    default: 'question-mark',
    why: 'A client can join the fields into a URL without changes.',
  },
  playlistPathForm: {
    question: 'How does masterM3u8Pathname begin?',
    sentence: '| masterM3u8Pathname | string |',
    section: 'Resources and their fields',
    options: {
      slash: 'With a slash: `/media/…`.',
      bare: 'Without a slash: `media/…`.',
    },
    default: 'slash',
    why: 'A client can join the fields into a URL without changes.',
  },
  playlistUrls: {
    question: 'Do the URLs in a playlist contain the signature?',
    sentence:
      'The data supports manual playback: a playlist location, a decryption key and signature query parameters.',
    section: 'Endpoints',
    options: {
      bare: 'The player appends the query to every URL.',
      signed: 'The server appends the query to every URL, so that any player can play them.',
    },
    default: 'bare',
    why: '"Manual playback" with separate query parameters means that the player appends them.',
  },
} as const satisfies Record<string, Assumption>;

export type AssumptionName = keyof typeof assumptions;
/** The options of one assumption. */
export type OptionOf<N extends AssumptionName> = keyof (typeof assumptions)[N]['options'] & string;
/** One option for each assumption. */
export type Options = { readonly [N in AssumptionName]: OptionOf<N> };
export type PartialOptions = { readonly [N in AssumptionName]?: OptionOf<N> };

export const assumptionNames = keysOf(assumptions);

/** The setting with the text of the option `template`, by assumption. */
export const templateSettings = {
  refusalBody: 'refusalTemplate',
  gatewayRefusalBody: 'gatewayTemplate',
} as const satisfies { readonly [N in AssumptionName]?: string };

export type TemplateSetting = (typeof templateSettings)[keyof typeof templateSettings];

/** Named sets of options. `strict` is the most restrictive, but does not cover other kinds of responses. */
export const profiles = {
  conventional: {},
  'always-200': {
    missingKey: 'output-error',
    invalidKey: 'output-error',
    malformedBody: 'output-error',
    throttleReply: 'output-error',
  },
  'problem-json': {
    refusalBody: 'problem-json',
    operationFailureStatus: 'by-kind',
    operationFailureBody: 'as-refusals',
  },
  gateway: {
    gatewayRefusalBody: 'html',
    retryAfter: 'none',
    throttleReply: 'http-503',
    missingKey: 'http-403',
    invalidKey: 'http-403',
  },
  strict: {
    rateLimitWindow: 'sliding',
    refusedCallsCount: 'yes',
    requiredFields: 'all',
    unknownFields: 'refuse',
    emptyBatch: 'refuse',
    fractionalLimit: 'refuse',
    labTestCaseShape: 'objects',
    pageOutOfRange: 'element-error',
    unknownUser: 'element-error',
    emailOfKnownUser: 'element-error',
    resubmission: 'refuse-after-completion',
    emptySelection: 'element-error',
    repeatedOption: 'element-error',
    repeatedQuestion: 'element-error',
    omittedInstructorName: 'element-error',
    emailFormat: 'ascii-limited',
    maxBatchSize: '25',
    maxPayload: '100kb',
    rateLimitUnit: 'element',
    rateLimitScope: 'school-and-operation',
    processedMp4RateLimit: '15',
    signedUrlLifetime: '15s',
  },
} as const satisfies Record<string, PartialOptions>;

export type ProfileName = keyof typeof profiles;
export const profileNames = keysOf(profiles);

/** Returns options by the names of their assumptions. Each must be an option of its assumption. */
export function optionsFrom(
  chosen: Iterable<readonly [name: AssumptionName, option: string]>,
): PartialOptions {
  return Object.fromEntries(chosen);
}

/** Returns the defaults, overridden by a profile, then by single options. */
export function chooseOptions(profile: ProfileName = 'conventional', chosen: PartialOptions = {}): Options {
  const defaults = Object.fromEntries(assumptionNames.map((name) => [name, assumptions[name].default]));
  // Cast: a test ensures that each default is an option of its assumption, which Object.fromEntries cannot
  // express.
  return { ...defaults, ...profiles[profile], ...chosen } as Options;
}
