// Generated from openapi/control.yaml by `npm run generate`.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        /** @description A named script of rules, tried in order. */
        readonly Scenario: {
            /** @description What happens, in a line. */
            readonly summary: string;
            /** @description What a client that copes with it has got right. */
            readonly lesson?: string;
            readonly rules: readonly components["schemas"]["NewFaultRule"][];
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
