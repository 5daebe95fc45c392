/**
 * Every point that the specification leaves open, as a named switch: the specification's own sentence that leaves it open
 * (or implies it), the question in plain words, the options with what each does, the default and why it is the default.
 *
 * An assumption is asked in exactly one file of `src/`; whoever asks it notes it on the reply (`Sandbox-Assumed`).
 * The README's table and the tests are made from this list.
 */

/** One open point. `options` maps each option's name to what the sandbox does under it. */
export interface Assumption {
  readonly question: string;
  /** Word for word from docs/specification.md. */
  readonly sentence: string;
  /** The section of the specification that the sentence stands in. */
  readonly section: string;
  readonly options: Readonly<Record<string, string>>;
  readonly default: string;
  readonly why: string;
}

const unshownErrors = 'HTTP status codes for failures: not shown. Only 200 is shown.';
const unshownMessages = 'The list of error messages or codes: not shown.';
const unshownLimitReply = 'The response when a rate limit is exceeded: not shown.';
const unshownSizes = 'Size limits (batch size of the `data` array, page size, payload size): not shown.';
const unshownKeyBehaviour = 'Behavior on a missing or invalid key, and how keys are issued or rotated: not shown.';
const unshownRequired = 'Which request and response fields are required, except where stated, is not shown.';
const unshownBatch =
  'Whether every element of the outer `data` array is processed and how the output array corresponds to it is not shown.';
const perMinute = 'Rate limits per endpoint, each over a window of 1 minute:';
const videoRequest = 'Request: filterTerm (string, search filter), pageNumber (integer), folderPath (string).';
const presetRequest = 'Request: pageNumber (integer), limit (a number; the sample is not an integer).';
const submitRule =
  '`courseItemType` (string; `Quiz` is the value that occurs) and `questionsToUpsert` (array of objects with `questionUniqueId` string and `newSelectedOptionIds` array of strings)';

