// Generated from openapi/control.yaml by `npm run generate`.
export interface paths {
    readonly "/control/sandboxes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the sandboxes
         * @description Lists sandboxes in order of creation, the default sandbox first. The list includes sandboxes that a call created through its key. Without query parameters, it has all sandboxes; with any, it has pages. Replicas that share a database always send pages, with the sandboxes of all replicas. Creating or deleting a sandbox between two pages moves no other sandbox. One that is used or changes its size meanwhile can move in the orders `used` and `size`. If replicas share a database with more than 1,000 sandboxes, these orders are approximate for sandboxes in use: `used` to a minute, and `size` to 1 KiB or 1/64 of the size, whichever is more.
         */
        readonly get: operations["listSandboxes"];
        readonly put?: never;
        /**
         * Create a sandbox
         * @description Only this response shows the API keys of the schools in full.
         */
        readonly post: operations["createSandbox"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get a sandbox
         * @description Describes the seed, schools, clock and scenario of the sandbox. API keys are shortened.
         */
        readonly get: operations["getSandbox"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a sandbox
         * @description The default sandbox is reset instead.
         */
        readonly delete: operations["removeSandbox"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Issue the next token of a sandbox
         * @description Returns a new sandbox token. The token before it is not valid any more, and open streams of the journal end. If the server has no `--token-secret`, the response is 409.
         */
        readonly post: operations["issueSandboxToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/access": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get what the token permits
         * @description Returns whether the token in the request permits all requests to the server, or only those for one sandbox.
         */
        readonly get: operations["getAccess"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/reset": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Reset a sandbox to its seed
         * @description Restores all records, in one step. Resets the rate limits and restarts the scenario. Deletes the other fault rules. Keeps the journal, the snapshots and the assumptions.
         */
        readonly post: operations["resetSandbox"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/state": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Export the whole state
         * @description Returns the records of all collections. PUT imports them into this sandbox or another one.
         */
        readonly get: operations["exportState"];
        /**
         * Import a whole state
         * @description Deletes all records that are not in the document. An invalid document changes nothing.
         */
        readonly put: operations["importState"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/state/{collection}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
                /**
                 * @description The name of the collection.
                 * @example coupons
                 */
                readonly collection: components["parameters"]["collection"];
            };
            readonly cookie?: never;
        };
        /**
         * List the records of a collection
         * @description Returns the records of all schools, or of one school, in list order. With a parameter other than `school`, also returns how many records match, and which of the returned ones differ from the seed.
         */
        readonly get: operations["listRecords"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/state/{collection}/{recordId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
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
        /**
         * Get a record
         * @description Returns the stored record, including fields that operations do not return.
         */
        readonly get: operations["getRecord"];
        /**
         * Add or replace a record
         * @description The record must match the schema of its collection and refer only to existing records. With `If-Match` and the `ETag` of a response, the server replaces the record only if nobody has changed it since. With `If-None-Match: *`, it can only add a record: if the record already exists, the server returns 412.
         */
        readonly put: operations["putRecord"];
        readonly post?: never;
        /**
         * Delete a record
         * @description Deletes the record, unless another record refers to it.
         */
        readonly delete: operations["removeRecord"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change fields of a record
         * @description The body is a JSON Merge Patch (RFC 7396): null removes a field.
         */
        readonly patch: operations["patchRecord"];
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/collections": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * List the collections
         * @description Returns the number of records in each collection, and how many records differ from the seed.
         */
        readonly get: operations["listCollections"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/changes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * List the records that differ from the seed
         * @description Returns each added, changed and removed record, with its content in the seed and its content now. A record that was changed back is not in the list.
         */
        readonly get: operations["listChanges"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/video-folders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read a folder of videos
         * @description Returns the folders directly in a folder, by default in the root, and how many videos are in them and below. A folder exists if a video is in it or below it. To list the videos of a folder, set `folder` in a request for the records of `videos`.
         */
        readonly get: operations["readVideoFolder"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/deviations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * List what is unusual
         * @description Returns how the sandbox differs from one with a running clock in real time, no faults, the default assumptions and the documented limits. Its records are not compared; `changes` lists them.
         */
        readonly get: operations["listDeviations"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/revision": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Find out whether a sandbox has changed
         * @description Returns how often the parts of the sandbox that a snapshot restores were changed, by calls or by this API. If two responses are the same, nothing has changed in between. If `loadedAt` differs, the server has loaded the sandbox again, and the counts cannot be compared. A successful request that may change the sandbox returns them, too: as JSON in the header `Sandbox-Revision`. They include its own changes, but no later ones.
         */
        readonly get: operations["readRevision"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/snapshots": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * List the snapshots
         * @description Lists snapshots by name. A snapshot stores records, clock, assumptions and rules.
         */
        readonly get: operations["listSnapshots"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/snapshots/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
                /**
                 * @description The name of the snapshot.
                 * @example before-lunch
                 */
                readonly name: components["parameters"]["name"];
            };
            readonly cookie?: never;
        };
        /**
         * Get a snapshot
         * @description Describes the snapshot: when it was taken, and how many records had changed since the seed. It does not return the records.
         */
        readonly get: operations["getSnapshot"];
        /**
         * Take a snapshot
         * @description Saves the state, the clock, the assumptions and the rules. Replaces a snapshot of the same name.
         */
        readonly put: operations["takeSnapshot"];
        readonly post?: never;
        /**
         * Delete a snapshot
         * @description Deletes the snapshot. The state of the sandbox does not change.
         */
        readonly delete: operations["removeSnapshot"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/snapshots/{name}/restore": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
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
         * Restore a snapshot
         * @description Restores everything in the snapshot in one step. Resets the counters of rules and limits.
         */
        readonly post: operations["restoreSnapshot"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/assumptions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * List the assumptions
         * @description Returns each assumption with its question, its options and the option that the sandbox uses.
         */
        readonly get: operations["listAssumptions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Choose options
         * @description Sets the options of the assumptions in the body, and their templates. Other assumptions do not change. The options apply from the next call. If an option changes how calls are counted, the rate limit counters are reset.
         */
        readonly patch: operations["changeAssumptions"];
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/profile": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Choose a profile
         * @description Also resets every assumption that the profile does not set.
         */
        readonly put: operations["chooseProfile"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/faults": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * List the rules
         * @description Returns the rules in the order in which the server tries them.
         */
        readonly get: operations["listFaultRules"];
        readonly put?: never;
        /**
         * Add a rule
         * @description Adds the rule after the existing rules.
         */
        readonly post: operations["addFaultRule"];
        /**
         * Delete all rules
         * @description Deletes all rules, including those of the scenario.
         */
        readonly delete: operations["clearFaultRules"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/faults/restore": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Restore deleted rules
         * @description Puts deleted rules back, at their places and with their counters. A rule of a scenario brings its scenario back in place of the current one.
         *     The server keeps the last 200 deleted rules, until it starts again or needs their memory.
         */
        readonly post: operations["restoreFaultRules"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/faults/{ruleId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
                /**
                 * @description The id of the rule.
                 * @example http-error-1
                 */
                readonly ruleId: components["parameters"]["ruleId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get a rule
         * @description Returns the rule and the number of calls that it has matched and affected.
         */
        readonly get: operations["getFaultRule"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a rule
         * @description Deletes the rule. Calls in flight may still receive its fault.
         */
        readonly delete: operations["removeFaultRule"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a rule
         * @description The body is a JSON Merge Patch (RFC 7396). The rule keeps its position; its counters are reset.
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
         * @description Returns all faults that a rule can use, with their parameters.
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
        /**
         * List the scenarios
         * @description Returns the built-in scenarios, with the purpose of each.
         */
        readonly get: operations["listScenarios"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/scenario": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Play a scenario
         * @description Replaces the current scenario by a known one (`name`) or your own (`script`).
         */
        readonly put: operations["playScenario"];
        readonly post?: never;
        /**
         * Stop the scenario
         * @description Deletes the rules of the scenario. Keeps the other rules.
         */
        readonly delete: operations["stopScenario"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/clock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get the clock
         * @description Returns the time of the sandbox, and whether it is frozen.
         */
        readonly get: operations["getClock"];
        /**
         * Set the clock
         * @description Sets the clock to real time or another time, or stops it. Sessions, expiries, signatures and rate limits use this clock.
         */
        readonly put: operations["setClock"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/clock/advance": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Advance the clock
         * @description Moves the clock forward, or back by negative seconds, even if it is frozen. Delays that would end within this time end before the response.
         */
        readonly post: operations["advanceClock"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/quotas": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get the quotas
         * @description Returns what this server lets the sandbox use, and how much of it the sandbox uses. These are limits of this server, not of the platform.
         */
        readonly get: operations["getQuotas"];
        /**
         * Set the quotas
         * @description Only the control token of the server permits this request. An omitted quota becomes that of the server. A journal beyond its quota loses its oldest entries. All other data stays, even beyond a quota; then the sandbox accepts nothing more.
         */
        readonly put: operations["setQuotas"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/limits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get the limits
         * @description Returns the rate limit of each operation, with the usage of each caller.
         */
        readonly get: operations["getLimits"];
        /**
         * Set the limits
         * @description Omitted members are reset to the specification's limits, without a scale.
         */
        readonly put: operations["setLimits"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/limits/counters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Reset the counters
         * @description Resets the usage of all callers to zero. Keeps the limits.
         */
        readonly delete: operations["clearCounters"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/journal": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * List the journal entries
         * @description Returns a page of the requests to operations and their responses, oldest first.
         */
        readonly get: operations["listJournal"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Clear the journal
         * @description Deletes all entries. Request ids keep counting. `restoreJournal` undoes it.
         */
        readonly delete: operations["clearJournal"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/journal/restore": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Restore the journal
         * @description Restores the entries that the last `clearJournal` deleted, before the entries that were added since. The server keeps the deleted entries until
         *     the journal is cleared again, or until it needs their memory for other entries.
         */
        readonly post: operations["restoreJournal"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/journal/scopes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * List the scopes
         * @description Returns the scopes in the journal with the number of calls in each, and the current scope.
         */
        readonly get: operations["listScopes"];
        readonly put?: never;
        /**
         * Start a scope
         * @description From now on, the calls of this sandbox belong to the scope, until another one starts. The header `Sandbox-Scope` of a call and the label of its key take precedence. The report judges each scope by itself, as if it were another client. The scope is part of the journal: a restart of the server ends it.
         */
        readonly post: operations["startScope"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/journal/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Follow the journal
         * @description Server-sent events, one per journal entry (event `exchange`): the id is the request id, the data a JournalEntry, or a JournalSummary if the request asks for it. A client that reconnects with Last-Event-ID receives the entries that it missed. If the entry of this id was evicted, the event `gap` comes first and counts the evicted entries. A client that stops reading for a second or more, while more than 1 MiB (`--max streamBytes=N`) is added, receives only the newest entries. It also receives `gap`, with the number of missed entries as `skipped`. If it still does not read after 5 minutes, the stream ends. The event `emptied` means that the journal was cleared, or that a clearing was undone and all entries follow again. The event `removed` means that the sandbox was deleted; then the stream ends. An open stream alone does not protect its sandbox from being deleted to make room for another one (`--max-sandboxes`). If the maximum number of streams is open (`--max journalStreams=N`), the response is 503.
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
    readonly "/control/sandboxes/{sandboxId}/journal/{requestId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
                /**
                 * @description The request id of the call.
                 * @example default-1
                 */
                readonly requestId: components["parameters"]["requestId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get a journal entry
         * @description Returns a request, its response, and a curl command that repeats the request.
         */
        readonly get: operations["getExchange"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/journal.har": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Export the journal as HAR 1.2
         * @description Returns the journal as an HTTP archive (HAR) for browsers and other tools. Keys are masked.
         */
        readonly get: operations["exportHar"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/journal/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Verify the calls of the client
         * @description Checks the counts and the order of calls. Returns a result for each expectation, with the nearest miss if it does not hold. The server limits the number of expectations (`expectations`, 1,000) and of concurrent requests for a sandbox (`verifies`, 100). After 2,000,000 comparisons it stops searching for nearest misses.
         */
        readonly post: operations["verifyJournal"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/report": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get the report on the client
         * @description Returns what the journal shows about the client: coverage, contract violations and conduct.
         */
        readonly get: operations["getReport"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/report.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get the report as a JSON file
         * @description The same as `/report`, indented for readers.
         */
        readonly get: operations["getReportAsFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/report.html": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get the report as a page
         * @description Returns the same report as an HTML page without scripts, to save or share.
         */
        readonly get: operations["getReportAsPage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/report.junit.xml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get the report as JUnit XML
         * @description All findings are in the output of the test cases. A test case fails only for findings that `failOn` names.
         */
        readonly get: operations["getReportAsJunit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/sandboxes/{sandboxId}/report.md": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get the report as Markdown
         * @description Returns a shorter report as Markdown, for pull requests and job summaries.
         */
        readonly get: operations["getReportAsMarkdown"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/report": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the report on all sandboxes
         * @description The reports of all sandboxes with calls, merged: calls, coverage and occasions are added up, a situation is met if it was met in any sandbox, and each check gets its worst verdict.
         */
        readonly get: operations["getFullReport"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/report.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the report on all sandboxes as a JSON file
         * @description The same as `/control/report`, indented for readers.
         */
        readonly get: operations["getFullReportAsFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/report.html": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the report on all sandboxes as a page
         * @description Returns the report on all sandboxes as an HTML page.
         */
        readonly get: operations["getFullReportAsPage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/report.junit.xml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the report on all sandboxes as JUnit XML
         * @description All findings are in the output of the test cases. A test case fails only for findings that `failOn` names.
         */
        readonly get: operations["getFullReportAsJunit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/control/report.md": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get the report on all sandboxes as Markdown
         * @description Returns the report on all sandboxes as Markdown.
         */
        readonly get: operations["getFullReportAsMarkdown"];
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
         * @description Returns the data that a new sandbox can start with.
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
        /**
         * Get this document
         * @description Returns the OpenAPI document of the control plane.
         */
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
        /** @description A problem document (RFC 9457). If `type` is `about:blank`, `title` is the phrase of HTTP for the status. Other types are URNs of this server, such as `urn:learning-platform-sandbox:invalid-input`. Each of `violations` has a JSON Pointer into the request. */
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
        /** @description The settings of a new sandbox. Omitted members use the server's defaults. */
        readonly NewSandbox: {
            /** @description Generated if omitted. With `--token-secret`, nobody can guess it. */
            readonly id?: string;
            /** @description The name of a seed, or for example `generated:videos=1000` to generate one. The default is the seed of the server. */
            readonly seed?: string;
            /** @description Determines all random values. */
            readonly randomSeed?: number;
            /** @description A named set of options. */
            readonly profile?: string;
            readonly assumptions?: components["schemas"]["OptionsByName"];
            readonly refusalTemplate?: components["schemas"]["RefusalTemplate"];
            readonly gatewayTemplate?: components["schemas"]["RefusalTemplate"];
            /** @description The name of a scenario to play from the start. Null for none, even if the server has a default scenario. */
            readonly scenario?: string | null;
            readonly clock?: components["schemas"]["ClockSetting"];
            /** @description Deletes the sandbox after this many seconds of real time without use. Null for never. If omitted: never, or on replicas that share a database, after `--idle-expiry`. */
            readonly ttlSeconds?: number | null;
            readonly quotas?: components["schemas"]["QuotaSetting"];
        };
        /** @description Quotas of one sandbox. An omitted one is that of the server (`--max`). They are limits of this server, not of the platform. */
        readonly QuotaSetting: {
            /** @description Records that differ from the seed. */
            readonly stateRecords?: number;
            /** @description Memory for the records that differ from the seed, for snapshots and for fault rules. */
            readonly stateBytes?: number;
            /** @description Entries in the journal; the oldest ones are deleted. */
            readonly journalEntries?: number;
            /** @description Memory for the journal; the oldest entries are deleted. */
            readonly journalBytes?: number;
            /** @description Calls with a valid key in one second of real time. */
            readonly callsPerSecond?: number;
        };
        readonly Quotas: {
            readonly stateRecords: components["schemas"]["Quota"];
            readonly stateBytes: components["schemas"]["Quota"];
            readonly journalEntries: components["schemas"]["Quota"];
            readonly journalBytes: components["schemas"]["Quota"];
            readonly callsPerSecond: components["schemas"]["Quota"];
        };
        readonly Quota: {
            /** @description The quota. */
            readonly max: number;
            /** @description The quota that the sandbox has of its own. Null if it has that of the server. */
            readonly own: number | null;
            /** @description How much the sandbox uses now. For calls, those of the last second, counted only if there is a quota. */
            readonly used: number;
        };
        readonly School: {
            readonly name: string;
            readonly slug: string;
            /** @description Masked, except in the response that creates the sandbox. */
            readonly apiKey: string;
        };
        readonly Sandbox: {
            readonly id: string;
            readonly schools: readonly components["schemas"]["School"][];
            /** @description The base URL for clients: operations are at `<baseUrl>/public/<operation>`. */
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
             * @description What created it: the server, the control plane, the first call with its key, or a file in `--data`. To make room, the server deletes only unchanged sandboxes that were created by a key.
             * @enum {string}
             */
            readonly origin: "server" | "control-plane" | "key" | "file";
            /** @description The number of journal entries. */
            readonly exchanges: number;
            /** @description The number of records that differ from the seed. */
            readonly changedRecords: number;
            /**
             * Format: date-time
             * @description The last use, in real time. Only pages of the list have it. Replicas store a use without changes up to a minute later.
             */
            readonly usedAt?: string;
            /** @description The memory for the changed records, snapshots and fault rules. Only pages of the list have it. */
            readonly stateBytes?: number;
            /** @description A control token that permits only requests for this sandbox. Only the response that creates the sandbox has it, and only if the server has a `--token-secret`. */
            readonly token?: string;
            /** @description The service to which `lp-sandbox proxy` forwards all calls. The schools, data, faults, clock and limits of the sandbox then have no effect. Absent if the server is not a proxy. */
            readonly upstream?: string;
        };
        readonly NewSandboxAnswer: components["schemas"]["Sandbox"];
        readonly SandboxList: {
            readonly sandboxes: readonly components["schemas"]["Sandbox"][];
            /** @description The `cursor` of the next page. Null on the last page; absent without pages. */
            readonly next?: string | null;
            /** @description The number of sandboxes on all pages. Absent without pages. If replicas share a database with more than 10,000 sandboxes, it is up to two minutes old, or an estimate until they are counted. */
            readonly total?: number;
        };
        readonly SandboxToken: {
            /** @description Permits only requests for its sandbox. No other response shows it. */
            readonly token: string;
        };
        readonly Access: {
            /** @enum {string} */
            readonly permits: "server" | "sandbox";
            /** @description The sandbox that the token permits. Null if it permits all. */
            readonly sandboxId: string | null;
        };
        readonly SeedList: {
            readonly seeds: readonly {
                /** @description The value for `seed` of a new sandbox. */
                readonly name: string;
            }[];
        };
        /** @description All records of a sandbox. */
        readonly StateDocument: {
            /** @constant */
            readonly format?: "learning-platform-sandbox/document";
            /** @description The seed of the exported sandbox. An import ignores it. */
            readonly seed?: string;
            /** @description Lists of records by collection. Omitted collections are empty. */
            readonly collections: {
                readonly [key: string]: readonly {
                    readonly [key: string]: unknown;
                }[];
            };
        };
        /** @description A record. Each collection has its own schema. */
        readonly Record: {
            readonly [key: string]: unknown;
        };
        /** @description Fields to set; null removes a field. */
        readonly RecordPatch: {
            readonly [key: string]: unknown;
        };
        readonly RecordList: {
            readonly records: readonly components["schemas"]["Record"][];
            /** @description The number of records that match, on all pages. */
            readonly total?: number;
            /** @description The returned records that differ from the seed. */
            readonly changes?: readonly {
                readonly recordId: string;
                /** @enum {string} */
                readonly kind: "added" | "changed" | "removed";
            }[];
        };
        readonly CollectionList: {
            readonly collections: readonly {
                readonly name: string;
                /** @description The number of records. */
                readonly records: number;
                /** @description The number of added, changed and removed records, compared with the seed. */
                readonly differences: number;
            }[];
        };
        readonly VideoFolder: {
            readonly path: string;
            /** @description The number of videos in the folder and below it. */
            readonly videos: number;
            readonly folders: readonly {
                readonly path: string;
                /** @description The number of videos in the folder and below it. */
                readonly videos: number;
            }[];
        };
        /** @description A record that differs from the seed. */
        readonly RecordChange: {
            readonly collection: string;
            readonly recordId: string;
            /** @enum {string} */
            readonly kind: "added" | "changed" | "removed";
            /** @description The record of the seed; null if the record was added. */
            readonly before: components["schemas"]["Record"] | null;
            /** @description The record now; null if the record was removed. */
            readonly after: components["schemas"]["Record"] | null;
        };
        readonly ChangeList: {
            readonly changes: readonly components["schemas"]["RecordChange"][];
            /** @description The number of differences that match, with `limit` in the query. */
            readonly total?: number;
        };
        readonly Deviations: {
            readonly clock: {
                /** @enum {string} */
                readonly mode: "real" | "frozen";
                /** Format: date-time */
                readonly now: string;
                /** @description How far the clock is ahead of real time. Negative if it is behind. */
                readonly aheadSeconds: number;
            };
            /** @description The current scenario; null for none. */
            readonly scenario: string | null;
            /** @description The number of rules that were added individually. */
            readonly rules: number;
            /** @description The names of the assumptions that do not have their default option. */
            readonly assumptions: readonly string[];
            readonly limits: {
                /** @description The scale of all limits; null if they are off. */
                readonly scale: number | null;
                /** @description The number of operations with a limit of their own. */
                readonly own: number;
            };
        };
        readonly Revision: {
            /**
             * Format: date-time
             * @description The real time when the server created or loaded the sandbox, from which it counts.
             */
            readonly loadedAt: string;
            /** @description How often a record was changed or all of them were replaced. */
            readonly records: number;
            /** @description How often the clock was set. */
            readonly clock: number;
            /** @description How often the assumptions were set. */
            readonly assumptions: number;
            /** @description How often fault rules were added, changed or deleted. */
            readonly rules: number;
        };
        readonly Snapshot: {
            readonly name: string;
            /**
             * Format: date-time
             * @description The sandbox's time when the snapshot was taken.
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
            /** @description The sentence of the specification that leaves the point open. */
            readonly sentence: string;
            readonly section: string;
            /** @description What each option does. */
            readonly options: {
                readonly [key: string]: string;
            };
            readonly default: string;
            /** @description The reason for the default. */
            readonly why: string;
            readonly chosen: string;
        };
        readonly AssumptionList: {
            readonly templates: components["schemas"]["Templates"];
            readonly assumptions: readonly components["schemas"]["Assumption"][];
            /** @description The options that each profile sets. */
            readonly profiles: {
                readonly [key: string]: {
                    readonly [key: string]: string;
                };
            };
            /** @description The values that the API returns for a field whatever the record has. */
            readonly fixedValues: readonly components["schemas"]["FixedValue"][];
        };
        readonly FixedValue: {
            readonly collection: string;
            readonly field: string;
            /** @description What the API returns. */
            readonly value: string;
            /** @description The assumption whose chosen option is the reason. */
            readonly assumption: string;
        };
        /** @description Options by assumption name. */
        readonly OptionsByName: {
            readonly [key: string]: string;
        };
        /** @description Options by assumption name, and the templates of the option `template`. */
        readonly ChosenOptions: {
            readonly refusalTemplate?: components["schemas"]["RefusalTemplate"];
            readonly gatewayTemplate?: components["schemas"]["RefusalTemplate"];
        } & {
            readonly [key: string]: string;
        };
        /**
         * @description The body of refusals for the option `template` of `refusalBody` or `gatewayRefusalBody`. It is a JSON object in a string, with the placeholders `{{status}}`, `{{code}}`, `{{message}}`, `{{requestId}}` and `{{path}}`. Null if there is none.
         * @example {"code":"{{code}}","text":"{{message}}"}
         */
        readonly RefusalTemplate: string | null;
        /** @description The templates of the option `template`. */
        readonly Templates: {
            readonly refusalTemplate: components["schemas"]["RefusalTemplate"];
            readonly gatewayTemplate: components["schemas"]["RefusalTemplate"];
        };
        readonly ChosenProfile: {
            readonly profile: string;
        };
        /** @description One way to fail. */
        readonly Fault: {
            readonly name: string;
            /**
             * @description What it affects.
             * @enum {string}
             */
            readonly group: "reply" | "connection" | "batch" | "shape";
            /** @description What the client sees. */
            readonly summary: string;
            /**
             * @description The default phase.
             * @enum {string}
             */
            readonly phase: "before" | "after";
            readonly parameters: readonly components["schemas"]["FaultParameter"][];
        };
        readonly FaultParameter: {
            readonly name: string;
            /** @description The purpose of the parameter. */
            readonly help: string;
            /** @description The accepted values, in words. */
            readonly form: string;
            /** @enum {string} */
            readonly takes: "number" | "text";
            /** @description The default; null if there is none. */
            readonly standard: string | number | null;
        };
        readonly FaultList: {
            readonly faults: readonly components["schemas"]["Fault"][];
        };
        /** @description A rule: the operations and calls that it matches, the fault, and which of the matching calls it affects. */
        readonly NewFaultRule: {
            /** @description The name of the rule in the `Sandbox-Fault` header and in the journal. By default, derived from the name of the fault. */
            readonly id?: string;
            /** @description One operation, a list, or "*" for all (the default). */
            readonly operation?: string | readonly string[];
            readonly match?: components["schemas"]["FaultMatch"];
            /** @description The name of the fault. */
            readonly fault: string;
            /** @description The parameters of the fault, by name. */
            readonly with?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description "before": the affected elements have no effect. "after": they take effect, and then the fault occurs. Each fault has its default.
             * @enum {string}
             */
            readonly phase?: "before" | "after";
            readonly when?: components["schemas"]["FaultTiming"];
        };
        /** @description The calls that a rule matches. A call must meet all given conditions. */
        readonly FaultMatch: {
            /** @description The slug of the calling school. */
            readonly school?: string;
            /** @description The API key of the call. */
            readonly key?: string;
            /** @description Values of parameters, by name or by JSON Pointer into the parameters ("/details/courseItemType"). A call matches if one of its elements has all of them. A fault that affects elements affects only the matching ones. */
            readonly parameters?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description Which of the matching calls a rule affects. All given conditions must hold. Each rule counts its calls in order of arrival, except those that an earlier rule affected. */
        readonly FaultTiming: {
            /** @description Skips the first N calls. */
            readonly skip?: number;
            /** @description Affects only the first N calls (after the skipped ones). */
            readonly first?: number;
            /** @description Affects only every Nth call (after the skipped ones); 3 means the third, the sixth … */
            readonly every?: number;
            /** @description Fires at most N times. */
            readonly times?: number;
            /** @description The probability that a call is affected, from 0 (never) to 1 (always). The choice depends only on the sandbox's random seed, the id of the rule, the operation, and the position of the call among the calls to this operation that the rule matches. Other calls do not change it. */
            readonly probability?: number;
            /** @description Fires only from the first time up to (not including) the second, on the sandbox's clock: date-times, or times relative to the creation of the rule, such as "now+PT30S". */
            readonly between?: readonly string[];
            /** @description Fires only in the first N seconds after the rule was added, on the sandbox's clock. */
            readonly ttlSeconds?: number;
        };
        /** @description A rule with its counters. */
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
            /** @description The scenario of the rule; null for none. */
            readonly scenario: string | null;
            /** @description The number of matching calls that no earlier rule affected. */
            readonly matched: number;
            /** @description The number of calls that the rule affected. */
            readonly fired: number;
            /** @description Whether it can still fire. False once `times`, `first`, `between` or `ttlSeconds` is used up, and if no call can have its key. */
            readonly canFire: boolean;
            /** @description The school of `match.key`, which is shown shortened; null if the key is of no school of the sandbox. Only if the rule has a key. */
            readonly keySchool?: string | null;
        };
        /** @description Members of the rule to set; null removes a member. */
        readonly FaultRulePatch: {
            readonly [key: string]: unknown;
        };
        readonly RestoredRules: {
            readonly ids: readonly string[];
        };
        readonly FaultRuleList: {
            /** @description The current scenario; null for none. */
            readonly scenario: string | null;
            readonly rules: readonly components["schemas"]["FaultRule"][];
        };
        /** @description A named list of rules, tried in order. */
        readonly Scenario: {
            /** @description What happens, in one line. */
            readonly summary: string;
            /** @description What a robust client does. */
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
            /** @description The name of a known scenario, or the name for your own `script`. */
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
             * @description The new time. The default is the clock's current time.
             */
            readonly now?: string;
        };
        readonly ClockStep: {
            /** @description Negative values move the clock back. Calls that are then ahead of it by at most the length of their rate-limit window still count. */
            readonly seconds: number;
        };
        readonly LimitSetting: {
            /** @description Multiplies every limit; null disables all of them. */
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
            /** @description The current limit; null for none. */
            readonly requests: number | null;
            readonly windowSeconds: number;
            /** @description The limit in the specification; null for none. */
            readonly stated: number | null;
            /** @description The limit that was set for this operation in this sandbox, before scaling; null for none. */
            readonly own: number | null;
            readonly counters: readonly {
                /** @description A key (masked), a school or an address, depending on the assumption rateLimitScope. */
                readonly who: string;
                readonly used: number;
            }[];
        };
        /** @description One call: its request and its response. */
        readonly JournalEntry: components["schemas"]["JournalEntryFields"];
        /** @description A journal entry with the command that repeats its request. */
        readonly Exchange: components["schemas"]["JournalEntryFields"] & {
            /** @description The same request as a curl command. Set the variable SANDBOX_API_KEY to the key. Other secrets are omitted, and a comment lists them. */
            readonly curl: string;
        };
        readonly JournalEntryFields: {
            readonly requestId: string;
            /**
             * Format: date-time
             * @description The sandbox's time when the call arrived.
             */
            readonly at: string;
            /**
             * Format: date-time
             * @description The real time when the call arrived.
             */
            readonly receivedAt: string;
            /** @description The real time from the end of the request until the response was sent, or until the client disconnected, in milliseconds. It includes delays of faults. */
            readonly durationMs: number;
            /** @description Whether the client disconnected before the response was complete. */
            readonly clientLeft: boolean;
            /** @description True if the request began to arrive before the response to the previous request on its connection was sent. Absent otherwise. */
            readonly pipelined?: boolean;
            /** @description POST, except for unmatched requests. */
            readonly method: string;
            /** @description The operation; for an unmatched request, the end of its path. */
            readonly operation: string;
            /** @description The test that the call belongs to: the header `Sandbox-Scope`, otherwise the label of the key, otherwise the scope that was started last; null for none. */
            readonly scope: string | null;
            /** @description Which page of this server sent the call: `console`, `player`, `docs` or `demo`; `browser` if a person opened the address in a browser. Null for calls of the client. The report does not count calls of pages and of browsers, except those of the guided demo, which plays a client. The report on all sandboxes leaves the demo out. */
            readonly page: string | null;
            readonly school: string | null;
            /** @description The masked key. */
            readonly key: string | null;
            /** @description Wrong places in which a key was sent. */
            readonly keyElsewhere: readonly ("url" | "body" | "header" | "trailer")[];
            readonly address: string;
            /** @description The network address and port of the client. Calls on the same connection share them. */
            readonly connection: string;
            /**
             * Format: date-time
             * @description The real time.
             */
            readonly connectionOpenedAt: string;
            /**
             * Format: date-time
             * @description The real time at which either side closed the connection; null if it is open.
             */
            readonly connectionClosedAt: string | null;
            /** @description 0 if no response was sent because of a fault. */
            readonly status: number;
            /** @description `unmatched` for a path that is not an operation or a method other than POST, `client-gone` if the client disconnected before its turn, `fault` if faults were injected, the kind of refusal, `element-error` if an output is an error, otherwise `ok`. From the proxy also `http-<status>` for any other status, `unreadable` for a response without outputs, `upstream-timeout` and `upstream-failed` if there was no response, and `request-violation` and `response-violation` if violations are errors. */
            readonly outcome: string;
            /** @description The outcome of each element. Empty if the operation did not run or had no effect. */
            readonly outcomes: readonly ("ok" | "error")[];
            /** @description Why elements failed. */
            readonly failures: readonly {
                readonly element: number;
                /**
                 * @description `unknown` if another server responded, through the proxy.
                 * @enum {string}
                 */
                readonly kind: "not-found" | "conflict" | "invalid" | "injected" | "missing-output" | "unknown";
            }[];
            readonly faults: readonly {
                readonly fault: string;
                /** @enum {string} */
                readonly phase: "before" | "after";
                /** @description The rule that injected it. Null if the call requested it. */
                readonly rule: string | null;
                /** @description The number of the sandbox's last request before the rule was added: the number at the end of its `requestId`. Absent if a scenario added the rule, or if the server has restarted since. */
                readonly armedAfter?: number;
            }[];
            /** @description The number of changes to the fault rules of the sandbox since the server started. The report uses it to distinguish a retry from the next request of a test. */
            readonly ruleChanges?: number;
            /** @description The assumptions that shaped the response. */
            readonly assumed: readonly string[];
            readonly violations: components["schemas"]["Violations"];
            readonly responseViolations?: components["schemas"]["ResponseViolations"];
            readonly responseDifferences?: components["schemas"]["ResponseDifferences"];
            /** @description The time until another server, behind the proxy, had sent its response, in milliseconds. Absent without such a response. */
            readonly upstreamMs?: number;
            readonly hints?: components["schemas"]["Hints"];
            /** @description The request URL without scheme and host. Values of secret parameters are masked. */
            readonly url: string;
            readonly requestHeaders: components["schemas"]["Headers"];
            /** @description The headers after a body that was sent in chunks. Absent if there are none. */
            readonly requestTrailers?: components["schemas"]["Headers"];
            /** @description The body, up to the storage limit. */
            readonly request: string;
            readonly responseHeaders: components["schemas"]["Headers"];
            readonly response: string;
            /** @description How much of each body was not stored. */
            readonly cut: {
                readonly request: number;
                readonly response: number;
            };
        };
        /** @description Headers by lower-case name. The value of a header or query parameter is masked (`…`) if its name contains key, token, secret, auth, session, cookie, password, passcode, bearer, credential, CSRF, JWT or signature, or OTP, pass, PIN or sig as a separate word, or resembles SERVICE-API-KEY. `SERVICE-API-KEY` is shortened instead. In challenges such as `WWW-Authenticate`, only the tokens are masked. */
        readonly Headers: {
            readonly [key: string]: string;
        };
        /** @description Where the request does not match the contract. */
        readonly Violations: readonly {
            readonly pointer: string;
            readonly message: string;
        }[];
        /** @description Likely mistakes that did not fail the call, also listed in the header `Sandbox-Hint`: an ignored field that resembles a known one, or the identifier of a new record that looks wrong. Absent if there are none. */
        readonly Hints: readonly {
            readonly pointer: string;
            readonly message: string;
        }[];
        /** @description Where the response of another server, behind the proxy, does not match the contract. Absent without such a response. */
        readonly ResponseViolations: readonly {
            /** @description A JSON Pointer into the body of the response; empty for the response as a whole. */
            readonly pointer: string;
            readonly message: string;
        }[];
        /** @description Where the response of another server, behind the proxy, differs from the sandbox's assumptions. The specification does not cover these points. Absent without such a response. */
        readonly ResponseDifferences: readonly {
            /** @description A JSON Pointer into the body of the response; empty for the response as a whole. */
            readonly pointer: string;
            readonly message: string;
        }[];
        /** @description What the journal shows about the client. */
        readonly Report: {
            /**
             * @description The version of this format.
             * @constant
             */
            readonly version: 1;
            /** @description The sandbox, or a comma-separated list if a run used several. */
            readonly sandbox: string;
            readonly calls: number;
            /** @description The number of calls that pages of the sandbox sent, such as the console, or a person who opened an address in a browser. The report does not count them. */
            readonly fromPages: number;
            /** @description The number of older calls that were evicted from the journal. The report does not cover them. */
            readonly evicted: number;
            /**
             * Format: date-time
             * @description The time of the first call, on the sandbox's clock.
             */
            readonly from: string | null;
            /** Format: date-time */
            readonly to: string | null;
            /** @description What the client encountered at each operation. */
            readonly coverage: readonly components["schemas"]["OperationCoverage"][];
            readonly neverCalled: readonly string[];
            /** @description How often each fault occurred. */
            readonly faultsMet: {
                readonly [key: string]: number;
            };
            readonly situations: components["schemas"]["Situations"];
            /** @description Where the client violated the contract. */
            readonly violations: readonly components["schemas"]["ReportedViolation"][];
            /** @description Where another server, behind the proxy, violated the specification. Absent without such a server. */
            readonly responseViolations?: readonly components["schemas"]["ReportedViolation"][];
            /** @description Where that server differs from the assumptions of the sandbox. The specification does not cover these points, so they are not violations. */
            readonly responseDifferences?: readonly components["schemas"]["ReportedViolation"][];
            /** @description What that server sends beyond the contract, the most frequent first; at most 500 kinds. Only some of it violates the contract. */
            readonly beyondContract?: readonly components["schemas"]["BeyondContract"][];
            /** @description How long that server takes, for `lp-sandbox start --latency-from`. In a merged report, those of the slowest report. */
            readonly latencies?: readonly components["schemas"]["Latency"][];
            /** @description The number of violations that are not listed. Absent if the lists are complete; otherwise each has the 500 most frequent kinds. */
            readonly unlisted?: {
                readonly violations: components["schemas"]["UnlistedViolations"];
                readonly responseViolations: components["schemas"]["UnlistedViolations"];
                readonly responseDifferences?: components["schemas"]["UnlistedViolations"];
            };
            /** @description The checks of the client's behavior. */
            readonly conduct: readonly components["schemas"]["ConductCheck"][];
            /** @description Requests and responses that findings and violations refer to, shortened, in order of importance. At most 40: some of each check and of the violations. */
            readonly exchanges: readonly components["schemas"]["ReportedExchange"][];
        };
        /** @description A call in the report, with the parts that matter. The journal has the whole call. */
        readonly ReportedExchange: {
            readonly requestId: string;
            readonly operation: string;
            /** @description The test that the call belongs to. */
            readonly scope: string | null;
            /**
             * Format: date-time
             * @description The time on the sandbox's clock.
             */
            readonly at: string;
            /**
             * Format: date-time
             * @description The real time.
             */
            readonly receivedAt: string;
            readonly durationMs: number;
            readonly method: string;
            /** @description The URL without scheme and host. */
            readonly url: string;
            readonly requestHeaders: {
                readonly [key: string]: string;
            };
            /** @description Absent if there are none. */
            readonly requestTrailers?: {
                readonly [key: string]: string;
            };
            /** @description An excerpt of the body: JSON is formatted, and `…` replaces what is left out. */
            readonly request: string;
            readonly requestMarks: components["schemas"]["ExcerptMarks"];
            /** @description 0 if no response was sent. */
            readonly status: number;
            readonly outcome: string;
            readonly faults: readonly string[];
            readonly responseHeaders: {
                readonly [key: string]: string;
            };
            /** @description An excerpt of the body. */
            readonly response: string;
            readonly responseMarks: components["schemas"]["ExcerptMarks"];
        };
        /** @description Where the excerpt violates the contract. */
        readonly ExcerptMarks: readonly {
            /** @description The line of the excerpt, from 1; 0 for the request or the response as a whole. */
            readonly line: number;
            readonly message: string;
        }[];
        /** @description One violation, with the calls in which it occurred. */
        readonly ReportedViolation: {
            /** @description The same in every run: `violations:<operation>:<pointer>:<hash of the message>`. */
            readonly id: string;
            readonly operation: string;
            /** @description The tests in which it occurred; the first 10. */
            readonly scopes: readonly string[];
            /** @description Whether the path or the method of the calls matches no operation. */
            readonly unmatched: boolean;
            /** @description JSON Pointer into the body; * matches any element. */
            readonly pointer: string;
            readonly message: string;
            readonly count: number;
            readonly requestIds: readonly string[];
        };
        readonly BeyondContract: {
            readonly operation: string;
            /**
             * @description An undocumented field, a value that the contract does not list, another format of a date-time, null, or another type.
             * @enum {string}
             */
            readonly kind: "field" | "value" | "format" | "null" | "type";
            /** @description JSON Pointer into the response; * matches any element. */
            readonly place: string;
            /** @description The value, the form of the date-time with 9 for every digit, or the type. Null for a field and for null. */
            readonly value: string | null;
            readonly count: number;
            readonly example: {
                readonly requestId: string;
                /** @description JSON Pointer into the response of this request. */
                readonly pointer: string;
            };
        };
        readonly Latency: {
            readonly operation: string;
            /** @description The number of responses. */
            readonly count: number;
            /** @description The median in milliseconds. */
            readonly p50Ms: number;
            /** @description The 99th percentile in milliseconds. */
            readonly p99Ms: number;
        };
        readonly UnlistedViolations: {
            /** @description The number of different violations that are not listed. */
            readonly kinds: number;
            /** @description How often they occurred. */
            readonly count: number;
        };
        readonly OperationCoverage: {
            readonly operation: string;
            readonly calls: number;
            /** @description The number of calls for each outcome. */
            readonly outcomes: {
                readonly [key: string]: number;
            };
            /** @description How often each fault occurred at this operation. */
            readonly faults: {
                readonly [key: string]: number;
            };
            /** @description What the client sent. */
            readonly parameters: readonly components["schemas"]["OptionUse"][];
            /** @description What the client received. */
            readonly fields: readonly components["schemas"]["OptionUse"][];
        };
        /** @description One form that a documented field can have, and how often it occurred. */
        readonly OptionUse: {
            /** @description JSON Pointer to the field in the parameters or the result; * matches any member. */
            readonly pointer: string;
            /** @description `given`, `left out`, `null`, `empty`, `not empty`, or a value as JSON. */
            readonly option: string;
            /** @description 0 if it never occurred. */
            readonly count: number;
        };
        /** @description What a client should encounter at least once: each operation succeeding, each operation with a failing element, a refused key, and every fault at any operation. */
        readonly Situations: {
            readonly met: number;
            readonly of: number;
            /** @description Rounded down. */
            readonly percent: number;
            readonly groups: {
                readonly operations: components["schemas"]["SituationShare"];
                readonly failures: components["schemas"]["SituationShare"];
            };
            readonly missing: readonly components["schemas"]["MissingSituation"][];
        };
        /** @description How many situations of a group were met: of operations (successes and failed elements), or failures (refusals and faults). */
        readonly SituationShare: {
            readonly met: number;
            readonly of: number;
            /** @description Rounded down. */
            readonly percent: number;
        };
        readonly MissingSituation: {
            /** @enum {string} */
            readonly kind: "answer" | "element-error" | "refusal" | "fault";
            /** @description The operation, the refusal or the fault. */
            readonly name: string;
            readonly message: string;
            /** @description A command that shows the situation, or causes it at the client's next call. It uses the variables that `lp-sandbox exec` sets. */
            readonly command: string;
        };
        /** @description One rule for clients, and whether the client followed it. */
        readonly ConductCheck: {
            /** @description The name of the check, such as retry-after. */
            readonly check: string;
            readonly title: string;
            /** @description What is compared, on which clock, and with which tolerance. */
            readonly rule: string;
            /** @description Where the rule comes from: the specification, an RFC, an assumption, or good practice. */
            readonly basis: string;
            readonly strength: components["schemas"]["Strength"];
            /**
             * @description `advised` instead of `failed` if the strength is `advice`. `not-exercised` if the rule never applied. `not-judged` if it applied, but the journal does not show whether the client followed it.
             * @enum {string}
             */
            readonly verdict: "passed" | "failed" | "advised" | "not-exercised" | "not-judged";
            /** @description How often the rule applied. */
            readonly occasions: number;
            /** @description The verdict in one sentence. */
            readonly message: string;
            readonly findings: readonly components["schemas"]["Finding"][];
            /** @description The number of findings that are not listed. Absent if the list is complete; otherwise it has 200. */
            readonly unlisted?: number;
            /** @description How to make the rule apply. */
            readonly exercise: string;
        };
        /**
         * @description `must` if the contract requires it, `should` if a standard or good practice does, `advice` if it only improves the client. Advice never fails a run.
         * @enum {string}
         */
        readonly Strength: "must" | "should" | "advice";
        readonly Finding: {
            /** @description The same in every run: `<check>:<operation>`, then what distinguishes it, then the scope. */
            readonly id: string;
            readonly operation: string;
            /** @description The test that the calls belong to. */
            readonly scope: string | null;
            readonly strength: components["schemas"]["Strength"];
            readonly message: string;
            /** @description The first calls that show it. */
            readonly evidence: readonly {
                readonly requestId: string;
                /**
                 * Format: date-time
                 * @description The time on the sandbox's clock.
                 */
                readonly at: string;
                /**
                 * Format: date-time
                 * @description The real time.
                 */
                readonly receivedAt: string;
            }[];
        };
        /** @description A report as JUnit XML. Each suite is one part of the report. */
        readonly JUnitReport: {
            readonly name: string;
            readonly tests: number;
            readonly failures: number;
            readonly errors: number;
            readonly testsuite: readonly components["schemas"]["JUnitSuite"][];
        };
        readonly JUnitSuite: {
            readonly name: string;
            readonly tests: number;
            readonly failures: number;
            readonly errors: number;
            readonly skipped: number;
            readonly testcase?: readonly components["schemas"]["JUnitCase"][];
        };
        /** @description A check, an operation or a kind of violation. A case that did not pass has `failure` or `skipped`. */
        readonly JUnitCase: {
            readonly classname: string;
            readonly name: string;
            readonly failure?: {
                readonly message: string;
                readonly type: string;
            };
            readonly skipped?: {
                readonly message: string;
            };
            readonly "system-out"?: string;
        };
        /** @description The results of `lp-sandbox matrix`, as written by `--report`. No route of the control plane returns it. */
        readonly Matrix: {
            readonly runs: readonly components["schemas"]["MatrixRun"][];
            readonly passed: number;
            /** @description The number of failed runs, including allowed ones. */
            readonly failed: number;
            readonly notMet: number;
            /** @description The number of runs that `--skip-unmet` skipped. */
            readonly skipped: number;
            /** @description The thresholds that all runs together missed, a sentence each. */
            readonly missed: readonly string[];
            /** @description The reports of all runs, merged. `lp-sandbox report merge` reads it. */
            readonly report: components["schemas"]["Report"];
        };
        readonly MatrixRun: {
            /** @description Such as `defaults`, `missingKey=http-403`, `scenario:lost-replies`, `profile:strict`. */
            readonly name: string;
            /** @enum {string} */
            readonly kind: "defaults" | "assumption" | "scenario" | "profile";
            /** @description The options of the run's sandbox that differ from the defaults. */
            readonly assumptions: {
                readonly [key: string]: string;
            };
            /** @description The scenario of its sandbox; null for none. */
            readonly scenario: string | null;
            /**
             * @description `not-met` if the command passed, but the assumption affected no response, or no rule of the scenario fired. `skipped` if the run with the defaults shows that it could not be met.
             * @enum {string}
             */
            readonly result: "passed" | "failed" | "not-met" | "skipped";
            /** @description Whether `--allow` lets it fail. */
            readonly allowed: boolean;
            /** @description The number of calls of the run, to any sandbox. */
            readonly calls: number;
            /** @description How often the client violated the contract. */
            readonly violations: number;
            /** @description The number of conduct checks for each verdict that occurred. */
            readonly conduct: {
                readonly [key: string]: number;
            };
            readonly seconds: number;
            /** @description The exit code of the command; null if a signal ended it. */
            readonly exitCode: number | null;
            readonly signal: string | null;
            /** @description Why it did not pass, in one line; null if it passed. */
            readonly reason: string | null;
            /** @description With `--combine`: the run of several options that showed it. Its calls, findings, files and output are those of that run, and `seconds` is its share. If tests of that run failed because of other options, the verdict is that of the run with the defaults. */
            readonly together?: string;
            /** @description The thresholds that the run missed, a sentence each. */
            readonly missed: readonly string[];
            /** @description The tests that failed, from the file that `--junit` names; the first 20. */
            readonly failedTests: readonly string[];
            /** @description The last calls of a failed run that did not succeed, or its last calls if all did. */
            readonly lastCalls: readonly components["schemas"]["MatrixCall"][];
            /** @description The command line that repeats the run alone, for a POSIX shell. */
            readonly command: string;
            /** @description The files with the report and the journal of a failed run. */
            readonly files: readonly string[];
            /** @description The end of the command's stdout and stderr. */
            readonly output: string;
        };
        readonly MatrixCall: {
            readonly requestId: string;
            readonly operation: string;
            readonly scope: string | null;
            /** @description 0 without a response. */
            readonly status: number;
            readonly outcome: string;
        };
        readonly JournalPage: {
            /** @description Newest last. */
            readonly entries: readonly components["schemas"]["JournalEntry"][];
            /** @description The number of entries that were evicted since the journal was last cleared. */
            readonly evicted: number;
            /** @description Whether more entries match the filter. */
            readonly more: boolean;
        };
        readonly JournalSummaryPage: {
            /** @description Newest last. */
            readonly entries: readonly components["schemas"]["JournalSummary"][];
            readonly values: components["schemas"]["JournalValues"];
            /** @description The number of entries that were evicted since the journal was last cleared. */
            readonly evicted: number;
            /** @description Whether more entries match the filter. */
            readonly more: boolean;
        };
        /** @description A journal entry without bodies, headers and details. Its members have the same meaning as those of a JournalEntry. */
        readonly JournalSummary: {
            readonly requestId: string;
            /** Format: date-time */
            readonly receivedAt: string;
            readonly durationMs: number;
            readonly method: string;
            readonly operation: string;
            readonly school: string | null;
            readonly status: number;
            readonly outcome: string;
            readonly faults: readonly {
                readonly fault: string;
                readonly rule: string | null;
            }[];
            readonly assumed: readonly string[];
            /** @description How many violations, differences and hints the entry lists. */
            readonly counts: {
                readonly violations: number;
                readonly responseViolations: number;
                readonly responseDifferences: number;
                readonly hints: number;
            };
        };
        /** @description What occurs in the whole journal, whatever the filter is. Newest first. */
        readonly JournalValues: {
            /** @description At most 100. */
            readonly operations: readonly string[];
            readonly outcomes: readonly string[];
            readonly statuses: readonly number[];
        };
        /** @description An HTTP Archive 1.2, which browsers can import. */
        readonly Har: {
            readonly [key: string]: unknown;
        };
        /** @description The expected call. All given members must match. */
        readonly ExpectedCall: {
            readonly operation?: string;
            /** @description The slug of the school. */
            readonly school?: string;
            /** @description `unmatched` for a path that is not an operation or a method other than POST, `client-gone` if the client disconnected before its turn, `fault` if faults were injected, the kind of refusal, `element-error` if an output is an error, otherwise `ok`. From the proxy also `http-<status>` for any other status, `unreadable` for a response without outputs, `upstream-timeout` and `upstream-failed` if there was no response, and `request-violation` and `response-violation` if violations are errors. */
            readonly outcome?: string;
            /** @description Part of the parameters of one element. */
            readonly parameters?: {
                readonly [key: string]: unknown;
            };
            /** @description Part of the body: objects match if they have at least these members. An array must have the same number of members, and each must match in the same way. */
            readonly body?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description How many calls are expected to match. The default is at least one. */
        readonly ExpectedCount: {
            readonly operation?: string;
            readonly school?: string;
            /** @description `unmatched` for a path that is not an operation or a method other than POST, `client-gone` if the client disconnected before its turn, `fault` if faults were injected, the kind of refusal, `element-error` if an output is an error, otherwise `ok`. From the proxy also `http-<status>` for any other status, `unreadable` for a response without outputs, `upstream-timeout` and `upstream-failed` if there was no response, and `request-violation` and `response-violation` if violations are errors. */
            readonly outcome?: string;
            readonly parameters?: {
                readonly [key: string]: unknown;
            };
            readonly body?: {
                readonly [key: string]: unknown;
            };
            /** @description The exact number. */
            readonly times?: number;
            readonly atLeast?: number;
            readonly atMost?: number;
        };
        readonly StartedScope: {
            /** @description The name of the scope, such as that of a test; null for none. A name longer than 128 characters is shortened, and ends with a hash of the full name. */
            readonly name: string | null;
        };
        readonly ScopeList: {
            /** @description The scope of calls that name none. */
            readonly current: string | null;
            readonly scopes: readonly {
                readonly name: string;
                readonly calls: number;
            }[];
        };
        readonly Expectations: {
            /** @description Only calls of this scope count. */
            readonly scope?: string;
            /** @description Whether every call must match an expectation. Calls of the pages of this server may not match. */
            readonly nothingElse?: boolean;
            readonly counts?: readonly components["schemas"]["ExpectedCount"][];
            /** @description Calls that are expected in this order. Other calls may come between them. */
            readonly sequence?: readonly components["schemas"]["ExpectedCall"][];
            /** @description The maximum time to wait until all expectations hold, in real milliseconds. */
            readonly waitMs?: number;
        };
        readonly Verdict: {
            readonly holds: boolean;
            /** @description The number of entries that were evicted from the journal and not checked. */
            readonly evicted: number;
            readonly counts: readonly {
                readonly holds: boolean;
                readonly found: number;
                readonly message: string;
                readonly nearest?: components["schemas"]["NearestMiss"];
            }[];
            readonly sequence: readonly {
                readonly holds: boolean;
                /** @description The matching call; null if there is none. */
                readonly requestId: string | null;
                readonly message: string;
                readonly nearest?: components["schemas"]["NearestMiss"];
            }[];
            /** @description The calls that match no expectation. Only with `nothingElse`. */
            readonly others?: {
                readonly holds: boolean;
                readonly found: number;
                readonly message: string;
            };
        };
        /** @description The call that is closest to the expectation, and where it differs. */
        readonly NearestMiss: {
            readonly requestId: string;
            readonly differences: readonly {
                /** @description What differs: operation, school, outcome, or a JSON Pointer into the parameters or the body. A pointer of more than 1,000 characters has … in place of the names in its middle. */
                readonly at: string;
                /** @description The expected value. */
                readonly expected: unknown;
                /** @description The received value; absent if there was none. */
                readonly actual?: unknown;
            }[];
            /** @description The number of further differences that are not listed; absent if all are listed. */
            readonly unlisted?: number;
        };
    };
    responses: {
        /** @description Why the request failed. Nothing was changed. */
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
        /** @description `id`; `created`, the earliest first; `used`, the most recently used first; or `size`, the largest `stateBytes` first. By default, that of the cursor, or `created`. */
        readonly sandboxOrder: "id" | "created" | "used" | "size";
        /** @description The maximum number of sandboxes in a page. */
        readonly sandboxLimit: number;
        /** @description The field `next` of the page before, for the page after it. */
        readonly sandboxCursor: string;
        /** @description The entity tag that the record must still have, or `*` for any record that exists. Otherwise the server returns 412 and changes nothing. */
        readonly ifMatch: string;
        /** @description An entity tag that the record must not have (with or without `W/`), or `*` if there must be no such record. Otherwise the server returns 412 and changes nothing. */
        readonly ifNoneMatch: string;
        /**
         * @description The id of the sandbox.
         * @example default
         */
        readonly sandboxId: string;
        /**
         * @description The name of the collection.
         * @example coupons
         */
        readonly collection: string;
        /** @description Only the records of this collection. */
        readonly ofCollection: string;
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
         * @description The request id of the call.
         * @example default-1
         */
        readonly requestId: string;
        /** @description Only calls to this operation. */
        readonly operation: string;
        /** @description Only calls with this outcome: ok, element-error, fault, client-gone, or a kind of refusal. */
        readonly outcome: string;
        /** @description Only calls of the school with this slug. */
        readonly school: string;
        /**
         * @description Only records of the school with this slug.
         * @example riverside
         */
        readonly ownedBy: string;
        /**
         * @description Only records that belong to the school with this slug, now or in the seed.
         * @example riverside
         */
        readonly changesOf: string;
        /** @description Only the records with these ids, in the order of the ids. */
        readonly ofRecords: readonly string[];
        /** @description Only records with a value that contains this text, in any case: a string, a number, true or false, at any depth. Names of fields do not count. */
        readonly inRecord: string;
        /**
         * @description Only videos of the school with this slug.
         * @example riverside
         */
        readonly videosOf: string;
        /**
         * @description The path of the folder.
         * @example /Biology
         */
        readonly ofFolder: string;
        /**
         * @description Only videos directly in the folder with this path. Only for `videos`.
         * @example /Biology
         */
        readonly inFolder: string;
        /** @description Only records with a value that contains this text, now or in the seed, in any case. Names of fields do not count. */
        readonly inChange: string;
        /** @description Only records that differ from the seed. */
        readonly differs: true;
        /** @description The number of matching records to skip. */
        readonly offset: number;
        /** @description The maximum number of records. The default is all. */
        readonly recordLimit: number;
        /** @description Only the records with this id. */
        readonly ofRecord: string;
        /** @description Only differences of this kind. */
        readonly ofKind: "added" | "changed" | "removed";
        /** @description The maximum number of differences. With it, the response has the number of all that match. The default is all. */
        readonly changeLimit: number;
        /** @description Only calls of this scope. */
        readonly scope: string;
        /** @description Only calls that contain this text, in any case: in the request id, the operation, the school, the scope, the URL, a body, or the name of a fault, rule or assumption. */
        readonly text: string;
        /** @description With `summary`, entries come without bodies, headers and details, as a JournalSummary: a list of many calls stays small. Get an entry whole with `getExchange`. */
        readonly form: "summary";
        /** @description Only calls after the one with this request id, or from this time on (ISO 8601, on the sandbox's clock). */
        readonly since: string;
        /** @description The maximum number of entries: the first ones after `since`, otherwise the newest. The default is the limit of the server, `journalPage` (200). If `more` is true, request the next page with the last request id as `since`. */
        readonly limit: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The entity tag of the record, for `If-Match`. It differs as soon as a value of the record does.
         * @example "yGHYCa2cQ7wkaxVcCFp6Lz3HkVwFaqSmtDVPfIVPQXM"
         */
        readonly ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listSandboxes: {
        readonly parameters: {
            readonly query?: {
                /** @description `id`; `created`, the earliest first; `used`, the most recently used first; or `size`, the largest `stateBytes` first. By default, that of the cursor, or `created`. */
                readonly order?: components["parameters"]["sandboxOrder"];
                /** @description The maximum number of sandboxes in a page. */
                readonly limit?: components["parameters"]["sandboxLimit"];
                /** @description The field `next` of the page before, for the page after it. */
                readonly cursor?: components["parameters"]["sandboxCursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sandboxes. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
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
            /** @description The new sandbox. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sandbox. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sandbox"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly issueSandboxToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The new token. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxToken"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
        };
    };
    readonly getAccess: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What the token permits. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Access"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The state. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StateDocument"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly query?: {
                /**
                 * @description Only records of the school with this slug.
                 * @example riverside
                 */
                readonly school?: components["parameters"]["ownedBy"];
                /** @description Only the records with these ids, in the order of the ids. */
                readonly id?: components["parameters"]["ofRecords"];
                /** @description Only records with a value that contains this text, in any case: a string, a number, true or false, at any depth. Names of fields do not count. */
                readonly text?: components["parameters"]["inRecord"];
                /**
                 * @description Only videos directly in the folder with this path. Only for `videos`.
                 * @example /Biology
                 */
                readonly folder?: components["parameters"]["inFolder"];
                /** @description Only records that differ from the seed. */
                readonly differs?: components["parameters"]["differs"];
                /** @description The number of matching records to skip. */
                readonly offset?: components["parameters"]["offset"];
                /** @description The maximum number of records. The default is all. */
                readonly limit?: components["parameters"]["recordLimit"];
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            /** @description The records. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecordList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            /** @description The record. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
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
        };
    };
    readonly putRecord: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The entity tag that the record must still have, or `*` for any record that exists. Otherwise the server returns 412 and changes nothing. */
                readonly "If-Match"?: components["parameters"]["ifMatch"];
                /** @description An entity tag that the record must not have (with or without `W/`), or `*` if there must be no such record. Otherwise the server returns 412 and changes nothing. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            /** @description The record. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
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
            readonly 412: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly removeRecord: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The entity tag that the record must still have, or `*` for any record that exists. Otherwise the server returns 412 and changes nothing. */
                readonly "If-Match"?: components["parameters"]["ifMatch"];
                /** @description An entity tag that the record must not have (with or without `W/`), or `*` if there must be no such record. Otherwise the server returns 412 and changes nothing. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
            readonly 412: components["responses"]["Problem"];
        };
    };
    readonly patchRecord: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The entity tag that the record must still have, or `*` for any record that exists. Otherwise the server returns 412 and changes nothing. */
                readonly "If-Match"?: components["parameters"]["ifMatch"];
                /** @description An entity tag that the record must not have (with or without `W/`), or `*` if there must be no such record. Otherwise the server returns 412 and changes nothing. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            /** @description The record. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
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
            readonly 412: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
            readonly 503: components["responses"]["Problem"];
        };
    };
    readonly listCollections: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The collections. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CollectionList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly listChanges: {
        readonly parameters: {
            readonly query?: {
                /** @description Only the records of this collection. */
                readonly collection?: components["parameters"]["ofCollection"];
                /**
                 * @description Only records that belong to the school with this slug, now or in the seed.
                 * @example riverside
                 */
                readonly school?: components["parameters"]["changesOf"];
                /** @description Only the records with this id. */
                readonly recordId?: components["parameters"]["ofRecord"];
                /** @description Only differences of this kind. */
                readonly kind?: components["parameters"]["ofKind"];
                /** @description Only records with a value that contains this text, now or in the seed, in any case. Names of fields do not count. */
                readonly text?: components["parameters"]["inChange"];
                /** @description The maximum number of differences. With it, the response has the number of all that match. The default is all. */
                readonly limit?: components["parameters"]["changeLimit"];
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The differences, by collection and in the order of the changes. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ChangeList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly readVideoFolder: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only videos of the school with this slug.
                 * @example riverside
                 */
                readonly school?: components["parameters"]["videosOf"];
                /**
                 * @description The path of the folder.
                 * @example /Biology
                 */
                readonly folder?: components["parameters"]["ofFolder"];
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The folder. Without videos, it does not exist. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VideoFolder"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly listDeviations: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The deviations. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Deviations"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly readRevision: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The counts of changes. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Revision"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The snapshots. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SnapshotList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            /** @description The snapshot. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            /** @description The snapshot. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The assumptions with the chosen options. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChosenOptions"];
            };
        };
        readonly responses: {
            /** @description The assumptions with the chosen options. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChosenProfile"];
            };
        };
        readonly responses: {
            /** @description The assumptions with the chosen options. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rules. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewFaultRule"];
            };
        };
        readonly responses: {
            /** @description The new rule. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly restoreFaultRules: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RestoredRules"];
            };
        };
        readonly responses: {
            /** @description The rules. */
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
    readonly getFaultRule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            /** @description The rule. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            /** @description The rule. */
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
            /** @description The faults. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FaultList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
            /** @description The scenarios. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenarioList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChosenScenario"];
            };
        };
        readonly responses: {
            /** @description The rules. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The clock. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ClockSetting"];
            };
        };
        readonly responses: {
            /** @description The clock. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ClockStep"];
            };
        };
        readonly responses: {
            /** @description The clock. */
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
    readonly getQuotas: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The quotas. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Quotas"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly setQuotas: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["QuotaSetting"];
            };
        };
        readonly responses: {
            /** @description The quotas. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Quotas"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The limits. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LimitSetting"];
            };
        };
        readonly responses: {
            /** @description The limits. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly listJournal: {
        readonly parameters: {
            readonly query?: {
                /** @description Only calls to this operation. */
                readonly operation?: components["parameters"]["operation"];
                /** @description Only calls with this outcome: ok, element-error, fault, client-gone, or a kind of refusal. */
                readonly outcome?: components["parameters"]["outcome"];
                /** @description Only calls of the school with this slug. */
                readonly school?: components["parameters"]["school"];
                /** @description Only calls of this scope. */
                readonly scope?: components["parameters"]["scope"];
                /** @description Only calls that contain this text, in any case: in the request id, the operation, the school, the scope, the URL, a body, or the name of a fault, rule or assumption. */
                readonly text?: components["parameters"]["text"];
                /** @description Only calls after the one with this request id, or from this time on (ISO 8601, on the sandbox's clock). */
                readonly since?: components["parameters"]["since"];
                /** @description The maximum number of entries: the first ones after `since`, otherwise the newest. The default is the limit of the server, `journalPage` (200). If `more` is true, request the next page with the last request id as `since`. */
                readonly limit?: components["parameters"]["limit"];
                /** @description With `summary`, entries come without bodies, headers and details, as a JournalSummary: a list of many calls stays small. Get an entry whole with `getExchange`. */
                readonly form?: components["parameters"]["form"];
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of journal entries, or of their summaries. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JournalPage"] | components["schemas"]["JournalSummaryPage"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly restoreJournal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
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
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 409: components["responses"]["Problem"];
        };
    };
    readonly listScopes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The current scope, and the number of journal entries of each scope. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScopeList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly startScope: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["StartedScope"];
            };
        };
        readonly responses: {
            /** @description The current scope. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StartedScope"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
            readonly 413: components["responses"]["Problem"];
            readonly 415: components["responses"]["Problem"];
        };
    };
    readonly streamJournal: {
        readonly parameters: {
            readonly query?: {
                /** @description With `summary`, entries come without bodies, headers and details, as a JournalSummary: a list of many calls stays small. Get an entry whole with `getExchange`. */
                readonly form?: components["parameters"]["form"];
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The event stream. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
                /**
                 * @description The request id of the call.
                 * @example default-1
                 */
                readonly requestId: components["parameters"]["requestId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The journal entry. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Exchange"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The journal as an HTTP archive. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Har"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Expectations"];
            };
        };
        readonly responses: {
            /** @description The result for each expectation. */
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getReportAsFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report as an HTML page. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getReportAsJunit: {
        readonly parameters: {
            readonly query?: {
                /** @description The same as `--fail-on` of `lp-sandbox exec`, such as `violations,conduct`. */
                readonly failOn?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of the sandbox.
                 * @example default
                 */
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report as JUnit XML. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/xml": components["schemas"]["JUnitReport"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
                readonly sandboxId: components["parameters"]["sandboxId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report as Markdown. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/markdown": string;
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
            readonly 404: components["responses"]["Problem"];
        };
    };
    readonly getFullReport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
    readonly getFullReportAsFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Report"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
    readonly getFullReportAsPage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report as an HTML page. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
    readonly getFullReportAsJunit: {
        readonly parameters: {
            readonly query?: {
                /** @description The same as `--fail-on` of `lp-sandbox exec`, such as `violations,conduct`. */
                readonly failOn?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report as JUnit XML. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/xml": components["schemas"]["JUnitReport"];
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
    readonly getFullReportAsMarkdown: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The report as Markdown. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/markdown": string;
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
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
            /** @description The seeds. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SeedList"];
                };
            };
            readonly 400: components["responses"]["Problem"];
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
            /** @description This document. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/yaml": string;
                };
            };
            readonly 400: components["responses"]["Problem"];
            readonly 401: components["responses"]["Problem"];
            readonly 403: components["responses"]["Problem"];
        };
    };
}
