import { delay } from './delay.ts';
import { elementError } from './element-error.ts';
import { emptyLists } from './empty-lists.ts';
import { emptyResponse } from './empty-response.ts';
import { errorWithoutMessage } from './error-without-message.ts';
import { extraFields } from './extra-fields.ts';
import type { Fault } from './fault.ts';
import { garbage } from './garbage.ts';
import { htmlErrorPage } from './html-error-page.ts';
import { httpError } from './http-error.ts';
import { longStrings } from './long-strings.ts';
import { malformedJson } from './malformed-json.ts';
import { missingFields } from './missing-fields.ts';
import { missingOutput } from './missing-output.ts';
import { notFound } from './not-found.ts';
import { nullFields } from './null-fields.ts';
import { outputError } from './output-error.ts';
import { reorderedOutput } from './reordered-output.ts';
import { reset } from './reset.ts';
import { shortOutput } from './short-output.ts';
import { slowBody } from './slow-body.ts';
import { throttled } from './throttled.ts';
import { timeout } from './timeout.ts';
import { truncatedBody } from './truncated-body.ts';
import { unicodeStrings } from './unicode-strings.ts';
import { unknownEnumValues } from './unknown-enum-values.ts';
import { wrongContentType } from './wrong-content-type.ts';

/** Every way to fail, by where it strikes. */
export const faultGroups = {
  reply: [httpError, outputError, throttled, notFound, htmlErrorPage, malformedJson, wrongContentType],
  connection: [delay, timeout, reset, emptyResponse, truncatedBody, garbage, slowBody],
  batch: [elementError, shortOutput, reorderedOutput, missingOutput, errorWithoutMessage],
  shape: [extraFields, missingFields, nullFields, unknownEnumValues, emptyLists, longStrings, unicodeStrings],
} as const;

type Groups = typeof faultGroups;

export type FaultName = Groups[keyof Groups][number]['name'];

const byName: ReadonlyMap<string, Fault> = new Map(
  Object.values(faultGroups)
    .flat()
    .map((fault) => [fault.name, fault]),
);

export const faultNames: readonly string[] = [...byName.keys()];

export function faultNamed(name: string): Fault | undefined {
  return byName.get(name);
}
