import type { OptionOf } from '../assumptions.ts';
import { isObject } from '../base/is-object.ts';
import { problemType } from '../contract/checked-message.ts';

/** The form of the body of a refusal: an option of `refusalBody`, or none of them. */
export type RefusalForm = OptionOf<'refusalBody'> | 'other';

/** Returns the form of a body that is not the response envelope. `json` is undefined if it is not JSON. */
export function refusalFormOf(text: string, json: unknown, mediaType: string | null): RefusalForm {
  if (text === '') return 'empty';
  if (mediaType === 'text/html') return 'html';
  if (isObject(json)) return formOfObject(json, mediaType);
  return mediaType === 'text/plain' ? 'plain-text' : 'other';
}

/** Whether a body of JSON with a message has members that the sandbox does not send in this form. */
export function hasOwnMembers(form: RefusalForm, body: unknown): boolean {
  if (!isObject(body)) return false;
  if (form === 'message-json') return Object.keys(body).some((name) => name !== 'message');
  if (form !== 'error-json') return false;
  const { error, ...others } = body;
  const inner = isObject(error) ? Object.keys(error) : [];
  return Object.keys(others).length > 0 || inner.some((name) => name !== 'code' && name !== 'message');
}

/** The type alone does not make a problem document: some gateways send it with every JSON body. */
function formOfObject(body: Readonly<Record<string, unknown>>, mediaType: string | null): RefusalForm {
  const { title, detail, type, message, error } = body;
  const isProblem = mediaType === problemType;
  if (isProblem && (typeof title === 'string' || typeof detail === 'string')) return 'problem-json';
  if (typeof message === 'string') return 'message-json';
  if (isObject(error) && typeof error['message'] === 'string') return 'error-json';
  return isProblem && typeof type === 'string' ? 'problem-json' : 'template';
}
