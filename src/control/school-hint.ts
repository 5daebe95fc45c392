import { didYouMean } from '../base/did-you-mean.ts';
import { firstNames } from '../base/lists.ts';
import { quoted } from '../base/violation.ts';
import type { Records } from '../contract/generated/facts.ts';
import type { ViolationList } from '../contract/violation-list.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CollectionName } from '../sandbox/seed.ts';

/** The number of schools that are listed. */
const maxListed = 20;

/** The number of schools that are compared for a suggestion; a sandbox may have very many. */
const maxCompared = 200;

/** Returns what follows a message about an unknown school: a similar one, and the schools of the sandbox. */
export function schoolHint(sandbox: Sandbox, school: string): string {
  const known = sandbox.schools(maxCompared).map(({ slug }) => slug);
  return `${didYouMean(school, known)} The schools are ${firstNames(known, maxListed)}.`;
}

/** Returns the id of the school that a query names; null for all schools, or with a violation if there is none. */
export function schoolIn(
  list: ViolationList,
  { school: slug }: Readonly<Record<string, unknown>>,
  sandbox: Sandbox,
): string | null {
  if (slug === undefined) return null;
  const school = typeof slug === 'string' ? sandbox.school(slug) : undefined;
  if (school === undefined) list.add('/school', () => whyNoSchool(slug, sandbox));
  return school?.id ?? null;
}

function whyNoSchool(slug: unknown, sandbox: Sandbox): string {
  if (typeof slug !== 'string') return 'must occur once.';
  return `is not a school of the sandbox: ${quoted(slug)}.${schoolHint(sandbox, slug)}`;
}

/** Whether a record is a school, or belongs to it. A learner may belong to several. */
export function isOfSchool(school: string, record: Records[CollectionName]): boolean {
  if ('schoolId' in record) return record.schoolId === school;
  return 'schoolIds' in record ? record.schoolIds.includes(school) : record.id === school;
}
