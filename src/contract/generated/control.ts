// Generated from openapi/control.yaml by `npm run generate`.
export interface paths {
    readonly "/control/sandboxes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the sandboxes */
        readonly get: operations["listSandboxes"];
        readonly put?: never;
        /**
         * Make a sandbox
         * @description The only answer that shows the schools' API keys whole.
         */
        readonly post: operations["createSandbox"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Look at a sandbox */
        readonly get: operations["getSandbox"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a sandbox
         * @description The default sandbox stays, and goes back to its seed instead.
         */
        readonly delete: operations["removeSandbox"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/reset": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Go back to the seed
         * @description In one step: no call sees half of it. Limits and the scenario start anew, rules that were added alone are gone; the journal, the snapshots and the assumptions stay.
         */
        readonly post: operations["resetSandbox"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/state": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Export the whole state */
        readonly get: operations["exportState"];
        /**
         * Import a whole state
         * @description What is not in the document is gone. A document that does not fit changes nothing.
         */
        readonly put: operations["importState"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/state/{collection}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the collection.
                 * @example coupons
                 */
                readonly collection: components["parameters"]["collection"];
            };
            readonly cookie?: never;
        };
        /** List the records of a collection */
        readonly get: operations["listRecords"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/state/{collection}/{recordId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the collection.
                 * @example coupons
                 */
                readonly collection: components["parameters"]["collection"];
                /**
                 * @description The id of the record.
                 * @example 5bb6bf98e3b6a0f3c19b07c3
                 */
                readonly recordId: components["parameters"]["recordId"];
            };
            readonly cookie?: never;
        };
        /** Look at a record */
        readonly get: operations["getRecord"];
        /**
         * Put a record
         * @description Adds it, or replaces the one of this id. The record must fit the schema of its collection and name only records that are there.
         */
        readonly put: operations["putRecord"];
        readonly post?: never;
        /**
         * Remove a record
         * @description Refused while another record names it.
         */
        readonly delete: operations["removeRecord"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change fields of a record
         * @description A JSON Merge Patch (RFC 7396): null removes a field.
         */
        readonly patch: operations["patchRecord"];
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/snapshots": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** List the snapshots */
        readonly get: operations["listSnapshots"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/snapshots/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the snapshot.
                 * @example before-lunch
                 */
                readonly name: components["parameters"]["name"];
            };
            readonly cookie?: never;
        };
        /** Look at a snapshot */
        readonly get: operations["getSnapshot"];
        /**
         * Take a snapshot
         * @description Of the state, the clock, the assumptions and the rules. Replaces the one of this name.
         */
        readonly put: operations["takeSnapshot"];
        readonly post?: never;
        /** Remove a snapshot */
        readonly delete: operations["removeSnapshot"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/snapshots/{name}/restore": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the snapshot.
                 * @example before-lunch
                 */
                readonly name: components["parameters"]["name"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Go back to a snapshot
         * @description In one step. The counters of rules and limits start anew.
         */
        readonly post: operations["restoreSnapshot"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/assumptions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** List the assumptions */
        readonly get: operations["listAssumptions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Choose options */
        readonly patch: operations["changeAssumptions"];
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/profile": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Choose a profile
         * @description Every assumption gets the option that the profile sets, else its default.
         */
        readonly put: operations["chooseProfile"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/faults": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /**
         * List the rules
         * @description In the order in which they are tried.
         */
        readonly get: operations["listFaultRules"];
        readonly put?: never;
        /**
         * Add a rule
         * @description Behind the others.
         */
        readonly post: operations["addFaultRule"];
        /**
         * Remove every rule
         * @description The scenario's too.
         */
        readonly delete: operations["clearFaultRules"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/faults/{ruleId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The id of the rule.
                 * @example http-error-1
                 */
                readonly ruleId: components["parameters"]["ruleId"];
            };
            readonly cookie?: never;
        };
        /** Look at a rule */
        readonly get: operations["getFaultRule"];
        readonly put?: never;
        readonly post?: never;
        /** Remove a rule */
        readonly delete: operations["removeFaultRule"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a rule
         * @description A JSON Merge Patch (RFC 7396). The rule keeps its place; its counters start anew.
         */
        readonly patch: operations["changeFaultRule"];
        readonly trace?: never;
    };
    readonly "/control/faults": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the faults
         * @description Every way to fail, with its parameters: what a rule can name.
         */
        readonly get: operations["listFaults"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/scenarios": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the scenarios */
        readonly get: operations["listScenarios"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/scenario": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Play a scenario
         * @description From now on, by its name or written out, in the place of the one before.
         */
        readonly put: operations["playScenario"];
        readonly post?: never;
        /**
         * End the scenario
         * @description Rules that were added alone stay.
         */
        readonly delete: operations["stopScenario"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/clock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Read the clock */
        readonly get: operations["getClock"];
        /** Set the clock */
        readonly put: operations["setClock"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/clock/advance": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Move the clock on */
        readonly post: operations["advanceClock"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/limits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Read the limits */
        readonly get: operations["getLimits"];
        /**
         * Set the limits
         * @description What is left out stays as the specification has it, unscaled.
         */
        readonly put: operations["setLimits"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/limits/counters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Start every window anew */
        readonly delete: operations["clearCounters"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/journal": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** List the exchanges */
        readonly get: operations["listJournal"];
        readonly put?: never;
        readonly post?: never;
        /** Empty the journal */
        readonly delete: operations["clearJournal"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/journal/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /**
         * Follow the journal
         * @description Server-sent events, one per exchange (event `exchange`), as it happens: the id is the request id, the data a JournalEntry. A client that comes back with Last-Event-ID gets what it missed, and before it the event `gap` where that exchange is no longer kept, with how many had to make room. A client that does not read gets `gap` too, with the number of exchanges that it misses as `skipped`: if more than 1 MiB (`--max streamBytes=N`) is recorded during a second or more in which it does not read, only the newest of it is sent, and after 5 minutes the stream ends. The event `emptied` tells that the journal was cleared. If there are as many streams as the server allows (`--max journalStreams=N`), the response is 503.
         */
        readonly get: operations["streamJournal"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/journal/{requestId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The request id of the exchange.
                 * @example default-1
                 */
                readonly requestId: components["parameters"]["requestId"];
            };
            readonly cookie?: never;
        };
        /** Look at an exchange */
        readonly get: operations["getExchange"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/journal.har": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Export the journal as HAR 1.2 */
        readonly get: operations["exportHar"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/journal/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Check what the client sent
         * @description Counts and order of calls. Answers every expectation, with the nearest miss of one that does not hold. The server limits the number of expectations (`expectations`, 1,000) and of requests that verify a sandbox at once (`verifies`, 100). After 2,000,000 comparisons it stops looking for nearest misses.
         */
        readonly post: operations["verifyJournal"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/report": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Read the report on the client */
        readonly get: operations["getReport"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/report.html": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Read the report as a page */
        readonly get: operations["getReportAsPage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/report.junit.xml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Read the report as JUnit XML */
        readonly get: operations["getReportAsJunit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{id}/report.md": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        /** Read the report as Markdown */
        readonly get: operations["getReportAsMarkdown"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/seeds": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the seeds
         * @description The data that a new sandbox can begin with.
         */
        readonly get: operations["listSeeds"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/openapi.yaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read this document */
        readonly get: operations["getControlContract"];
        readonly put?: never;
        readonly post?: never;
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
        /** @description A problem document (RFC 9457). `violations` has a JSON Pointer into the request for each thing that is wrong. */
        readonly Problem: {
            readonly type: string;
            readonly title: string;
            readonly status: number;
            readonly detail: string;
            readonly violations?: readonly {
                readonly pointer: string;
                readonly message: string;
            }[];
        };
        /** @description What a new sandbox is to be like; what is left out is as the server has it. */
        readonly NewSandbox: {
            /** @description Made up where none is given. */
            readonly id?: string;
            /** @description The name of a seed, or `generated:videos=1000` for one that is made; the server's own where none is given. */
            readonly seed?: string;
            /** @description What all randomness follows from. */
            readonly randomSeed?: number;
            /** @description A named set of options. */
            readonly profile?: string;
            readonly assumptions?: components["schemas"]["ChosenOptions"];
            /** @description The name of a scenario that plays from the beginning; null for none, whatever the server plays. */
            readonly scenario?: string | null;
            readonly clock?: components["schemas"]["ClockSetting"];
            /** @description Goes away after so many seconds of real time in which nobody used it. */
            readonly ttlSeconds?: number | null;
        };
        readonly School: {
            readonly name: string;
            readonly slug: string;
            /** @description Shortened but where the sandbox is made. */
            readonly apiKey: string;
        };
        readonly Sandbox: {
            readonly id: string;
            readonly schools: readonly components["schemas"]["School"][];
            /** @description Where a client is to be pointed: operations are at `<baseUrl>/public/<operation>`. */
            readonly baseUrl: string;
            readonly seed: string;
            readonly randomSeed: number;
            readonly scenario: string | null;
            readonly clock: components["schemas"]["Clock"];
            /**
             * Format: date-time
             * @description In real time.
             */
            readonly createdAt: string;
            readonly ttlSeconds: number | null;
            /**
             * @description How it came about: with the server, through the control plane, by a key that named it, or from a file of `--data`. Only one that a key opened, and that nobody changed, is removed to make room for another.
             * @enum {string}
             */
            readonly origin: "server" | "control-plane" | "key" | "file";
            /** @description Exchanges in the journal. */
            readonly exchanges: number;
            /** @description Records that differ from the seed. */
            readonly changedRecords: number;
        };
        readonly NewSandboxAnswer: components["schemas"]["Sandbox"];
        readonly SandboxList: {
            readonly sandboxes: readonly components["schemas"]["Sandbox"][];
        };
        readonly SeedList: {
            readonly seeds: readonly {
                /** @description As a new sandbox is asked for it. */
                readonly name: string;
            }[];
        };
        /** @description A whole state. */
        readonly StateDocument: {
            /** @constant */
            readonly format?: "learning-platform-sandbox/document";
            /** @description What the exported sandbox started from; of no meaning for an import. */
            readonly seed?: string;
            /** @description Lists of records by collection. One that is left out is empty. */
            readonly collections: {
                readonly [key: string]: readonly {
                    readonly [key: string]: unknown;
                }[];
            };
        };
        /** @description A record; each collection has its schema. */
        readonly Record: {
            readonly [key: string]: unknown;
        };
        /** @description Fields to set; null removes one. */
        readonly RecordPatch: {
            readonly [key: string]: unknown;
        };
        readonly RecordList: {
            readonly records: readonly components["schemas"]["Record"][];
        };
        readonly Snapshot: {
            readonly name: string;
            /**
             * Format: date-time
             * @description The sandbox's time then.
             */
            readonly at: string;
            readonly changedRecords: number;
            readonly rules: number;
        };
        readonly SnapshotList: {
            readonly snapshots: readonly components["schemas"]["Snapshot"][];
        };
        readonly Assumption: {
            readonly name: string;
            readonly question: string;
            /** @description The sentence of the specification that leaves it open. */
            readonly sentence: string;
            readonly section: string;
            /** @description What each option does. */
            readonly options: {
                readonly [key: string]: string;
            };
            readonly default: string;
            /** @description Why the default is the default. */
            readonly why: string;
            readonly chosen: string;
        };
        readonly AssumptionList: {
            readonly assumptions: readonly components["schemas"]["Assumption"][];
            /** @description The options that each profile sets. */
            readonly profiles: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
        };
        /** @description Options by the name of their assumption. */
        readonly ChosenOptions: {
            readonly [key: string]: string;
        };
        readonly ChosenProfile: {
            readonly profile: string;
        };
        /** @description One way to fail. */
        readonly Fault: {
            readonly name: string;
            /**
             * @description Where it strikes.
             * @enum {string}
             */
            readonly group: "reply" | "connection" | "batch" | "shape";
            /** @description What the client sees. */
            readonly summary: string;
            /**
             * @description The phase where a rule gives none.
             * @enum {string}
             */
            readonly phase: "before" | "after";
            readonly parameters: readonly components["schemas"]["FaultParameter"][];
        };
        readonly FaultParameter: {
            readonly name: string;
            /** @description What it is for. */
            readonly help: string;
            /** @description The values that it takes, in words. */
            readonly form: string;
            /** @enum {string} */
            readonly takes: "number" | "text";
            /** @description What it is where it is not given; null where it then counts as left out. */
            readonly standard: string | number | null;
        };
        readonly FaultList: {
            readonly faults: readonly components["schemas"]["Fault"][];
        };
        /** @description When which fault fires: the operations and calls that it concerns, the fault, and which of those calls it hits. */
        readonly NewFaultRule: {
            /** @description What the rule is called, in labels and in the journal. Made from the fault's name where none is given. */
            readonly id?: string;
            /** @description The operation, or several, or "*" for all (the default). */
            readonly operation?: string | readonly string[];
            readonly match?: components["schemas"]["FaultMatch"];
            /** @description The fault's name. */
            readonly fault: string;
            /** @description The fault's parameters by name. */
            readonly with?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description "before": nothing of what the fault hits takes effect. "after": it takes effect, and then the fault strikes. Each fault has its default.
             * @enum {string}
             */
            readonly phase?: "before" | "after";
            readonly when?: components["schemas"]["FaultTiming"];
        };
        /** @description Which calls a rule concerns; all that is given must fit. */
        readonly FaultMatch: {
            /** @description The slug of the school that calls. */
            readonly school?: string;
            /** @description The API key that the call carries. */
            readonly key?: string;
            /** @description Values of parameters, by name or by JSON Pointer into the parameters ("/details/courseItemType"). The call fits where one of its elements has them all; a fault that hits elements hits just those. */
            readonly parameters?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description Which of the calls that a rule concerns it hits; all that is given must hold. Calls are counted per rule, in the order in which they come, those that an earlier rule has hit not included. */
        readonly FaultTiming: {
            /** @description Lets so many calls through first. */
            readonly skip?: number;
            /** @description Only the first so many calls (after those skipped). */
            readonly first?: number;
            /** @description Only every nth call (after those skipped); 3 hits the third, the sixth … */
            readonly every?: number;
            /** @description Fires at most so many times. */
            readonly times?: number;
            /** @description The chance of each call to be hit, from 0 (never) to 1 (always). It follows from the sandbox's random seed, the rule, the operation and the number of the call in it, so the same calls are hit whatever runs beside them. */
            readonly probability?: number;
            /** @description Only from one moment up to (not including) another, on the sandbox's clock: date-times, or times from when the rule was added, such as "now+PT30S". */
            readonly between?: readonly string[];
            /** @description Only so many seconds from when the rule was added, on the sandbox's clock. */
            readonly ttlSeconds?: number;
        };
        /** @description A rule as it stands, with how often it was met. */
        readonly FaultRule: {
            readonly id: string;
            readonly operation?: string | readonly string[];
            readonly match?: components["schemas"]["FaultMatch"];
            readonly fault: string;
            readonly with?: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly phase?: "before" | "after";
            readonly when?: components["schemas"]["FaultTiming"];
            /** @description The scenario that it belongs to. */
            readonly scenario: string | null;
            /** @description Calls that it concerned and no earlier rule hit. */
            readonly matched: number;
            /** @description Those that it hit. */
            readonly fired: number;
        };
        /** @description Members of the rule to set; null removes one. */
        readonly FaultRulePatch: {
            readonly [key: string]: unknown;
        };
        readonly FaultRuleList: {
            /** @description The scenario that plays. */
            readonly scenario: string | null;
            readonly rules: readonly components["schemas"]["FaultRule"][];
        };
        /** @description A named script of rules, tried in order. */
        readonly Scenario: {
            /** @description What happens, in a line. */
            readonly summary: string;
            /** @description What a client that copes with it has got right. */
            readonly lesson?: string;
            readonly rules: readonly components["schemas"]["NewFaultRule"][];
        };
        readonly ScenarioList: {
            readonly scenarios: readonly {
                readonly name: string;
                readonly summary: string;
                readonly lesson?: string;
            }[];
        };
        readonly ChosenScenario: {
            /** @description The name of a scenario that the server knows; or what the one written out is to be called. */
            readonly name: string;
            readonly script?: components["schemas"]["Scenario"];
        };
        readonly Clock: {
            /** @enum {string} */
            readonly mode: "real" | "frozen";
            /** Format: date-time */
            readonly now: string;
        };
        readonly ClockSetting: {
            /** @enum {string} */
            readonly mode: "real" | "frozen";
            /**
             * Format: date-time
             * @description From where it goes; from where it stands where none is given.
             */
            readonly now?: string;
        };
        readonly ClockStep: {
            /** @description Back where it is below 0. */
            readonly seconds: number;
        };
        readonly LimitSetting: {
            /** @description Multiplies every limit; null switches all of them off. */
            readonly scale?: number | null;
            /** @description Calls per window by operation. */
            readonly operations?: {
                readonly [key: string]: number;
            };
        };
        readonly Limits: {
            readonly scale: number | null;
            readonly operations: {
                readonly [key: string]: components["schemas"]["OperationLimit"];
            };
        };
        readonly OperationLimit: {
            /** @description What holds now; null for no limit. */
            readonly requests: number | null;
            readonly windowSeconds: number;
            /** @description What the specification states. */
            readonly stated: number | null;
            /** @description What was set for this operation in this sandbox, before the scale; null where nothing was. */
            readonly own: number | null;
            readonly counters: readonly {
                /** @description A key (shortened), a school or an address, as the assumption rateLimitScope has it. */
                readonly who: string;
                readonly used: number;
            }[];
        };
        /** @description One exchange. */
        readonly JournalEntry: {
            readonly requestId: string;
            /**
             * Format: date-time
             * @description The sandbox's time when the call came.
             */
            readonly at: string;
            /**
             * Format: date-time
             * @description Real time when the call came.
             */
            readonly receivedAt: string;
            /** @description Real milliseconds from the end of the request to the reply. */
            readonly durationMs: number;
            readonly operation: string;
            readonly school: string | null;
            /** @description Shortened. */
            readonly key: string | null;
            /** @description Where a key was sent though it does not belong there. */
            readonly keyElsewhere: readonly ("url" | "body")[];
            readonly address: string;
            /** @description The network address and port that the call came from: calls of one connection share them. */
            readonly connection: string;
            /** @description 0 where a fault kept any from being sent. */
            readonly status: number;
            /** @description `client-gone` where the client did not wait for its turn, `fault` where faults were injected, the kind of refusal, `element-error` where an output is an error, else `ok`. Through the proxy also `http-<status>` for a status that says no more, `unreadable` for a reply without outputs, `upstream-timeout` and `upstream-failed` where no reply came, `request-violation` and `response-violation` where they were made errors. */
            readonly outcome: string;
            /** @description What became of each element; none where the operation did not run, or nothing of it took effect. */
            readonly outcomes: readonly ("ok" | "error")[];
            /** @description Why elements failed. */
            readonly failures: readonly {
                readonly element: number;
                /**
                 * @description `unknown` where another server answered, through the proxy.
                 * @enum {string}
                 */
                readonly kind: "not-found" | "conflict" | "invalid" | "injected" | "missing-output" | "unknown";
            }[];
            readonly faults: readonly {
                readonly fault: string;
                /** @enum {string} */
                readonly phase: "before" | "after";
                readonly rule: string | null;
            }[];
            /** @description The assumptions that shaped the reply. */
            readonly assumed: readonly string[];
            readonly violations: components["schemas"]["Violations"];
            readonly responseViolations?: components["schemas"]["ResponseViolations"];
            /** @description The URL that was called, without scheme and host. Values of secret parameters are masked. */
            readonly url: string;
            readonly requestHeaders: components["schemas"]["Headers"];
            /** @description The body, up to the limit of what is kept. */
            readonly request: string;
            readonly responseHeaders: components["schemas"]["Headers"];
            readonly response: string;
            /** @description How much of each body was too much to be kept. */
            readonly cut: {
                readonly request: number;
                readonly response: number;
            };
        };
        readonly Exchange: {
            readonly requestId: string;
            /**
             * Format: date-time
             * @description The sandbox's time when the call came.
             */
            readonly at: string;
            /**
             * Format: date-time
             * @description Real time when the call came.
             */
            readonly receivedAt: string;
            /** @description Real milliseconds from the end of the request to the reply. */
            readonly durationMs: number;
            readonly operation: string;
            readonly school: string | null;
            /** @description Shortened. */
            readonly key: string | null;
            /** @description Where a key was sent though it does not belong there. */
            readonly keyElsewhere: readonly ("url" | "body")[];
            readonly address: string;
            /** @description The network address and port that the call came from: calls of one connection share them. */
            readonly connection: string;
            /** @description 0 where a fault kept any from being sent. */
            readonly status: number;
            /** @description `client-gone` where the client did not wait for its turn, `fault` where faults were injected, the kind of refusal, `element-error` where an output is an error, else `ok`. Through the proxy also `http-<status>` for a status that says no more, `unreadable` for a reply without outputs, `upstream-timeout` and `upstream-failed` where no reply came, `request-violation` and `response-violation` where they were made errors. */
            readonly outcome: string;
            /** @description What became of each element; none where the operation did not run, or nothing of it took effect. */
            readonly outcomes: readonly ("ok" | "error")[];
            /** @description Why elements failed. */
            readonly failures: readonly {
                readonly element: number;
                /**
                 * @description `unknown` where another server answered, through the proxy.
                 * @enum {string}
                 */
                readonly kind: "not-found" | "conflict" | "invalid" | "injected" | "missing-output" | "unknown";
            }[];
            readonly faults: readonly {
                readonly fault: string;
                /** @enum {string} */
                readonly phase: "before" | "after";
                readonly rule: string | null;
            }[];
            /** @description The assumptions that shaped the reply. */
            readonly assumed: readonly string[];
            readonly violations: components["schemas"]["Violations"];
            readonly responseViolations?: components["schemas"]["ResponseViolations"];
            /** @description The URL that was called, without scheme and host. Values of secret parameters are masked. */
            readonly url: string;
            readonly requestHeaders: components["schemas"]["Headers"];
            /** @description The body, up to the limit of what is kept. */
            readonly request: string;
            readonly responseHeaders: components["schemas"]["Headers"];
            readonly response: string;
            /** @description How much of each body was too much to be kept. */
            readonly cut: {
                readonly request: number;
                readonly response: number;
            };
            /** @description The same request as a command. Put the key in the variable SANDBOX_API_KEY. Other secrets are left out, and a comment names them. */
            readonly curl: string;
        };
        /** @description Headers by lower-case name. The value of a header or query parameter is masked (`…`) if its name contains key, token, secret, auth, session, cookie, password or signature. `SERVICE-API-KEY` is shortened instead, and challenges such as `WWW-Authenticate` stay. */
        readonly Headers: {
            readonly [key: string]: string;
        };
        /** @description What the client got wrong against the contract. */
        readonly Violations: readonly {
            readonly pointer: string;
            readonly message: string;
        }[];
        /** @description What another server, behind the proxy, got wrong against the contract. Absent where no such server was asked. */
        readonly ResponseViolations: readonly {
            /** @description A JSON Pointer into the body of the response; empty for the response as a whole. */
            readonly pointer: string;
            readonly message: string;
        }[];
        /** @description What the journal says about the client. */
        readonly Report: {
            /** @description The sandbox; those of a run that used several, with commas between. */
            readonly sandbox: string;
            readonly calls: number;
            /** @description Older calls that had to make room in the journal and are not counted. */
            readonly evicted: number;
            /**
             * Format: date-time
             * @description When the first of them came, on the sandbox's clock.
             */
            readonly from: string | null;
            /** Format: date-time */
            readonly to: string | null;
            /** @description What the client met at each operation. */
            readonly coverage: readonly components["schemas"]["OperationCoverage"][];
            readonly neverCalled: readonly string[];
            /** @description How often the client met each fault. */
            readonly faultsMet: {
                readonly [key: string]: number;
            };
            readonly situations: components["schemas"]["Situations"];
            /** @description Where the client broke the contract. */
            readonly violations: readonly components["schemas"]["ReportedViolation"][];
            /** @description Where another server, behind the proxy, broke the contract. Absent where no such server was asked. */
            readonly responseViolations?: readonly components["schemas"]["ReportedViolation"][];
            /** @description What the lists of violations leave out, which is the rarest. Absent if they are complete; otherwise each has the 500 most frequent kinds. */
            readonly unlisted?: {
                readonly violations: components["schemas"]["UnlistedViolations"];
                readonly responseViolations: components["schemas"]["UnlistedViolations"];
            };
            /** @description How the client behaved, check by check. */
            readonly conduct: readonly components["schemas"]["ConductCheck"][];
        };
        /** @description One mistake, with the calls that made it. */
        readonly ReportedViolation: {
            readonly operation: string;
            /** @description JSON Pointer into the body; * stands for any element. */
            readonly pointer: string;
            readonly message: string;
            readonly count: number;
            readonly requestIds: readonly string[];
        };
        readonly UnlistedViolations: {
            /** @description How many different violations are not listed. */
            readonly kinds: number;
            /** @description How often they occurred. */
            readonly count: number;
        };
        readonly OperationCoverage: {
            readonly operation: string;
            readonly calls: number;
            /** @description How often calls came to each outcome. */
            readonly outcomes: {
                readonly [key: string]: number;
            };
            /** @description How often the client met each fault here. */
            readonly faults: {
                readonly [key: string]: number;
            };
            /** @description What the client sent. */
            readonly parameters: readonly components["schemas"]["OptionUse"][];
            /** @description What the client was answered. */
            readonly fields: readonly components["schemas"]["OptionUse"][];
        };
        /** @description One form that a documented field can have, and how often it occurred. */
        readonly OptionUse: {
            /** @description Where the field stands in the parameters or the result; * stands for any member. */
            readonly pointer: string;
            /** @description `given`, `left out`, `null`, `empty`, `not empty`, or a value as JSON. */
            readonly option: string;
            /** @description 0 where it never occurred. */
            readonly count: number;
        };
        /** @description What a client should have met once: each operation answering well, each with an element that fails, a key that is refused, and every fault at any operation. */
        readonly Situations: {
            readonly met: number;
            readonly of: number;
            /** @description Rounded down. */
            readonly percent: number;
            readonly missing: readonly components["schemas"]["MissingSituation"][];
        };
        readonly MissingSituation: {
            /** @enum {string} */
            readonly kind: "answer" | "element-error" | "refusal" | "fault";
            /** @description The operation, the refusal or the fault. */
            readonly name: string;
            readonly message: string;
            /** @description A command that shows it, or has the client meet it with its next call. It uses the variables that `lp-sandbox exec` sets. */
            readonly command: string;
        };
        /** @description One rule of good conduct, and whether the client kept it. */
        readonly ConductCheck: {
            /** @description Its name, such as retry-after. */
            readonly check: string;
            readonly title: string;
            /** @description What is held against what, on which clock, with which tolerance. */
            readonly rule: string;
            /** @enum {string} */
            readonly verdict: "passed" | "failed" | "not-exercised";
            /** @description How often the client had to keep it; where it never had, it was not exercised. */
            readonly occasions: number;
            /** @description The verdict in a sentence. */
            readonly message: string;
            readonly findings: readonly components["schemas"]["Finding"][];
            /** @description How to bring the client to it. */
            readonly exercise: string;
        };
        readonly Finding: {
            readonly operation: string;
            readonly message: string;
            /** @description The calls that show it, the first ones of many. */
            readonly evidence: readonly {
                readonly requestId: string;
                /**
                 * Format: date-time
                 * @description On the sandbox's clock.
                 */
                readonly at: string;
                /**
                 * Format: date-time
                 * @description In real time.
                 */
                readonly receivedAt: string;
            }[];
        };
        /** @description What became of the runs of `lp-sandbox matrix`, as its `--report` has it. Nothing of the control plane answers it. */
        readonly Matrix: {
            readonly runs: readonly components["schemas"]["MatrixRun"][];
            readonly passed: number;
            /** @description How many failed, the allowed ones too. */
            readonly failed: number;
            readonly notMet: number;
        };
        readonly MatrixRun: {
            /** @description Such as `defaults`, `missingKey=http-403`, `scenario:lost-replies`, `profile:strict`. */
            readonly name: string;
            /** @enum {string} */
            readonly kind: "defaults" | "assumption" | "scenario" | "profile";
            /** @description The options of the run's sandbox that are not the defaults. */
            readonly assumptions: {
                readonly [key: string]: string;
            };
            /** @description The scenario that its sandbox played; null for none. */
            readonly scenario: string | null;
            /**
             * @description `not-met` where the command passed, but what the run is about never showed: no reply was shaped by the assumption, or no rule of the scenario fired.
             * @enum {string}
             */
            readonly result: "passed" | "failed" | "not-met";
            /** @description Whether it may fail, by `--allow`. */
            readonly allowed: boolean;
            /** @description How many calls came to the run's sandbox. */
            readonly calls: number;
            readonly seconds: number;
            /** @description Of the command; null where a signal ended it. */
            readonly exitCode: number | null;
            readonly signal: string | null;
            /** @description Why it did not pass, in one line; null where it did. */
            readonly reason: string | null;
            /** @description The end of what the command wrote on both of its streams. */
            readonly output: string;
        };
        readonly JournalPage: {
            /** @description Newest last. */
            readonly entries: readonly components["schemas"]["JournalEntry"][];
            /** @description How many had to make room since the journal was last emptied. */
            readonly evicted: number;
            /** @description Whether more fit the filter. */
            readonly more: boolean;
        };
        /** @description An HTTP Archive 1.2, as browsers read it. */
        readonly Har: {
            readonly [key: string]: unknown;
        };
        /** @description What a call is to be like; all that is given must fit. */
        readonly ExpectedCall: {
            readonly operation?: string;
            /** @description The slug of the school. */
            readonly school?: string;
            /** @description `client-gone` where the client did not wait for its turn, `fault` where faults were injected, the kind of refusal, `element-error` where an output is an error, else `ok`. Through the proxy also `http-<status>` for a status that says no more, `unreadable` for a reply without outputs, `upstream-timeout` and `upstream-failed` where no reply came, `request-violation` and `response-violation` where they were made errors. */
            readonly outcome?: string;
            /** @description A part of the parameters of one of the elements. */
            readonly parameters?: {
                readonly [key: string]: unknown;
            };
            /** @description A part of the body; a list must have just the members given. */
            readonly body?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description How many calls there are to be like this; at least one where nothing is said. */
        readonly ExpectedCount: {
            readonly operation?: string;
            readonly school?: string;
            /** @description `client-gone` where the client did not wait for its turn, `fault` where faults were injected, the kind of refusal, `element-error` where an output is an error, else `ok`. Through the proxy also `http-<status>` for a status that says no more, `unreadable` for a reply without outputs, `upstream-timeout` and `upstream-failed` where no reply came, `request-violation` and `response-violation` where they were made errors. */
            readonly outcome?: string;
            readonly parameters?: {
                readonly [key: string]: unknown;
            };
            readonly body?: {
                readonly [key: string]: unknown;
            };
            /** @description Exactly so many. */
            readonly times?: number;
            readonly atLeast?: number;
            readonly atMost?: number;
        };
        readonly Expectations: {
            readonly counts?: readonly components["schemas"]["ExpectedCount"][];
            /** @description Calls that come in this order; others may come between. */
            readonly sequence?: readonly components["schemas"]["ExpectedCall"][];
            /** @description How long to wait until all of it holds, in real milliseconds. */
            readonly waitMs?: number;
        };
        readonly Verdict: {
            readonly holds: boolean;
            /** @description How many exchanges had to make room in the journal and were not looked at. */
            readonly evicted: number;
            readonly counts: readonly {
                readonly holds: boolean;
                readonly found: number;
                readonly message: string;
                readonly nearest?: components["schemas"]["NearestMiss"];
            }[];
            readonly sequence: readonly {
                readonly holds: boolean;
                /** @description The call that stands for it. */
                readonly requestId: string | null;
                readonly message: string;
                readonly nearest?: components["schemas"]["NearestMiss"];
            }[];
        };
        /** @description The call that comes closest to what was expected, and where it differs. */
        readonly NearestMiss: {
            readonly requestId: string;
            readonly differences: readonly {
                /** @description What differs: operation, school, outcome, or a JSON Pointer into the parameters or the body. */
                readonly at: string;
                /** @description What was expected. */
                readonly expected: unknown;
                /** @description What came; left out where nothing did. */
                readonly actual?: unknown;
            }[];
        };
    };
    responses: {
        /** @description Why the request cannot be followed. Nothing has changed. */
        readonly Problem: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The id of the sandbox.
         * @example default
         */
        readonly id: string;
        /**
         * @description The name of the collection.
         * @example coupons
         */
        readonly collection: string;
        /**
         * @description The id of the record.
         * @example 5bb6bf98e3b6a0f3c19b07c3
         */
        readonly recordId: string;
        /**
         * @description The name of the snapshot.
         * @example before-lunch
         */
        readonly name: string;
        /**
         * @description The id of the rule.
         * @example http-error-1
         */
        readonly ruleId: string;
        /**
         * @description The request id of the exchange.
         * @example default-1
         */
        readonly requestId: string;
        /** @description Only exchanges of this operation. */
        readonly operation: string;
        /** @description Only exchanges with this outcome: ok, element-error, fault, client-gone, or a kind of refusal. */
        readonly outcome: string;
        /** @description Only exchanges of the school of this slug. */
        readonly school: string;
        /** @description Only exchanges after the one of this request id, or from this moment on (ISO 8601, on the sandbox's clock). */
        readonly since: string;
        /** @description The maximum number of exchanges: the first ones after `since`, else the newest. The default is the limit of the server, `journalPage` (200). If `more` is true, ask for the next page with the last request id as `since`. */
        readonly limit: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listSandboxes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxList"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
    readonly createSandbox: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewSandbox"];
            };
        };
        readonly responses: {
            /** @description Made. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewSandboxAnswer"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly getSandbox: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sandbox"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly removeSandbox: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly resetSandbox: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly exportState: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StateDocument"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly importState: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["StateDocument"];
            };
        };
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly listRecords: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the collection.
                 * @example coupons
                 */
                readonly collection: components["parameters"]["collection"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecordList"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getRecord: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the collection.
                 * @example coupons
                 */
                readonly collection: components["parameters"]["collection"];
                /**
                 * @description The id of the record.
                 * @example 5bb6bf98e3b6a0f3c19b07c3
                 */
                readonly recordId: components["parameters"]["recordId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Record"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly putRecord: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the collection.
                 * @example coupons
                 */
                readonly collection: components["parameters"]["collection"];
                /**
                 * @description The id of the record.
                 * @example 5bb6bf98e3b6a0f3c19b07c3
                 */
                readonly recordId: components["parameters"]["recordId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Record"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Record"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly removeRecord: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the collection.
                 * @example coupons
                 */
                readonly collection: components["parameters"]["collection"];
                /**
                 * @description The id of the record.
                 * @example 5bb6bf98e3b6a0f3c19b07c3
                 */
                readonly recordId: components["parameters"]["recordId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
        };
    };
    readonly patchRecord: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the collection.
                 * @example coupons
                 */
                readonly collection: components["parameters"]["collection"];
                /**
                 * @description The id of the record.
                 * @example 5bb6bf98e3b6a0f3c19b07c3
                 */
                readonly recordId: components["parameters"]["recordId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RecordPatch"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Record"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly listSnapshots: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SnapshotList"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getSnapshot: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the snapshot.
                 * @example before-lunch
                 */
                readonly name: components["parameters"]["name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Snapshot"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly takeSnapshot: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the snapshot.
                 * @example before-lunch
                 */
                readonly name: components["parameters"]["name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Snapshot"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly removeSnapshot: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the snapshot.
                 * @example before-lunch
                 */
                readonly name: components["parameters"]["name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly restoreSnapshot: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The name of the snapshot.
                 * @example before-lunch
                 */
                readonly name: components["parameters"]["name"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly listAssumptions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AssumptionList"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly changeAssumptions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChosenOptions"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AssumptionList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly chooseProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChosenProfile"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AssumptionList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly listFaultRules: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FaultRuleList"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly addFaultRule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewFaultRule"];
            };
        };
        readonly responses: {
            /** @description Made. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FaultRule"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly clearFaultRules: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getFaultRule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The id of the rule.
                 * @example http-error-1
                 */
                readonly ruleId: components["parameters"]["ruleId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FaultRule"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly removeFaultRule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The id of the rule.
                 * @example http-error-1
                 */
                readonly ruleId: components["parameters"]["ruleId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly changeFaultRule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The id of the rule.
                 * @example http-error-1
                 */
                readonly ruleId: components["parameters"]["ruleId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FaultRulePatch"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FaultRule"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly listFaults: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FaultList"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
    readonly listScenarios: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenarioList"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
    readonly playScenario: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChosenScenario"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FaultRuleList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly stopScenario: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getClock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly setClock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ClockSetting"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly advanceClock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ClockStep"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Clock"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly getLimits: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Limits"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly setLimits: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LimitSetting"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Limits"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly clearCounters: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly listJournal: {
        readonly parameters: {
            readonly query?: {
                /** @description Only exchanges of this operation. */
                readonly operation?: components["parameters"]["operation"];
                /** @description Only exchanges with this outcome: ok, element-error, fault, client-gone, or a kind of refusal. */
                readonly outcome?: components["parameters"]["outcome"];
                /** @description Only exchanges of the school of this slug. */
                readonly school?: components["parameters"]["school"];
                /** @description Only exchanges after the one of this request id, or from this moment on (ISO 8601, on the sandbox's clock). */
                readonly since?: components["parameters"]["since"];
                /** @description The maximum number of exchanges: the first ones after `since`, else the newest. The default is the limit of the server, `journalPage` (200). If `more` is true, ask for the next page with the last request id as `since`. */
                readonly limit?: components["parameters"]["limit"];
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JournalPage"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly clearJournal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly streamJournal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly getExchange: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
                /**
                 * @description The request id of the exchange.
                 * @example default-1
                 */
                readonly requestId: components["parameters"]["requestId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Exchange"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly exportHar: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Har"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly verifyJournal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Expectations"];
            };
        };
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Verdict"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly getReport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getReportAsPage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getReportAsJunit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/xml": string;
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getReportAsMarkdown: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/markdown": string;
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly listSeeds: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SeedList"];
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
    readonly getControlContract: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/yaml": string;
                };
            };
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
}
