import { messageOf } from '../base/message-of.ts';
import { fieldOf, isObject } from '../base/is-object.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError } from '../base/errors.ts';
import { describe, pointerTo, sentence } from '../base/violation.ts';
import { checkRecord } from '../contract/record-check.ts';
import { checkReferences } from '../sandbox/references.ts';
import { anchored, collectionNames, hasRelativeTime, type CollectionName } from '../sandbox/seed.ts';
import { mayHaveRelativeTimes, type SeedSource } from './seed-source.ts';

/** The most problems that the message about a seed lists. */
const maxListed = 20;

/**
 * Returns the records of a seed by collection. Throws SandboxError if the seed is invalid: the message names
 * the problems with their pointers, and the files that are not collections.
 */
export function validRecords({
  folder,
  strays,
  texts,
}: SeedSource): ReadonlyMap<CollectionName, readonly object[]> {
  const problems = strays.map(
    (file) => `${file} is not a collection.${didYouMean(file.slice(0, -'.json'.length), collectionNames)}`,
  );
  const lists = texts.map(([name, text]) => [name, checkCollection(name, text, problems)] as const);
  if (problems.length === 0) problems.push(...danglingReferences(lists));
  if (problems.length === 0 && lists.every(([name, records]) => name !== 'schools' || records.length === 0))
    problems.push('schools.json has no school, so no API key would work.');
  if (problems.length === 0) return new Map(lists);
  const more = problems.length > maxListed ? `\n  and ${problems.length - maxListed} more` : '';
  throw new SandboxError(
    `The seed in ${folder} is invalid:\n  ${problems.slice(0, maxListed).join('\n  ')}${more}`,
  );
}

/** Returns the valid records of a collection. Adds the problems of the others to `problems`. */
function checkCollection(name: CollectionName, text: string, problems: string[]): readonly object[] {
  const valid: object[] = [];
  const mayBeRelative = mayHaveRelativeTimes(text);
  for (const [index, record] of parseList(name, text, problems).entries()) {
    const isRelative = mayBeRelative && isObject(record) && hasRelativeTime(record);
    const wrong = checkRecord(name, isRelative ? anchored(record, 0) : record, pointerTo('', index));
    problems.push(...wrong.map((violation) => `${name}.json: ${sentence(violation)}`));
    if (wrong.length === 0 && isObject(record)) valid.push(record);
  }
  problems.push(...findDuplicates(name, valid, 'id'));
  if (name === 'schools') problems.push(...findDuplicates(name, valid, 'slug'));
  return valid;
}

function parseList(name: string, text: string, problems: string[]): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed;
    problems.push(`${name}.json must be an array of records, but is ${describe(parsed)}.`);
  } catch (error) {
    problems.push(`${name}.json is not JSON: ${messageOf(error)}`);
  }
  return [];
}

/** Returns a problem for each value of a field that an earlier record has too. */
function findDuplicates(collection: string, records: readonly object[], field: string): readonly string[] {
  const seen = new Set<unknown>();
  const problems: string[] = [];
  for (const [index, record] of records.entries()) {
    const value = fieldOf(record, field);
    if (seen.has(value))
      problems.push(
        `${collection}.json: /${index}/${field} ${describe(value)} is already used by an earlier record.`,
      );
    seen.add(value);
  }
  return problems;
}

function danglingReferences(
  lists: readonly (readonly [CollectionName, readonly object[]])[],
): readonly string[] {
  const ids = new Map(
    lists.map(([name, records]) => [name, new Set(records.map((record) => 'id' in record && record.id))]),
  );
  const records = lists.flatMap(([name, list]) => list.map((record) => [name, record] as const));
  return checkReferences((name, id) => ids.get(name)?.has(id) ?? false, records).map((one) => sentence(one));
}
