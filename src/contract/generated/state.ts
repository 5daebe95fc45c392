// Generated from openapi/state.yaml by `npm run generate`.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description 24 lowercase hexadecimal characters in every seed; any string if a client chose it. */
        readonly Id: string;
        /** @description A tenant. Its slug is the last part of its API keys. */
        readonly School: {
            readonly id: components["schemas"]["Id"];
            readonly slug: string;
            /** @description Labels of further keys of the school: sbx_<sandbox>_<slug>_<label>. Keys with other labels are invalid, unless the list contains `*` or is absent. */
            readonly keyLabels?: readonly string[];
            readonly name: string;
            /** @description The language of its texts, as a tag such as pt-BR. For readers of the state; the API does not return it. */
            readonly language?: string;
            /** @description Its time zone, such as America/Sao_Paulo. For readers of the state; the API does not return it. */
            readonly timeZone?: string;
            /** @description The color of its logo, as # and six hexadecimal digits. For readers of the state; the API does not return it. */
            readonly color?: string;
            /** @description A path that starts with / is on this server. For readers of the state; the API does not return it. */
            readonly logoUrl?: string;
        };
        /** @description A digital product. The items and assignments of a course belong to a product. */
        readonly Product: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            readonly title: string;
        };
        /** @description One step of a course. An item of type Quiz refers to its quiz. */
        readonly CourseItem: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            readonly productId: string;
            readonly quizId?: string;
            readonly courseItemSlug: string;
            readonly articleUniqueId: string;
            /** @description Article or Quiz in the seeds. */
            readonly type: string;
            readonly title: string;
            /** @description The content as JSON text. */
            readonly contentJson: string;
            readonly isEditorContent: boolean;
            /** @description false for a draft. */
            readonly isPublished: boolean;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        readonly Quiz: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            /** Format: date-time */
            readonly createdAtIso: string;
            readonly quizTitle: string;
            readonly questions: readonly {
                readonly questionId: string;
                /** @enum {string} */
                readonly type: "MultiCorrect" | "SingleCorrect";
                readonly title: string;
                readonly explanation: string | null;
                readonly description: string | null;
                readonly options: readonly {
                    readonly optionId: string;
                    readonly text: string;
                    readonly isCorrectOption: boolean;
                }[];
            }[];
        };
        readonly Assignment: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            readonly productId: string;
            readonly assignmentTitle: string;
        };
        readonly Coupon: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            readonly productId: string;
            readonly serviceDigitalProductCouponSlug?: string;
            readonly description?: string;
            /** Format: date-time */
            readonly expireAtIsoString?: string;
            readonly shouldApplyAutomatically?: boolean;
            readonly numberOfRedemptionsAllowed?: number;
            readonly couponTypeData?: {
                readonly [key: string]: unknown;
            };
        };
        readonly Lab: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            readonly labTitle?: string;
            readonly labDescriptionAsMarkdown?: string;
            readonly defaultGitRepositoryUrl?: string;
            readonly defaultGitRepositoryBranchName?: string;
            readonly evaluationScriptBashCommand?: string;
            readonly evaluationScriptTestFileContent?: string;
            readonly testCases?: readonly unknown[];
        };
        /** @description A learner or instructor of one or more schools. */
        readonly User: {
            readonly id: components["schemas"]["Id"];
            readonly schoolIds: readonly string[];
            /** @description For readers of the state; the API does not return it. */
            readonly name?: string;
            /** Format: idn-email */
            readonly email?: string;
        };
        /** @description A user's answers to one course item. Its id is derived from both, so each user has at most one per item. */
        readonly Submission: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            readonly userId: string;
            readonly courseItemId: string;
            readonly courseItemType?: string;
            readonly answers: readonly {
                readonly questionUniqueId: string;
                readonly selectedOptionIds: readonly string[];
            }[];
            readonly isCompleted: boolean;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        /** @description One account, shared by all schools of the instructor. */
        readonly Instructor: {
            readonly id: components["schemas"]["Id"];
            readonly schoolIds: readonly string[];
            readonly userId: string;
            readonly name: string;
            /** Format: idn-email */
            readonly email: string;
            /** @description A path that starts with / is on this server; responses contain the absolute URL. */
            readonly profilePhotoUrl: string;
            readonly tagline: string;
            readonly longDescriptionMarkdown: string;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly lastUpdatedAt: string;
        };
        readonly PermissionPreset: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            /** @description For readers of the state; the API does not return it. */
            readonly name?: string;
            readonly requiresResourceIds: boolean;
            readonly permissionSets: readonly {
                readonly permissions: readonly string[];
                /** @description All, Course, Folder or LiveEvent in the seeds. */
                readonly resourceIdType: string;
            }[];
        };
        readonly Video: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            /** @description An absolute path without a slash at the end; / is the root. */
            readonly folderPath: string;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description CcFailed, Ready or Processing in the seeds. */
            readonly status: string;
            readonly videoTitle: string;
        };
        readonly LiveEvent: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            readonly productId: string;
            /** @description LiveEventProduct or LiveEventWorkshop in the seeds. */
            readonly type: string;
            /** @description Active, Draft or Archived in the seeds. */
            readonly status: string;
            readonly name: string;
            readonly slug: string;
            /** @description A path that starts with / is on this server; responses contain the absolute URL. */
            readonly link: string;
            /** @description A path that starts with / is on this server; responses contain the absolute URL. */
            readonly thumbnailUrl: string;
        };
        /** @description A session of a live event. It ends when the sandbox's clock reaches endsAtIso. */
        readonly LiveEventSession: {
            readonly id: components["schemas"]["Id"];
            readonly schoolId: string;
            readonly liveEventId: string;
            /** Format: date-time */
            readonly scheduledStartAtIso: string;
            readonly scheduledDurationInSecs: number;
            /**
             * Format: date-time
             * @description When the session actually ends. This often differs from the scheduled end.
             */
            readonly endsAtIso: string;
            /** @description The recordings of the session. Each is a playback source. */
            readonly recordedSources: readonly ("camera" | "screen")[];
        };
        /** @description Everything in a sandbox other than its records, its snapshots and its journal. Times are in milliseconds since 1970. Calls are counted as of the last request. */
        readonly Facts: {
            /** @enum {string} */
            readonly origin: "server" | "control-plane" | "key";
            /** @description Real time. */
            readonly createdAt: number;
            /** @description Real time of the last use. */
            readonly usedAt: number;
            readonly ttlSeconds: number | null;
            readonly randomSeed: number;
            readonly labels: boolean;
            /** @description The number in the last request id. */
            readonly lastNumber: number;
            readonly clock: components["schemas"]["ClockFacts"];
            readonly options: components["schemas"]["OptionFacts"];
            readonly templates?: components["schemas"]["TemplateFacts"];
            readonly limits: components["schemas"]["LimitFacts"];
            readonly faults: components["schemas"]["FaultFacts"];
            readonly quotas?: components["schemas"]["QuotaFacts"];
            /** @description Counts the control tokens of the sandbox. Absent if none was issued. */
            readonly tokenGeneration?: number;
        };
        /** @description The limits of the server that the sandbox has of its own. Absent if there are none. */
        readonly QuotaFacts: {
            readonly stateRecords?: number;
            readonly stateBytes?: number;
            readonly journalEntries?: number;
            readonly journalBytes?: number;
            readonly callsPerSecond?: number;
        };
        /** @description The time of a frozen clock, or the difference of a running one from real time. */
        readonly ClockFacts: {
            /** @enum {string} */
            readonly mode: "real" | "frozen";
            readonly milliseconds: number;
        };
        /** @description The chosen option of each assumption. */
        readonly OptionFacts: {
            readonly [key: string]: string;
        };
        /** @description The templates of the option `template`. Absent if there are none. */
        readonly TemplateFacts: {
            readonly refusalTemplate: string | null;
            readonly gatewayTemplate: string | null;
        };
        readonly LimitFacts: {
            readonly scale: number | null;
            /** @description The limits that the sandbox sets instead of the specified ones, by operation. */
            readonly own: {
                readonly [key: string]: number;
            };
            /** @description Missing in a line of a log if they are those of the lines before it. */
            readonly windows?: readonly components["schemas"]["WindowFacts"][];
        };
        /** @description The calls that count in a window, each with its time and its cost; a fixed window has one entry, for its start. */
        readonly WindowFacts: {
            readonly operation: string;
            /** @description The key or the address that shares the limit. */
            readonly caller: string;
            /** @enum {string} */
            readonly kind: "fixed-from-first" | "fixed-aligned" | "sliding";
            readonly refusedCount: boolean;
            readonly counted: components["schemas"]["CountedCalls"];
        };
        readonly CountedCalls: readonly {
            readonly at: number;
            readonly cost: number;
        }[];
        readonly FaultFacts: {
            readonly scenario: components["schemas"]["ScenarioFacts"];
            /** @description The rules in the order in which they are tried. */
            readonly rules: readonly components["schemas"]["RuleFacts"][];
            /** @description The number of generated ids, by fault. */
            readonly named: components["schemas"]["CountFacts"];
            /** @description The number of faults that calls requested themselves, by fault and operation. */
            readonly requested: components["schemas"]["CountFacts"];
        };
        readonly RuleFacts: {
            /** @description A rule as the control plane accepts it. */
            readonly rule: {
                readonly [key: string]: unknown;
            };
            readonly id: string;
            readonly scenario: string | null;
            /** @description The time from which the times of the rule count. */
            readonly activeFrom: number;
            readonly matched: number;
            readonly fired: number;
            /** @description The number of matching calls, by operation. */
            readonly calls: components["schemas"]["CountFacts"];
        };
        readonly CountFacts: {
            readonly [key: string]: number;
        };
        /** @description The stored records of a sandbox are differences from this state. */
        readonly StateFacts: {
            readonly seed: {
                readonly name: string;
                readonly fingerprint: string;
            };
            /** @description The time from which the relative times of the seed count. */
            readonly beginning: number;
        };
        /** @description A line of a log. Its changes, and those of its snapshots, are lists of records and of ids of removed records, by collection. */
        readonly LogLine: {
            /** @description The number of the line. */
            readonly line: number;
            readonly version?: number;
            /** @description In the first line of a log, its id, and those of the log and state file that end with the line before. */
            readonly log?: {
                readonly id: string;
                readonly after: readonly string[];
            };
            readonly counts?: components["schemas"]["CallCounts"];
            readonly facts?: components["schemas"]["Facts"];
            readonly state?: components["schemas"]["StateFacts"];
            readonly changes?: {
                readonly [key: string]: unknown;
            };
            /** @description Snapshots by name; null for a removed one. */
            readonly snapshots?: {
                readonly [key: string]: {
                    readonly [key: string]: unknown;
                } | null;
            };
        };
        /** @description What calls have counted since the line before. */
        readonly CallCounts: {
            readonly lastNumber: number;
            readonly reservedNumber?: number;
            readonly usedAt: number;
            readonly window?: {
                readonly operation: string;
                readonly caller: string;
                /** @enum {string} */
                readonly kind: "fixed-from-first" | "fixed-aligned" | "sliding";
                readonly refusedCount: boolean;
                readonly counted: components["schemas"]["CountedCalls"];
                readonly counting: number;
                readonly isNew?: boolean;
            };
            readonly faults?: {
                readonly rules: readonly {
                    readonly id: string;
                    readonly matched: number;
                    readonly fired: number;
                    readonly calls: components["schemas"]["CountFacts"];
                }[];
                readonly requested: components["schemas"]["CountFacts"];
            };
        };
        readonly SnapshotFacts: {
            /** @description As in a line. */
            readonly changes: {
                readonly [key: string]: unknown;
            };
            readonly state: components["schemas"]["StateFacts"];
            /** @description The time of the sandbox. */
            readonly now: number;
            readonly frozen: boolean;
            readonly options: components["schemas"]["OptionFacts"];
            readonly templates?: components["schemas"]["TemplateFacts"];
            readonly scenario: components["schemas"]["ScenarioFacts"];
            readonly rules: readonly {
                readonly rule: {
                    readonly [key: string]: unknown;
                };
                readonly scenario: string | null;
            }[];
        };
        /** @description A scenario with all its rules; null for none. */
        readonly ScenarioFacts: null | {
            readonly name: string;
            readonly summary: string;
            readonly lesson?: string;
            readonly rules: readonly {
                readonly [key: string]: unknown;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
