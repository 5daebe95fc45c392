// Generated from openapi/learning-platform.yaml by `npm run generate`.
export interface paths {
    readonly "/public/get-quiz-details": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get quiz details
         * @description Returns a quiz with its questions and their options. The options state which of them are correct, so do not pass the result to learners unchanged.
         */
        readonly post: operations["getQuizDetails"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/update-digital-product-coupon": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Update a digital product coupon
         * @description Updates an existing coupon; it does not create one. The specification does not state what happens to omitted fields. By default they keep their values.
         */
        readonly post: operations["updateDigitalProductCoupon"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/update-interactive-coding-lab": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Update an interactive coding lab
         * @description Updates an existing lab, as an alternative to editing it in the dashboard. The specification does not state what happens to omitted fields. By default they keep their values.
         */
        readonly post: operations["updateInteractiveCodingLab"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/submit-user-course-item": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit a user's answers to a course item
         * @description Submits a user's answers to a course item, and can mark the item as completed for this user. The specification shows only answers to quizzes.
         */
        readonly post: operations["submitUserCourseItem"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/create-instructor-account": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create an instructor account
         * @description Creates an instructor account in the caller's school. The operation is idempotent: repeating it with the same e-mail address creates no duplicate account. An existing instructor is added to the caller's school, unless already associated with it.
         */
        readonly post: operations["createInstructorAccount"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/get-video-library": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Search the video library
         * @description Returns one page of the matching videos in the school's library, with folders of the library. The specification does not state how the filter matches, whether a folder includes its subfolders, or the size of a page.
         */
        readonly post: operations["getVideoLibrary"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/get-signed-url-data-for-live-event-session-playback": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get signed URL data for a live event session
         * @description Returns the data for manual playback of a session: the location of a playlist, a decryption key and the query parameters with the signature. It is intended for advanced use only. In the sandbox, concatenate the origin, the pathname and the query to get the URL of a playable HLS playlist. Until it expires, the query is valid for every playlist, segment and key of the session. By default, playlists list URLs without the query, so the player appends it to each. The key is the AES-128 key of whole segments (`METHOD=AES-128`); the playlist also contains its URI.
         */
        readonly post: operations["getSignedUrlDataForLiveEventSessionPlayback"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/list-assignments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * List course assignments
         * @description Returns the assignments of a course, which is identified by its product.
         */
        readonly post: operations["listAssignments"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/get-course-item-data": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get the data of a course item
         * @description Returns a course item with its content, including drafts and unpublished items.
         */
        readonly post: operations["getCourseItemData"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/get-instructor-permission-presets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * List instructor permission presets
         * @description Returns one page of the permission presets for instructors.
         */
        readonly post: operations["getInstructorPermissionPresets"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/get-all-live-events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * List all live events
         * @description Returns all live events of the caller's school, with their sessions. It takes no parameters.
         */
        readonly post: operations["getAllLiveEvents"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/get-all-instructors": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * List all instructors
         * @description Returns all instructors of the caller's school. It takes no parameters.
         */
        readonly post: operations["getAllInstructors"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/get-live-event-session-processed-mp4": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get the processed MP4 of a live event session
         * @description Returns a URL to download the processed recording of a session as an MP4 file. In the sandbox, use it unchanged, including the signature, until it expires; `Range` requests are supported. The specification does not show the rate limit of this operation; by default the sandbox allows 60 requests per minute.
         */
        readonly post: operations["getLiveEventSessionProcessedMp4"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Failure
         * @description The output of a failed element.
         */
        readonly ErrorOutput: {
            /**
             * @description The element failed.
             * @constant
             */
            readonly status: "error";
            /** @description What went wrong. The specification does not list the messages, so do not branch on the text. */
            readonly errorMessage: string;
        };
        /** @description A refusal as JSON. The specification does not define its shape. */
        readonly Refusal: components["schemas"]["RefusalEnvelope"] | components["schemas"]["RefusalMessage"] | components["schemas"]["RefusalError"] | components["schemas"]["RefusalObject"];
        /** @description With another option: a refusal as a message. */
        readonly RefusalMessage: {
            /**
             * @description What is wrong with the call.
             * @example Rate limit exceeded
             */
            readonly message: string;
        };
        /** @description With another option: a refusal as a code and a message. */
        readonly RefusalError: {
            /** @description The error. */
            readonly error: {
                /**
                 * @description The kind of refusal.
                 * @example throttled
                 */
                readonly code: string;
                /**
                 * @description What is wrong with the call.
                 * @example Rate limit exceeded
                 */
                readonly message: string;
            };
        };
        /** @description With another option: a refusal as any other JSON object. */
        readonly RefusalObject: {
            readonly [key: string]: unknown;
        };
        /** @description A refusal in the shape of an ordinary response: all outputs are errors. */
        readonly RefusalEnvelope: readonly {
            readonly output: components["schemas"]["ErrorOutput"];
        }[];
        /** @description A refusal as a problem document (RFC 9457). */
        readonly Problem: {
            /**
             * @description A URI reference that identifies the problem type.
             * @example about:blank
             */
            readonly type: string;
            /**
             * @description A short summary of the problem type.
             * @example Bad Request
             */
            readonly title: string;
            /**
             * @description The HTTP status.
             * @example 400
             */
            readonly status: number;
            /** @description What went wrong in this case. */
            readonly detail?: string;
            /** @description A URI reference that identifies this occurrence of the problem. */
            readonly instance?: string;
            /** @description The invalid places in the request body. */
            readonly violations?: readonly {
                /**
                 * @description JSON Pointer to the place in the request body.
                 * @example /data/0/data/quizId
                 */
                readonly pointer: string;
                /**
                 * @description What is wrong.
                 * @example is required
                 */
                readonly message: string;
            }[];
        };
        readonly GetQuizDetailsRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["GetQuizDetailsParameters"];
            }[];
        };
        /** @description Identifies the quiz to read. */
        readonly GetQuizDetailsParameters: {
            /**
             * @description Identifier of the quiz.
             * @example 66a1f0c2d4e5b6978810aa01
             */
            readonly quizId: string;
        };
        readonly GetQuizDetailsResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["GetQuizDetailsResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description A quiz. */
        readonly GetQuizDetailsResult: {
            /**
             * Format: date-time
             * @description When the quiz was created.
             * @example 2025-01-15T09:30:00.000Z
             */
            readonly createdAtIso: string;
            /**
             * @description Title of the quiz.
             * @example Photosynthesis basics
             */
            readonly quizTitle: string;
            /** @description The questions of the quiz. */
            readonly questions: readonly components["schemas"]["QuizQuestion"][];
        };
        /** @description A question of a quiz. */
        readonly QuizQuestion: {
            /**
             * @description Identifier of the question.
             * @example 66a1f0c2d4e5b6978810ab01
             */
            readonly questionId: string;
            /**
             * @description Whether several options can be correct, or only one.
             * @enum {string}
             */
            readonly type?: "MultiCorrect" | "SingleCorrect";
            /**
             * @description Text of the question, as users see it.
             * @example Which gas do plants take in for photosynthesis?
             */
            readonly title?: string;
            /** @description Shown after answering; null if there is none. */
            readonly explanation?: string | null;
            /** @description Additional context for the question; null if there is none. */
            readonly description?: string | null;
            /** @description The options to choose from. */
            readonly options?: readonly components["schemas"]["QuizOption"][];
        };
        /** @description An option of a quiz question. */
        readonly QuizOption: {
            /**
             * @description Identifier of the option.
             * @example 66a1f0c2d4e5b6978810ac01
             */
            readonly optionId: string;
            /**
             * @description Text of the option.
             * @example Carbon dioxide
             */
            readonly text?: string;
            /** @description Whether the option is a correct answer. */
            readonly isCorrectOption?: boolean;
        };
        readonly UpdateDigitalProductCouponRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["UpdateDigitalProductCouponParameters"];
            }[];
        };
        /** @description Identifies the coupon and contains its new values. */
        readonly UpdateDigitalProductCouponParameters: {
            /**
             * @description Identifier of the coupon to update.
             * @example 66a1f0c2d4e5b6978810ae01
             */
            readonly serviceCouponCodeId: string;
            /**
             * @description Identifier of the product that the coupon belongs to.
             * @example 66a1f0c2d4e5b6978810ad01
             */
            readonly serviceDigitalProductId: string;
            /**
             * @description Slug of the coupon.
             * @example early-bird
             */
            readonly serviceDigitalProductCouponSlug?: string;
            /**
             * @description The purpose of the coupon.
             * @example A discount for early bookings.
             */
            readonly description?: string;
            /**
             * Format: date-time
             * @description When the coupon expires.
             * @example 2099-12-31T23:59:59.000Z
             */
            readonly expireAtIsoString?: string;
            /** @description Whether the coupon applies without being entered by the buyer. */
            readonly shouldApplyAutomatically?: boolean;
            /**
             * @description How many times the coupon may be redeemed.
             * @example 100
             */
            readonly numberOfRedemptionsAllowed?: number;
            readonly couponTypeData?: components["schemas"]["CouponTypeData"];
        };
        readonly UpdateDigitalProductCouponResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["UpdateDigitalProductCouponResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description An empty object. */
        readonly UpdateDigitalProductCouponResult: Record<string, never>;
        /** @description The type of a coupon, with the data of that type. Types other than percent-off are not shown. */
        readonly CouponTypeData: {
            /**
             * @description Type of the coupon. The set is open; other values may occur.
             * @example percent-off
             */
            readonly type?: string;
            /**
             * @description The discount in percent of the price.
             * @example 25
             */
            readonly percentOff?: number;
        };
        readonly UpdateInteractiveCodingLabRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["UpdateInteractiveCodingLabParameters"];
            }[];
        };
        /** @description Identifies the lab and contains its new values. */
        readonly UpdateInteractiveCodingLabParameters: {
            /**
             * @description Identifier of the lab to update.
             * @example 66a1f0c2d4e5b6978810af01
             */
            readonly labId: string;
            /**
             * @description Title of the lab.
             * @example Sort a list
             */
            readonly labTitle?: string;
            /**
             * @description Description of the lab, in Markdown.
             * @example Write a function that **sorts** a list.
             */
            readonly labDescriptionAsMarkdown?: string;
            /**
             * @description URL of the Git repository that the lab starts from.
             * @example https://git.riverside.example/labs/sort-a-list.git
             */
            readonly defaultGitRepositoryUrl?: string;
            /**
             * @description Branch of that repository.
             * @example main
             */
            readonly defaultGitRepositoryBranchName?: string;
            /**
             * @description Bash command that evaluates a solution.
             * @example npm test
             */
            readonly evaluationScriptBashCommand?: string;
            /** @description Content of the test file that the evaluation uses. */
            readonly evaluationScriptTestFileContent?: string;
            /** @description The test cases of the lab. The specification does not show the shape of an element, so any value is accepted by default. */
            readonly testCases?: readonly unknown[];
        };
        readonly UpdateInteractiveCodingLabResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["UpdateInteractiveCodingLabResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description An empty object. */
        readonly UpdateInteractiveCodingLabResult: Record<string, never>;
        readonly SubmitUserCourseItemRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["SubmitUserCourseItemParameters"];
            }[];
        };
        /** @description Identifies the course item and the user, and contains the answers. */
        readonly SubmitUserCourseItemParameters: {
            /**
             * @description Identifier of the course item.
             * @example 66a1f0c2d4e5b6978810b001
             */
            readonly courseItemId: string;
            readonly details?: components["schemas"]["SubmissionDetails"];
            /**
             * @description Identifier of the user who answers.
             * @example 66a1f0c2d4e5b6978810b201
             */
            readonly userId: string;
            /**
             * Format: email
             * @description E-mail address of that user.
             * @example amara.okafor@learners.riverside.example
             */
            readonly userEmail?: string;
            /** @description Whether to mark the course item as completed for that user. */
            readonly shouldMarkAsCompleted?: boolean;
        };
        readonly SubmitUserCourseItemResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["SubmitUserCourseItemResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description An empty object. */
        readonly SubmitUserCourseItemResult: Record<string, never>;
        /** @description The answers of a submission. */
        readonly SubmissionDetails: {
            /**
             * @description Type of the course item. The set is open; other values may occur.
             * @example Quiz
             */
            readonly courseItemType?: string;
            /** @description The questions with their new answers. The specification does not state how these combine with earlier answers. */
            readonly questionsToUpsert?: readonly components["schemas"]["SubmittedQuestion"][];
        };
        /** @description The new answer to one question. */
        readonly SubmittedQuestion: {
            /**
             * @description Identifier of the question. The sandbox expects a `questionId` of the quiz.
             * @example 66a1f0c2d4e5b6978810ab01
             */
            readonly questionUniqueId: string;
            /**
             * @description Identifiers of the options that the user selects. The sandbox expects values of `optionId` in the question.
             * @example [
             *       "66a1f0c2d4e5b6978810ac01"
             *     ]
             */
            readonly newSelectedOptionIds?: readonly string[];
        };
        readonly CreateInstructorAccountRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["CreateInstructorAccountParameters"];
            }[];
        };
        /** @description The e-mail address and the name of the instructor. */
        readonly CreateInstructorAccountParameters: {
            /**
             * Format: email
             * @description E-mail address of the instructor. It identifies the account.
             * @example ines.duarte@riverside.example
             */
            readonly instructorEmail: string;
            /**
             * @description Name of the instructor.
             * @example Inês Duarte
             */
            readonly instructorName?: string;
        };
        readonly CreateInstructorAccountResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["CreateInstructorAccountResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description Identifies the instructor and the associated user. */
        readonly CreateInstructorAccountResult: {
            /**
             * @description Identifier of the instructor.
             * @example 66a1f0c2d4e5b6978810b301
             */
            readonly serviceInstructorId: string;
            /**
             * @description Identifier of the user account that is associated with the instructor.
             * @example 66a1f0c2d4e5b6978810b201
             */
            readonly associatedServiceUserId: string;
        };
        readonly GetVideoLibraryRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["GetVideoLibraryParameters"];
            }[];
        };
        /** @description The search and the page. */
        readonly GetVideoLibraryParameters: {
            /**
             * @description Search filter.
             * @example photosynthesis
             */
            readonly filterTerm?: string;
            /**
             * @description The page to return. The specification does not state the number of the first page; by default it is 1.
             * @example 1
             */
            readonly pageNumber?: number;
            /**
             * @description The folder to search.
             * @example /biology
             */
            readonly folderPath?: string;
        };
        readonly GetVideoLibraryResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["GetVideoLibraryResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description One page of videos. */
        readonly GetVideoLibraryResult: {
            /**
             * @description The number of videos that match the search.
             * @example 42
             */
            readonly totalResults: number;
            /**
             * @description The maximum number of videos per page.
             * @example 20
             */
            readonly pageSize: number;
            /** @description The videos on this page. */
            readonly videoData: readonly components["schemas"]["Video"][];
            /**
             * @description Absolute paths of folders in the library. The specification does not state whether `filterTerm` filters them. By default, it does not.
             * @example [
             *       "/biology/plants",
             *       "/biology/cells"
             *     ]
             */
            readonly absoluteFolderPaths: readonly string[];
        };
        /** @description A video in the video library. */
        readonly Video: {
            /**
             * Format: date-time
             * @description When the video was created.
             * @example 2025-01-15T09:30:00.000Z
             */
            readonly createdAt?: string;
            /**
             * @description State of the video. The set is open; other values may occur.
             * @example CcFailed
             */
            readonly status?: string;
            /**
             * @description Identifier of the video.
             * @example 66a1f0c2d4e5b6978810b401
             */
            readonly videoId: string;
            /**
             * @description Title of the video.
             * @example Photosynthesis in four minutes
             */
            readonly videoTitle?: string;
        };
        readonly GetSignedUrlDataForLiveEventSessionPlaybackRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["GetSignedUrlDataForLiveEventSessionPlaybackParameters"];
            }[];
        };
        /** @description Identifies the session to play. */
        readonly GetSignedUrlDataForLiveEventSessionPlaybackParameters: {
            /**
             * @description Identifier of the live event session.
             * @example 66a1f0c2d4e5b6978810b601
             */
            readonly liveEventSessionId: string;
        };
        readonly GetSignedUrlDataForLiveEventSessionPlaybackResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["GetSignedUrlDataForLiveEventSessionPlaybackResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description Where and how to play the session. */
        readonly GetSignedUrlDataForLiveEventSessionPlaybackResult: {
            /** @description The sources to play. */
            readonly playbackSources: readonly components["schemas"]["PlaybackSource"][];
        };
        /** @description One way to play a live event session. */
        readonly PlaybackSource: {
            /**
             * @description Path of the HLS master playlist on the origin. By default it starts with a slash.
             * @example /media/sessions/66a1f0c2d4e5b6978810b601/master.m3u8
             */
            readonly masterM3u8Pathname: string;
            /**
             * @description Scheme, host and port of the playlist, without a slash at the end.
             * @example https://media.riverside.example
             */
            readonly origin: string;
            /**
             * @description The query parameters with the signature, as one string. The specification does not state whether it starts with a question mark; by default it does. Append it to the location of the playlist, and to every URL in the playlist that has no query.
             * @example ?expires=1791824400&signature=02b5f4ccc99f31886793ea9fd67e85f685706356d0d29572c7ac2a55c13cfd49
             */
            readonly urlSearchParamString: string;
            /**
             * @description The ClearKey decryption key, in hexadecimal. In the sandbox it has 32 digits: the AES-128 key with which all segments of the session are encrypted as a whole.
             * @example 00112233445566778899aabbccddeeff
             */
            readonly clearkeyDecryptionKeyInHex: string;
        };
        readonly ListAssignmentsRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["ListAssignmentsParameters"];
            }[];
        };
        /** @description Identifies the course. */
        readonly ListAssignmentsParameters: {
            readonly courseIdentifier: components["schemas"]["CourseIdentifier"];
        };
        readonly ListAssignmentsResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["ListAssignmentsResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description A course product with its assignments. */
        readonly ListAssignmentsResult: {
            /**
             * @description Identifier of the course's product.
             * @example 66a1f0c2d4e5b6978810ad01
             */
            readonly productId: string;
            /**
             * @description Title of that product.
             * @example Biology, year 9
             */
            readonly productTitle: string;
            /** @description The assignments of the course. */
            readonly assignments: readonly components["schemas"]["Assignment"][];
        };
        /** @description Identifies a course. Identifier types other than product-id are not shown. */
        readonly CourseIdentifier: {
            /**
             * @description How the course is identified. The set is open; other values may occur.
             * @example product-id
             */
            readonly type?: string;
            /**
             * @description Identifier of the digital product of the course.
             * @example 66a1f0c2d4e5b6978810ad01
             */
            readonly digitalProductId: string;
        };
        /** @description An assignment of a course. */
        readonly Assignment: {
            /**
             * @description Identifier of the assignment.
             * @example 66a1f0c2d4e5b6978810b701
             */
            readonly assignmentId: string;
            /**
             * @description Title of the assignment.
             * @example Grow a bean and draw it each week
             */
            readonly assignmentTitle?: string;
        };
        readonly GetCourseItemDataRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["GetCourseItemDataParameters"];
            }[];
        };
        /** @description Identifies the course item to read. */
        readonly GetCourseItemDataParameters: {
            /**
             * @description Identifier of the course item.
             * @example 66a1f0c2d4e5b6978810b001
             */
            readonly courseItemId: string;
        };
        readonly GetCourseItemDataResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["GetCourseItemDataResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description A course item with the times of its creation and last update. */
        readonly GetCourseItemDataResult: {
            /**
             * Format: date-time
             * @description When the course item was created.
             * @example 2025-01-15T09:30:00.000Z
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the course item was last updated.
             * @example 2025-02-03T14:05:00.000Z
             */
            readonly updatedAt: string;
            readonly courseItemData: components["schemas"]["CourseItem"];
        };
        /** @description A course item. */
        readonly CourseItem: {
            /**
             * @description Identifier of the course item.
             * @example 66a1f0c2d4e5b6978810b001
             */
            readonly serviceCourseItemId: string;
            /**
             * @description Identifier of the product that the course item belongs to.
             * @example 66a1f0c2d4e5b6978810ad01
             */
            readonly serviceDigitalProductId?: string;
            /**
             * @description Slug of the course item.
             * @example how-plants-breathe
             */
            readonly courseItemSlug?: string;
            /**
             * @description Identifier of the article with the content.
             * @example 66a1f0c2d4e5b6978810b101
             */
            readonly articleUniqueId?: string;
            /**
             * @description Type of the course item. The set is open; other values may occur.
             * @example Article
             */
            readonly type?: string;
            /**
             * @description Title of the course item.
             * @example How plants breathe
             */
            readonly title?: string;
            /**
             * @description The content, serialized as a string.
             * @example {"blocks":[]}
             */
            readonly contentJson?: string;
            /** @description Whether the content is in the format of the rich-text editor. */
            readonly isEditorContent?: boolean;
        };
        readonly GetInstructorPermissionPresetsRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["GetInstructorPermissionPresetsParameters"];
            }[];
        };
        /** @description The page and its size. */
        readonly GetInstructorPermissionPresetsParameters: {
            /**
             * @description The page to return. The specification does not state the number of the first page; by default it is 1.
             * @example 1
             */
            readonly pageNumber?: number;
            /**
             * @description The maximum number of presets per page. The specification calls it a number, and its sample is not an integer. By default the sandbox rounds a fraction down.
             * @example 10
             * @example 2.5
             */
            readonly limit?: number;
        };
        readonly GetInstructorPermissionPresetsResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["GetInstructorPermissionPresetsResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description One page of presets. */
        readonly GetInstructorPermissionPresetsResult: {
            /**
             * @description The number of presets on all pages.
             * @example 4
             */
            readonly totalPresetCount: number;
            /** @description The presets on this page. */
            readonly presets: readonly components["schemas"]["InstructorPermissionPreset"][];
        };
        /** @description A set of permissions for instructors. It has no identifier. */
        readonly InstructorPermissionPreset: {
            /** @description Whether this preset must be assigned with the identifiers of resources. */
            readonly requiresResourceIds?: boolean;
            /** @description The permission sets of the preset. */
            readonly permissionSets?: readonly components["schemas"]["PermissionSet"][];
        };
        /** @description Permissions on one kind of resource. */
        readonly PermissionSet: {
            /** @description The permissions. The specification does not show the shape of an element, so expect any value. */
            readonly permissions?: readonly unknown[];
            /**
             * @description The kind of resource that the permissions apply to. The set is open; other values may occur.
             * @example All
             */
            readonly resourceIdType?: string;
        };
        readonly GetAllLiveEventsRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["GetAllLiveEventsParameters"];
            }[];
        };
        /** @description The operation takes no parameters. */
        readonly GetAllLiveEventsParameters: Record<string, never>;
        readonly GetAllLiveEventsResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["GetAllLiveEventsResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description The live events of the school. */
        readonly GetAllLiveEventsResult: {
            /** @description The live events. */
            readonly liveEvents: readonly components["schemas"]["LiveEvent"][];
        };
        /** @description A live event. */
        readonly LiveEvent: {
            /**
             * @description Identifier of the product that the live event belongs to.
             * @example 66a1f0c2d4e5b6978810ad01
             */
            readonly serviceDigitalProductId?: string;
            /**
             * @description Identifier of the live event.
             * @example 66a1f0c2d4e5b6978810b501
             */
            readonly liveEventId: string;
            /**
             * @description Type of the live event. The set is open; other values may occur.
             * @example LiveEventProduct
             */
            readonly type?: string;
            /**
             * @description State of the live event. The set is open; other values may occur.
             * @example Active
             */
            readonly status?: string;
            /**
             * @description Name of the live event.
             * @example Open lab evening
             */
            readonly name?: string;
            /**
             * @description Slug of the live event.
             * @example open-lab-evening
             */
            readonly slug?: string;
            /**
             * @description URL of the live event.
             * @example https://riverside.example/events/open-lab-evening
             */
            readonly link?: string;
            /**
             * @description URL of a small image of the live event.
             * @example https://media.riverside.example/events/open-lab-evening.png
             */
            readonly thumbnailUrl?: string;
            /** @description The sessions of the live event. */
            readonly sessions?: readonly components["schemas"]["LiveEventSession"][];
        };
        /** @description A session of a live event. */
        readonly LiveEventSession: {
            /**
             * @description Identifier of the session.
             * @example 66a1f0c2d4e5b6978810b601
             */
            readonly liveEventSessionId: string;
            /**
             * Format: date-time
             * @description The scheduled start of the session.
             * @example 2025-05-20T17:00:00.000Z
             */
            readonly scheduledStartAtIso?: string;
            /**
             * @description The scheduled duration of the session, in seconds.
             * @example 3600
             */
            readonly scheduledDurationInSecs?: number;
            /**
             * Format: date-time
             * @description When the session ended. The specification does not state the value before the end; by default the field is omitted, and with other options it is null or the scheduled end.
             * @example 2025-05-20T18:04:10.000Z
             */
            readonly endedAtIso?: string | null;
        };
        readonly GetAllInstructorsRequest: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["GetAllInstructorsParameters"];
            }[];
        };
        /** @description The operation takes no parameters. */
        readonly GetAllInstructorsParameters: Record<string, never>;
        readonly GetAllInstructorsResponse: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["GetAllInstructorsResult"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description The instructors of the school. */
        readonly GetAllInstructorsResult: {
            /** @description The instructors. */
            readonly instructors: readonly components["schemas"]["Instructor"][];
        };
        /** @description An instructor. */
        readonly Instructor: {
            /**
             * @description Identifier of the instructor.
             * @example 66a1f0c2d4e5b6978810b301
             */
            readonly serviceInstructorId: string;
            /**
             * @description Name of the instructor.
             * @example Inês Duarte
             */
            readonly name?: string;
            /**
             * Format: idn-email
             * @description E-mail address of the instructor.
             * @example ines.duarte@riverside.example
             */
            readonly email?: string;
            /**
             * @description URL of a photo of the instructor.
             * @example https://media.riverside.example/instructors/ines-duarte.png
             */
            readonly profilePhotoUrl?: string;
            /**
             * @description A one-line introduction of the instructor.
             * @example Biology with muddy boots
             */
            readonly tagline?: string;
            /**
             * @description A longer introduction, in Markdown.
             * @example Teaches **biology** and leads the field trips.
             */
            readonly longDescriptionMarkdown?: string;
            /** @description When the instructor was created. The specification does not state the format. */
            readonly createdAt?: string;
            /** @description When the instructor was last updated. The specification does not state the format. */
            readonly lastUpdatedAt?: string;
        };
        readonly GetLiveEventSessionProcessedMp4Request: {
            /** @description The batch. */
            readonly data: readonly {
                readonly data: components["schemas"]["GetLiveEventSessionProcessedMp4Parameters"];
            }[];
        };
        /** @description Identifies the session to download. */
        readonly GetLiveEventSessionProcessedMp4Parameters: {
            /**
             * @description Identifier of the live event session.
             * @example 66a1f0c2d4e5b6978810b601
             */
            readonly liveEventSessionId: string;
        };
        readonly GetLiveEventSessionProcessedMp4Response: readonly {
            readonly output: {
                /**
                 * @description The element succeeded.
                 * @constant
                 */
                readonly status: "ok";
                readonly data: components["schemas"]["GetLiveEventSessionProcessedMp4Result"];
            } | components["schemas"]["ErrorOutput"];
        }[];
        /** @description Where to download the recording. */
        readonly GetLiveEventSessionProcessedMp4Result: {
            /**
             * @description URL of the MP4 file.
             * @example https://media.riverside.example/sessions/66a1f0c2d4e5b6978810b601.mp4
             */
            readonly downloadUrl: string;
        };
    };
    responses: {
        /** @description The call is malformed: its body is not JSON, has no `data` array, or has an element without a `data` object. With other options, this status also covers invalid parameters, or values that violate a rule of the operation. */
        readonly MalformedCall: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description The API key is missing or invalid. */
        readonly KeyRefused: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description With another option: the API key is missing or invalid, or the call is throttled. The response to a throttled call may state when to retry. */
        readonly Forbidden: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description With another option: a parameter identifies no record of the school. */
        readonly NotFound: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description With another option: the operation conflicts with the state of a record. */
        readonly Conflict: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description The body is too large. The specification gives no size limit; by default the sandbox accepts up to 1 MB. */
        readonly BodyTooLarge: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description The content type of the request is not `application/json`. */
        readonly NotJson: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description With another option: the call is malformed, its parameters are invalid, or values violate a rule of the operation. */
        readonly Invalid: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description The rate limit of the operation is exceeded. */
        readonly RateLimitExceeded: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
        /** @description With another option: the rate limit of the operation is exceeded. */
        readonly Throttled: {
            headers: {
                readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Refusal"];
                readonly "application/problem+json": components["schemas"]["Problem"];
                readonly "text/plain": string;
                readonly "text/html": string;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this call in the sandbox's journal. */
        readonly "Sandbox-Request-Id": string;
        /** @description The assumptions that affected this response. Absent if there were none. */
        readonly "Sandbox-Assumed": string;
        /**
         * @description Likely mistakes in the request that did not affect the rest of the response, such as a misspelled field that the operation ignores. Absent if there are none.
         * @example /data/0/data/page_number: did you mean "pageNumber"?
         */
        readonly "Sandbox-Hint": string;
        /** @description When to retry a throttled call: a number of seconds, or with another option an HTTP date. It may be absent. With another option, the status of a throttled call is 200. */
        readonly "Retry-After": string;
        /** @description What is left of the rate limit, as in the IETF draft on RateLimit header fields. Absent by default. */
        readonly RateLimit: string;
        /** @description The rate limit that applies, as in the IETF draft on RateLimit header fields. Absent by default. */
        readonly "RateLimit-Policy": string;
        /** @description The maximum number of requests per window. Absent by default. */
        readonly "RateLimit-Limit": number;
        /** @description The number of requests left in the current window. Absent by default. */
        readonly "RateLimit-Remaining": number;
        /** @description Seconds until the current window ends. Absent by default. */
        readonly "RateLimit-Reset": number;
        /** @description The maximum number of requests per window. Absent by default. */
        readonly "X-RateLimit-Limit": number;
        /** @description The number of requests left in the current window. Absent by default. */
        readonly "X-RateLimit-Remaining": number;
        /** @description Seconds until the current window ends. Absent by default. */
        readonly "X-RateLimit-Reset": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getQuizDetails: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The quizzes to read, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetQuizDetailsRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, the quiz or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetQuizDetailsResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly updateDigitalProductCoupon: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The coupons to update, one per element, with their new values. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateDigitalProductCouponRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, an empty result or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UpdateDigitalProductCouponResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly updateInteractiveCodingLab: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The labs to update, one per element, with their new values. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateInteractiveCodingLabRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, an empty result or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UpdateInteractiveCodingLabResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly submitUserCourseItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The submissions, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitUserCourseItemRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, an empty result or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitUserCourseItemResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly createInstructorAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The instructors to create or to associate, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateInstructorAccountRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, the identifiers of the instructor or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreateInstructorAccountResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly getVideoLibrary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The searches, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetVideoLibraryRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, a page of videos or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetVideoLibraryResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly getSignedUrlDataForLiveEventSessionPlayback: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The sessions to play, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetSignedUrlDataForLiveEventSessionPlaybackRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, the playback sources of the session or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetSignedUrlDataForLiveEventSessionPlaybackResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly listAssignments: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The courses, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ListAssignmentsRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, the assignments of the course or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ListAssignmentsResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly getCourseItemData: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The course items to read, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetCourseItemDataRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, the course item or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetCourseItemDataResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly getInstructorPermissionPresets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The pages to read, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetInstructorPermissionPresetsRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, a page of presets or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetInstructorPermissionPresetsResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly getAllLiveEvents: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description Elements with empty parameters; usually one. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetAllLiveEventsRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, the live events of the school or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetAllLiveEventsResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            /** @description The rate limit of the operation is exceeded. */
            readonly 429: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Refusal"];
                    readonly "application/problem+json": components["schemas"]["Problem"];
                    readonly "text/plain": string;
                    readonly "text/html": string;
                };
            };
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly getAllInstructors: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description Elements with empty parameters; usually one. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetAllInstructorsRequest"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, the instructors of the school or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetAllInstructorsResponse"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            /** @description The rate limit of the operation is exceeded. */
            readonly 429: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Refusal"];
                    readonly "application/problem+json": components["schemas"]["Problem"];
                    readonly "text/plain": string;
                    readonly "text/html": string;
                };
            };
            readonly 503: components["responses"]["Throttled"];
        };
    };
    readonly getLiveEventSessionProcessedMp4: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The sessions to download, one per element. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetLiveEventSessionProcessedMp4Request"];
            };
        };
        readonly responses: {
            /** @description For each element of the batch, the download address of the recording or a failure. */
            readonly 200: {
                headers: {
                    readonly "Sandbox-Request-Id": components["headers"]["Sandbox-Request-Id"];
                    readonly "Sandbox-Assumed": components["headers"]["Sandbox-Assumed"];
                    readonly "Sandbox-Hint": components["headers"]["Sandbox-Hint"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    readonly "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    readonly "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GetLiveEventSessionProcessedMp4Response"];
                };
            };
            readonly 400: components["responses"]["MalformedCall"];
            readonly 401: components["responses"]["KeyRefused"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["Invalid"];
            readonly 429: components["responses"]["RateLimitExceeded"];
            readonly 503: components["responses"]["Throttled"];
        };
    };
}