export const assumptions = {
  missingKey: {
    question: 'What answers a call without an API key?',
    sentence: unshownKeyBehaviour,
    section: 'Authentication',
    options: {
      'http-401': 'HTTP 401 with a refusal body.',
      'http-403': 'HTTP 403 with a refusal body.',
      'output-error': 'HTTP 200 with one error output per element (one where the body cannot be read).',
    },
    default: 'http-401',
    why: 'It is what most gateways answer, and clients of such envelopes throw on any status outside 2xx.',
  },
  invalidKey: {
    question: 'What answers a call with a key that names no school?',
    sentence: unshownKeyBehaviour,
    section: 'Authentication',
    options: {
      'http-401': 'HTTP 401 with a refusal body.',
      'http-403': 'HTTP 403 with a refusal body.',
      'output-error': 'HTTP 200 with one error output per element (one where the body cannot be read).',
    },
    default: 'http-401',
    why: 'The same as for a missing key, so that nobody can probe which keys exist.',
  },
  refusalBody: {
    question: 'What body does a call carry that was turned away before its operation ran?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      envelope: 'The response envelope with one error output.',
      'problem-json': 'An RFC 9457 problem document.',
      'plain-text': 'One line of plain text.',
      html: 'A small HTML page, as gateways send.',
      empty: 'No body.',
    },
    default: 'envelope',
    why: 'A client that reads `[0].output.errorMessage` then finds the explanation where it looks.',
  },
  operationFailureStatus: {
    question: 'Which HTTP status carries the failure of an operation?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'always-200': 'HTTP 200, as for success.',
      'by-kind': 'A call of one element answers 404, 409 or 422 by the kind of failure; a call of several answers 200.',
    },
    default: 'always-200',
    why: 'The specification puts failures inside the body, and 200 is the only status that it shows.',
  },
  failureMessages: {
    question: 'How much does an error message tell?',
    sentence: unshownMessages,
    section: 'Errors',
    options: {
      descriptive: 'What was asked, what is wrong, where, and what to do.',
      generic: 'A few words per kind of failure, as terse services answer.',
    },
    default: 'descriptive',
    why: 'A sandbox exists to explain mistakes; `generic` shows whether a client parses our prose.',
  },
  malformedBody: {
    question: 'What answers a body that is not the request envelope (not JSON, no data array, an element without a data object)?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'http-400': 'HTTP 400 (413 where it is too large, 415 where it is declared as something else than JSON).',
      'http-422': 'HTTP 422 (413 and 415 as above).',
      'output-error': 'HTTP 200 with one error output.',
    },
    default: 'http-400',
    why: 'Nothing can be aligned with a batch that cannot be read.',
  },
  invalidParameters: {
    question: 'What answers an element whose parameters do not fit the contract?',
    sentence: unshownErrors,
    section: 'Errors',
    options: {
      'element-error': 'That element fails in its own output; the others run.',
      'http-400': 'The whole call is refused with HTTP 400; nothing runs.',
      'http-422': 'The whole call is refused with HTTP 422; nothing runs.',
    },
    default: 'element-error',
    why: 'The envelope reports failures by element.',
  },
  unknownId: {
    question: 'What answers an identifier that names no record of the school?',
    sentence: unshownMessages,
    section: 'Errors',
    options: {
      'element-error': 'That element fails in its own output.',
      'http-404': 'The whole call is refused with HTTP 404, and nothing of it takes effect.',
      synthesise: 'It gets a believable record, always the same one; what is written to it is remembered.',
    },
    default: 'element-error',
    why: "The envelope reports failures by element. Another school's record always answers as one that does not exist.",
  },
  batchProcessing: {
    question: 'Which elements of a batch are processed?',
    sentence: unshownBatch,
    section: 'Endpoints',
    options: {
      'each-in-order': 'All, in order; output i answers element i.',
      'first-only': 'The first; the others are ignored, and there is one output.',
      'stop-at-first-error': 'In order until one fails; the outputs end with that failure.',
      'all-or-nothing': 'All; where one fails nothing takes effect, and every output is an error.',
    },
    default: 'each-in-order',
    why: 'Both envelopes are arrays, and an output per element is the only reading that uses both.',
  },
  emptyBatch: {
    question: 'What answers an empty data array?',
    sentence: unshownBatch,
    section: 'Endpoints',
    options: {
      'empty-array': 'HTTP 200 with an empty array.',
      refuse: 'It is refused like a malformed body.',
    },
    default: 'empty-array',
    why: 'No elements in, no outputs out.',
  },
  maxBatchSize: {
    question: 'How many elements may one call carry?',
    sentence: unshownSizes,
    section: 'Limits',
    options: {
      none: 'Any number that fits into the payload.',
      '1': 'One; more are refused like a malformed body.',
      '25': 'Up to 25; more are refused like a malformed body.',
      '100': 'Up to 100; more are refused like a malformed body.',
    },
    default: 'none',
    why: 'No limit is given.',
  },
  maxPayload: {
    question: 'How large may a request body be?',
    sentence: unshownSizes,
    section: 'Limits',
    options: {
      '1mb': 'Up to 1,048,576 bytes.',
      '100kb': 'Up to 102,400 bytes.',
      '10mb': 'Up to 10,485,760 bytes.',
    },
    default: '1mb',
    why: 'A common default of gateways, and far above what the operations need.',
  },
  requiredFields: {
    question: 'Which parameters are required?',
    sentence: unshownRequired,
    section: 'Endpoints',
    options: {
      identifiers: 'Those that name the records acted on.',
      'stated-only': 'Only what the specification states: quizId.',
      all: 'Every field of the request tables.',
    },
    default: 'identifiers',
    why: 'An operation cannot act without knowing on what; everything else has a sensible reading when absent.',
  },
  unknownFields: {
    question: 'What happens to parameters that the specification does not list?',
    sentence: unshownRequired,
    section: 'Endpoints',
    options: {
      ignore: 'They are ignored.',
      refuse: 'They make the parameters invalid.',
    },
    default: 'ignore',
    why: 'JSON services are usually lenient; `refuse` finds misspelt optional fields.',
  },
  throttleReply: {
    question: 'What answers a call over the rate limit?',
    sentence: unshownLimitReply,
    section: 'Limits',
    options: {
      'http-429': 'HTTP 429.',
      'http-503': 'HTTP 503, as some gateways do.',
      'http-403': 'HTTP 403, as some gateways do.',
      'output-error': 'HTTP 200 with one error output per element.',
    },
    default: 'http-429',
    why: 'RFC 6585 made 429 for this.',
  },
  retryAfter: {
    question: 'How does a throttled reply say when to come back?',
    sentence: unshownLimitReply,
    section: 'Limits',
    options: {
      seconds: 'Retry-After in whole seconds.',
      'http-date': 'Retry-After as an HTTP date.',
      none: 'Not at all.',
    },
    default: 'seconds',
    why: 'The usual form of the header; clients must survive the other two.',
  },
  rateLimitHeaders: {
    question: 'Do replies tell how much of the limit is left?',
    sentence: unshownLimitReply,
    section: 'Limits',
    options: {
      none: 'No.',
      ietf: 'RateLimit and RateLimit-Policy, as in the IETF draft.',
      'x-ratelimit': 'X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset (seconds).',
    },
    default: 'none',
    why: 'The specification shows no such header.',
  },
  rateLimitWindow: {
    question: 'How does the window of 1 minute move?',
    sentence: perMinute,
    section: 'Limits',
    options: {
      'fixed-from-first': 'It starts with the first call and ends 60 s later.',
      'fixed-aligned': 'It is the minute of the clock.',
      sliding: 'It is always the last 60 s.',
    },
    default: 'fixed-from-first',
    why: 'The most common counter: a key that expires a minute after it was made.',
  },
  rateLimitScope: {
    question: 'Who shares one window?',
    sentence: perMinute,
    section: 'Limits',
    options: {
      'key-and-operation': 'The calls of one key to one operation.',
      'school-and-operation': 'The calls of all keys of a school to one operation.',
      'address-and-operation': 'The calls of one client address to one operation, whatever the key.',
    },
    default: 'key-and-operation',
    why: 'The limits are given per endpoint, and the key is what identifies a caller.',
  },
  rateLimitUnit: {
    question: 'What does the limit count?',
    sentence: 'Maximum requests per window',
    section: 'Limits',
    options: {
      request: 'Calls, however many elements they carry.',
      element: 'Elements of the batch.',
    },
    default: 'request',
    why: 'The table says requests.',
  },
  refusedCallsCount: {
    question: 'Do throttled calls use up the limit themselves?',
    sentence: unshownLimitReply,
    section: 'Limits',
    options: {
      no: 'No; a client that keeps trying gets through when the window moves.',
      yes: 'Yes; a client that keeps trying uses up what is left, and under a sliding window keeps itself out.',
    },
    default: 'no',
    why: 'The kinder reading; `yes` is what a strict gateway does, and it punishes hammering.',
  },
  processedMp4RateLimit: {
    question: 'What is the limit of get-live-event-session-processed-mp4, per minute?',
    sentence: '| get-live-event-session-processed-mp4 | not shown |',
    section: 'Limits',
    options: { '60': '60 calls.', '15': '15 calls.', none: 'No limit.' },
    default: '60',
    why: 'Ten of the twelve other operations have 60.',
  },
  firstPageNumber: {
    question: 'What number has the first page?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: { '1': 'One.', '0': 'Zero.' },
    default: '1',
    why: 'The field is called a page number, not an index.',
  },
  videoPageSize: {
    question: 'How many videos has a page of the video library?',
    sentence: unshownSizes,
    section: 'Limits',
    options: { '20': '20.', '10': '10.', '50': '50.', '100': '100.' },
    default: '20',
    why: 'A common size; the reply tells it in pageSize.',
  },
  presetPageSize: {
    question: 'How many permission presets has a page when no limit is sent?',
    sentence: unshownSizes,
    section: 'Limits',
    options: { '20': '20.', '10': '10.', '5': '5.' },
    default: '20',
    why: 'The same as for videos.',
  },
  pageOutOfRange: {
    question: 'What answers a page number before the first or after the last page?',
    sentence: unshownSizes,
    section: 'Limits',
    options: {
      'empty-list': 'An empty page with the true totals.',
      'element-error': 'An error output.',
    },
    default: 'empty-list',
    why: 'A client that pages until a page is empty then stops.',
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
    why: 'Never more than was asked for.',
  },
  limitBelowOne: {
    question: 'What answers a limit below one?',
    sentence: presetRequest,
    section: 'Endpoints',
    options: {
      'element-error': 'An error output.',
      'default-page-size': 'A page of the size used when no limit is sent.',
    },
    default: 'element-error',
    why: 'A page of nothing is most likely a mistake of the caller.',
  },
  filterMatching: {
    question: 'How does filterTerm match a video title?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      'substring-ignoring-case': 'Anywhere in the title, upper and lower case alike.',
      substring: 'Anywhere in the title, to the letter.',
      prefix: 'At the start of the title, upper and lower case alike.',
    },
    default: 'substring-ignoring-case',
    why: 'What people expect of a search field.',
  },
  folderMatching: {
    question: 'Does a folder include the videos of its subfolders?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      exact: 'No, only its own.',
      recursive: 'Yes, all below it.',
    },
    default: 'exact',
    why: 'As folders are shown everywhere; absoluteFolderPaths leads on to the subfolders.',
  },
  omittedFolderPath: {
    question: 'Which videos are searched when no folderPath is sent, or an empty one?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      'whole-library': 'All videos of the school.',
      'root-folder': 'Those of the folder /.',
    },
    default: 'whole-library',
    why: 'Leaving a filter out filters nothing.',
  },
  unknownFolder: {
    question: 'What answers a folderPath that does not exist?',
    sentence: videoRequest,
    section: 'Endpoints',
    options: {
      'element-error': 'An error output.',
      'empty-list': 'A page without videos.',
    },
    default: 'element-error',
    why: 'A folder that is not there is most likely misspelt, and an empty page would hide it.',
  },
  folderListing: {
    question: 'Which folders are in absoluteFolderPaths?',
    sentence: 'absoluteFolderPaths (array of strings).',
    section: 'Endpoints',
    options: {
      'direct-subfolders': 'Those directly in the folder asked for (the root, where none was).',
      'all-folders': "All of the school's folders.",
    },
    default: 'direct-subfolders',
    why: 'It is what a client needs to walk the library.',
  },
  omittedUpdateFields: {
    question: 'What does an update do to fields that were not sent?',
    sentence: 'Updates an existing coupon.',
    section: 'Endpoints',
    options: {
      keep: 'They keep their values.',
      clear: 'They are removed.',
    },
    default: 'keep',
    why: 'It loses nothing.',
  },
  couponTypes: {
    question: 'Which coupon types are accepted?',
    sentence: 'Other coupon types: not shown.',
    section: 'Resources and their fields',
    options: {
      'percent-off-only': 'percent-off; another is an error output.',
      any: 'Any; data of other types is kept as sent.',
    },
    default: 'percent-off-only',
    why: 'The only one that the specification shows.',
  },
  percentOffRange: {
    question: 'Which values may percentOff have?',
    sentence: '`type` is the string `percent-off` and `percentOff` is a number.',
    section: 'Resources and their fields',
    options: {
      '0-to-100': '0 to 100; another is an error output.',
      any: 'Any number.',
    },
    default: '0-to-100',
    why: 'Nothing else makes sense as a percentage off a price.',
  },
  labTestCaseShape: {
    question: 'What may be in the list testCases?',
    sentence: 'array; the element shape is not shown.',
    section: 'Resources and their fields',
    options: {
      any: 'Anything; it is kept as sent.',
      objects: 'Objects; anything else is an error output.',
    },
    default: 'any',
    why: 'The shape is not shown.',
  },
  courseIdentifierTypes: {
    question: 'Which types of courseIdentifier are accepted?',
    sentence: 'the value `product-id` is the one that occurs; other identifier types are not shown',
    section: 'Endpoints',
    options: {
      'product-id-only': 'product-id (or none sent); another is an error output.',
      'any-with-product-id': 'Any, as long as digitalProductId names a product.',
    },
    default: 'product-id-only',
    why: 'The only one that the specification shows.',
  },
  submittedItemTypes: {
    question: 'Which values of details.courseItemType are accepted?',
    sentence: submitRule,
    section: 'Endpoints',
    options: {
      'quiz-only': 'Quiz (or none sent); another is an error output.',
      any: 'Any.',
    },
    default: 'quiz-only',
    why: 'The only one that the specification shows.',
  },
  unknownUser: {
    question: 'What happens to answers of a user whom the school does not know?',
    sentence: "submit a user's course-item answers;",
    section: 'What the service does',
    options: {
      create: 'The user is made from userId and userEmail, and the answers are stored.',
      'element-error': 'An error output.',
    },
    default: 'create',
    why: "The request carries the user's e-mail address, which only a service that may have to make the user needs.",
  },
  emailOfKnownUser: {
    question: 'What happens when userEmail differs from the address that the known user has?',
    sentence: '| userEmail | string (e-mail address) | |',
    section: 'Endpoints',
    options: {
      keep: 'The known address stays.',
      update: 'The new address is stored.',
      'element-error': 'An error output.',
    },
    default: 'keep',
    why: 'Submitting answers is not an update of a profile.',
  },
  answersOutsideQuiz: {
    question: "What happens to answers whose question or options are not the quiz's own?",
    sentence: submitRule,
    section: 'Endpoints',
    options: {
      'element-error': 'An error output; nothing of the element is stored.',
      ignore: 'They are left out; the others are stored.',
      store: 'They are stored as sent.',
    },
    default: 'element-error',
    why: 'It finds mixed-up identifiers at once.',
  },
  severalAnswersToSingleCorrect: {
    question: 'What happens when several options are selected for a SingleCorrect question?',
    sentence: 'enum: `MultiCorrect`, `SingleCorrect`',
    section: 'Resources and their fields',
    options: {
      'element-error': 'An error output; nothing of the element is stored.',
      store: 'They are stored as sent.',
    },
    default: 'element-error',
    why: 'The type of the question says that one option is correct.',
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
  emailMatching: {
    question: 'When are two e-mail addresses of instructors the same?',
    sentence: 'The operation is idempotent: repeating it with the same e-mail creates no duplicate account.',
    section: 'Endpoints',
    options: {
      'ignore-case': 'When they differ at most in upper and lower case.',
      exact: 'When they are the same to the letter.',
    },
    default: 'ignore-case',
    why: 'It is how mail is delivered in practice, and it makes no accidental duplicates.',
  },
  emptyInstructorName: {
    question: 'May the name of an instructor be empty text?',
    sentence: 'Request: instructorEmail (string, e-mail address), instructorName (string).',
    section: 'Endpoints',
    options: {
      'element-error': 'No; an error output.',
      store: 'Yes; it is stored as sent.',
    },
    default: 'element-error',
    why: 'An instructor whom nobody can tell by name is most likely a mistake of the caller.',
  },
  existingInstructorName: {
    question: 'What happens to the name of an instructor who exists already?',
    sentence: "When the instructor already exists, the instructor is added to the caller's school if not already associated with it.",
    section: 'Endpoints',
    options: {
      keep: 'It stays.',
      overwrite: 'It becomes the name that was sent.',
    },
    default: 'keep',
    why: 'The rule names one effect only: joining the school.',
  },
  instructorTimestampFormat: {
    question: 'How are the timestamps of instructors written?',
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
    question: 'What are the members of permissions?',
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
    question: 'Which values have statuses and types whose full list is not given?',
    sentence: 'The full sets of states are not listed.',
    section: 'States and transitions',
    options: {
      'shown-only': 'Only the value that the specification shows.',
      plausible: 'Those of the data, which a real service might have too.',
    },
    default: 'shown-only',
    why: 'Nothing that the specification does not show; `plausible` tests for closed switches.',
  },
  unendedSessionEnd: {
    question: 'What is endedAtIso of a session that has not ended?',
    sentence: '| endedAtIso | string, date-time | |',
    section: 'Resources and their fields',
    options: {
      omitted: 'The field is left out.',
      'scheduled-end': 'The scheduled start plus the scheduled duration.',
    },
    default: 'omitted',
    why: 'The field is a date-time and not nullable, and there is none to tell.',
  },
  unfinishedSession: {
    question: 'What answers a request for the recording of a session that has not ended, or was never recorded?',
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
    question: 'How long is a signed URL good?',
    sentence: 'The data supports manual playback: a playlist location, a decryption key and signature query parameters.',
    section: 'Endpoints',
    options: { '1h': 'One hour.', '5m': 'Five minutes.', '15s': '15 seconds.' },
    default: '1h',
    why: 'Long enough to watch; the short ones show whether a client asks again.',
  },
  playlistUrls: {
    question: 'How do the names in a playlist get their signature?',
    sentence: 'The data supports manual playback: a playlist location, a decryption key and signature query parameters.',
    section: 'Endpoints',
    options: {
      bare: 'The player appends the query to every name itself.',
      signed: 'The server has written the query behind every name, so that any player just plays.',
    },
    default: 'bare',
    why: '"Manual playback" with query parameters handed out apart: the player is to append them.',
  },
} as const satisfies Record<string, Assumption>;

