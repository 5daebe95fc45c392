import { delay } from './all/delay.ts';
import { elementError } from './all/element-error.ts';
import { emptyLists } from './all/empty-lists.ts';
import { emptyResponse } from './all/empty-response.ts';
import { errorWithoutMessage } from './all/error-without-message.ts';
import { extraFields } from './all/extra-fields.ts';
import type { Fault } from './fault.ts';
import { garbage } from './all/garbage.ts';
import { htmlErrorPage } from './all/html-error-page.ts';
import { httpError } from './all/http-error.ts';
import { longStrings } from './all/long-strings.ts';
import { malformedJson } from './all/malformed-json.ts';
import { missingFields } from './all/missing-fields.ts';
import { missingOutput } from './all/missing-output.ts';
import { notFound } from './all/not-found.ts';
import { nullFields } from './all/null-fields.ts';
import { outputError } from './all/output-error.ts';
import { reorderedOutput } from './all/reordered-output.ts';
import { reset } from './all/reset.ts';
import { shortOutput } from './all/short-output.ts';
import { slowBody } from './all/slow-body.ts';
import { throttled } from './all/throttled.ts';
import { timeout } from './all/timeout.ts';
import { truncatedBody } from './all/truncated-body.ts';
import { unicodeStrings } from './all/unicode-strings.ts';
import { unknownEnumValues } from './all/unknown-enum-values.ts';
import { wrongContentType } from './all/wrong-content-type.ts';

/**
 * All faults, by what they affect. Those of `shape` change the fields of responses that still match the contract; a
 * fault that breaks it belongs in `reply`.
 */
export const faultGroups = {
  reply: [httpError, outputError, throttled, notFound, htmlErrorPage, malformedJson, wrongContentType],
  connection: [delay, timeout, reset, emptyResponse, truncatedBody, garbage, slowBody],
  batch: [elementError, shortOutput, reorderedOutput, missingOutput, errorWithoutMessage],
  shape: [extraFields, missingFields, nullFields, unknownEnumValues, emptyLists, longStrings, unicodeStrings],
} as const;

type Groups = typeof faultGroups;

export type FaultName = Groups[keyof Groups][number]['name'];

const all: readonly (Fault & { readonly name: FaultName })[] = Object.values(faultGroups).flat();

const byName: ReadonlyMap<string, Fault> = new Map(all.map((fault) => [fault.name, fault]));

export const faultNames: readonly FaultName[] = all.map(({ name }) => name);

export function faultNamed(name: string): Fault | undefined {
  return byName.get(name);
}
