import { didYouMean } from '../../base/did-you-mean.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isObject } from '../../base/is-object.ts';
import { describe } from '../../base/violation.ts';
import { SandboxError } from '../../base/errors.ts';
import { readNamedFile } from '../../store/text-file.ts';
import { parseYaml } from '../../store/yaml-text.ts';

/** Facts about the school from the user, because no operation lists them. */
export interface Known {
  readonly productId?: string;
  readonly quizId?: string;
  /** A course item; for submissions, the course item of the quiz. */
  readonly courseItemId?: string;
  readonly liveEventSessionId?: string;
  /** A user in whose name answers may be submitted, temporarily under another e-mail address. */
  readonly userId?: string;
  readonly userEmail?: string;
  /** All current fields of a coupon and of a lab, so that they can be restored. */
  readonly coupon?: Readonly<Record<string, unknown>>;
  readonly lab?: Readonly<Record<string, unknown>>;
}

const texts = ['productId', 'quizId', 'courseItemId', 'liveEventSessionId', 'userId', 'userEmail'] as const;

/** The required members of a known record: an update sends all of them to restore it. */
const records: Readonly<Record<string, readonly string[]>> = {
  coupon: Object.keys(operationFacts['update-digital-product-coupon'].parameters),
  lab: Object.keys(operationFacts['update-interactive-coding-lab'].parameters),
};

/** Reads the file of `--known`. Throws SandboxError if it is missing or has an unknown name. */
export async function readKnown(path: string): Promise<Known> {
  const text = readNamedFile(path, '--known');
  if (text === null) throw new SandboxError(`File ${path} of --known not found.`);
  const content = await parseYaml(text, path);
  if (content === null) return {};
  if (!isObject(content))
    throw new SandboxError(`${path} must map names such as quizId to values, but is ${describe(content)}.`);
  const known = Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, isId(name, value) ? String(value) : value]),
  );
  for (const [name, value] of Object.entries(known)) check(path, name, value);
  // Each member was checked by its name.
  return known;
}

/** YAML reads an identifier of digits as a number. Larger ones would lose digits. */
function isId(name: string, value: unknown): boolean {
  return texts.some((one) => one === name) && Number.isSafeInteger(value);
}

function check(path: string, name: string, value: unknown): void {
  const names = [...texts, ...Object.keys(records)];
  if (!names.includes(name))
    throw new SandboxError(
      `${path} has an unknown name "${name}".${didYouMean(name, names)} Known: ${names.join(', ')}.`,
    );
  const fields = records[name];
  if (fields === undefined) {
    if (typeof value !== 'string' || value === '')
      throw new SandboxError(`${path}: ${name} must be text, but is ${describe(value)}.`);
    return;
  }
  if (!isObject(value))
    throw new SandboxError(
      `${path}: ${name} must have all fields of the ${name}, but is ${describe(value)}.`,
    );
  const missing = fields.filter((field) => value[field] === undefined);
  const strange = Object.keys(value).find((field) => !fields.includes(field));
  if (missing.length > 0) {
    throw new SandboxError(
      `${path}: ${name} lacks ${missing.join(', ')}. Give all current fields, so that they can be restored.`,
    );
  }
  if (strange !== undefined)
    throw new SandboxError(
      `${path}: ${name} has an unknown field "${strange}".${didYouMean(strange, fields)}`,
    );
}
