import type { Overview } from './load.ts';

/** The records that the panel shows. The address has the same, so that Back, reload and links keep it. */
export interface View {
  readonly collection: string;
  /** The slug of a school; null for all. */
  readonly school: string | null;
  readonly text: string;
  readonly isOnlyChanged: boolean;
  /** The number of the page, from 0. The address has it from 1. */
  readonly page: number;
}

/** What an address names, and what is wrong with it, as sentences. */
interface ReadView {
  readonly view: View;
  readonly problems: readonly string[];
}

const fields = ['collection', 'school', 'page', 'differs'];

/** Returns the view in the query of an address. Unknown names do not count. */
export function viewIn(query: URLSearchParams, { collections, schools }: Overview): ReadView {
  const names = collections.map(({ name }) => name);
  const slugs = schools.map(({ slug }) => String(slug));
  const [wanted = null, wantedSchool = null, page = null, differs = null] = fields.map(
    (name) => query.get(name) || null,
  );
  const known = names.find((name) => name === wanted);
  const collection = known ?? names[0] ?? '';
  const school = slugs.find((slug) => slug === wantedSchool) ?? null;
  const isPage = page === null || /^[1-9]\d{0,8}$/.test(page);
  const problems: string[] = [];
  if (wanted !== null && known === undefined)
    problems.push(
      `The address names the collection “${wanted}”, which does not exist. The collections are ${firstOf(names)}. The page shows ${collection}.`,
    );
  if (wantedSchool !== null && school === null)
    problems.push(
      `The address names the school “${wantedSchool}”, which the sandbox does not have. The schools are ${firstOf(slugs)}. The page shows the records of all schools.`,
    );
  if (!isPage) problems.push(`The address has the page “${page}”, but pages are whole numbers from 1.`);
  if (differs !== null && differs !== 'true')
    problems.push(`The address has “differs=${differs}”, but only “true” has a meaning there.`);
  return {
    view: {
      collection,
      school,
      text: query.get('text') ?? '',
      isOnlyChanged: differs === 'true',
      page: isPage && page !== null ? Number(page) - 1 : 0,
    },
    problems,
  };
}

/** Returns the view for the query of an address. */
export function queryOf({
  collection,
  school,
  text,
  isOnlyChanged,
  page,
}: View): Readonly<Record<string, string>> {
  return {
    collection,
    ...(school === null ? {} : { school }),
    ...(text === '' ? {} : { text }),
    ...(isOnlyChanged ? { differs: 'true' } : {}),
    ...(page === 0 ? {} : { page: String(page + 1) }),
  };
}

/** A sandbox can have thousands of schools. */
const maxNamed = 20;

function firstOf(names: readonly string[]): string {
  const hidden = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}
