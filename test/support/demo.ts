/** Records of the demo seed that tests refer to; Riverside's unless said otherwise. */
export const schools = { riverside: '1d7181362df2b36a581c47d4', hillcrest: '5a939d7b59f8dacbabdf916d' };

/**
 * "Lists, Tuples and Dictionaries": single- and multi-correct questions, with and without explanation and
 * description.
 */
export const quiz = {
  id: '9d5afed5df87086d04584dbf',
  itemId: 'a0bbf42f723beab07278326b',
  single: {
    id: '1389941cd140f808adbbac03',
    options: ['1702ab55a9823a3d518bf9e4', '4e6676bc5b8c5f97552ab66c'],
    correct: '996d9a8b38871327f2cea10a',
  },
  multi: {
    id: '3f0f39385bd6e2c18bff098c',
    options: ['e38dee8d3bcec703fd0d37e5', '925a09f135b2754a3d0b63d8'],
  },
};
export const hillcrestQuizId = '984144c328c175680b6d36d2';

export const learner = {
  id: '0549c6b32a4aec9cb8970087',
  email: 'hana.kobayakawa@students.riverside-academy.example',
};
export const hillcrestLearner = {
  id: '506546b1df96c64b288e1292',
  email: 'isla.macrae@students.hillcrest-college.example',
};

export const items = {
  article: '7f74be9fba4aeffdf4bbc75c',
  markdown: '9c7e1b0f7abc83c607544846',
  draft: 'f596f7c90ddeef20accd5be9',
  hillcrest: 'ab59e63d6fa21620ebd0d75f',
};
/** A completed submission. */
export const completed = {
  id: 'cab3241df9c18b35bb8be152',
  userId: 'a00eb00b070ae0e1dd3842b4',
  itemId: '03dea7117bfddc18cabc002f',
};

export const coupon = { id: '5bb6bf98e3b6a0f3c19b07c3', productId: 'e14eab51f0b9dee5b286f9ec' };
export const hillcrestCoupon = { id: '67e8844d09d67d5ef301d6b5', productId: '81ad2131b2094341d149fbde' };
export const labId = '26440e350ddc26b656f533f7';
export const products = {
  python: 'e14eab51f0b9dee5b286f9ec',
  withoutAssignments: 'f71076e8edc130d8e6376fa0',
  hillcrest: '81ad2131b2094341d149fbde',
};

export const sessions = {
  twoSources: '9c5b7ed6df3621555e4a6e2e',
  oneSource: 'cfd6b2d82e85775d97a3efcb',
  neverRecorded: 'd38195e3bd4d6c4f5c9cbfbd',
  running: 'e2525e6e3d1709530b12274e',
  future: '9239f3aa7b3edb01f4538604',
};

export const instructors = {
  riverside: { id: '48f925d5f0a4f7f191c9c062', email: 'mira.okafor@riverside-academy.example' },
  hillcrest: {
    id: '53228962044c16b092433091',
    userId: '060774c746f57d9ef5100b33',
    email: 'zainab.haddaoui@hillcrest-college.example',
  },
  both: { id: 'c1e897155ff21ca93e3b4a88', email: 'kenji@morisawa-workshop.example' },
};