export type AssumptionName = keyof typeof assumptions;
/** The options of one assumption. */
export type OptionOf<N extends AssumptionName> = keyof (typeof assumptions)[N]['options'] & string;
/** An option for every assumption. */
export type Options = { readonly [N in AssumptionName]: OptionOf<N> };
export type PartialOptions = { readonly [N in AssumptionName]?: OptionOf<N> };

/** `Object.keys` of the list itself, so the names are exactly its keys. */
export const assumptionNames = Object.keys(assumptions) as AssumptionName[];

/** Named sets of options. A client that works under `strict` works under every looser reading. */
export const profiles = {
  conventional: {},
  'always-200': {
    missingKey: 'output-error',
    invalidKey: 'output-error',
    malformedBody: 'output-error',
    throttleReply: 'output-error',
  },
  'problem-json': { refusalBody: 'problem-json', operationFailureStatus: 'by-kind' },
  gateway: { refusalBody: 'html', retryAfter: 'none', throttleReply: 'http-503', missingKey: 'http-403', invalidKey: 'http-403' },
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
  },
} as const satisfies Record<string, PartialOptions>;

export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as ProfileName[];

/** The defaults, changed by a profile, changed by single options. */
export function chooseOptions(profile: ProfileName = 'conventional', chosen: PartialOptions = {}): Options {
  const defaults = Object.fromEntries(assumptionNames.map((name) => [name, assumptions[name].default]));
  // Each default is an option of its own assumption (a test holds it), which Object.fromEntries cannot express.
  return { ...defaults, ...profiles[profile], ...chosen } as Options;
}
