/** Records of the demo data that the clients work with. */
export const items = [
  'aba0ea4ed96bd4aae871b7ad',
  '7f74be9fba4aeffdf4bbc75c',
  '03dea7117bfddc18cabc002f',
  '972a893d537d9bc50fd4c451',
  'a0bbf42f723beab07278326b',
  '9c7e1b0f7abc83c607544846',
  'c4465d5b0c14e41c639e113c',
  'f596f7c90ddeef20accd5be9',
  'c99340c4b5ded3f46f9546f7',
  '99e195b02095fed94e0a419b',
];
/** Twenty different ones, for clients that read many. */
export const manyItems = [
  ...items,
  'cafc0a8fc6b9c570dd4d6358',
  '4fe8f5e449c40475322bc107',
  '5d5f122920b4b81f871b657b',
  'd82d01cc8a27fafbca0b5c64',
  '9c521e4e962848544a59387f',
  '26e9ae231bfe0e1f3972837c',
  '57fac26aef40f32081834763',
  '94cf22fb9810d7f33fce8ce1',
  '6b131aeaf0d8cfdcc7a877f2',
  '1c17936a5dc37901dff53495',
];
export const quizzes = [
  '057ea992fc0a75d4ed8b54da',
  '9d5afed5df87086d04584dbf',
  '38ed6bd0e32a023bfa47e00b',
  '73e5004624aef0bf41629bd5',
  '62387521d8397a1b2b209cf7',
  '89a674da2cdf9bc9916fe3ae',
  '1d90b041197a6d7646b37c2c',
];
export const products = ['e14eab51f0b9dee5b286f9ec', 'f68b14464867fc055551e6ac'];
export const recorded = { liveEventSessionId: '9c5b7ed6df3621555e4a6e2e' };
export const unprocessed = { liveEventSessionId: '9239f3aa7b3edb01f4538604' };
export const running = { liveEventSessionId: 'e2525e6e3d1709530b12274e' };
export const lab = '26440e350ddc26b656f533f7';

interface Learner {
  readonly userId: string;
  readonly userEmail: string;
}

export const learners: readonly Learner[] = [
  ['44832448d6d4614ecd817cf1', 'joao.ferraz@students.riverside-academy.example'],
  ['0549c6b32a4aec9cb8970087', 'hana.kobayakawa@students.riverside-academy.example'],
  ['90f6bbdc2d4cf5a2971ef1d7', 'grace.amissah@students.riverside-academy.example'],
  ['27003973641fb3cc94bed0ee', 'oskar.lindhagen@students.riverside-academy.example'],
  ['bb47067858db6a3345235894', 'nadia.petrovan@students.riverside-academy.example'],
].map(([userId = '', userEmail = '']) => ({ userId, userEmail }));

export function coupon(percentOff: number): object {
  return {
    serviceCouponCodeId: '5bb6bf98e3b6a0f3c19b07c3',
    serviceDigitalProductId: 'e14eab51f0b9dee5b286f9ec',
    couponTypeData: { type: 'percent-off', percentOff },
  };
}

export function instructor(name: string): {
  readonly instructorEmail: string;
  readonly instructorName: string;
} {
  return { instructorEmail: `${name}@riverside-academy.example`, instructorName: name };
}

/** The answer of a learner to a quiz. */
export function submission(learner: Learner | undefined): object {
  return submissionOf(learner, ['5401a18d222a47fb3287a7e8']);
}

/** Twenty different submissions. */
export const submissions: readonly object[] = [true, false].flatMap((shouldMarkAsCompleted) =>
  [['5401a18d222a47fb3287a7e8'], []].flatMap((options) =>
    learners.map((learner) => ({ ...submissionOf(learner, options), shouldMarkAsCompleted })),
  ),
);

export function submissionOf(learner: Learner | undefined, newSelectedOptionIds: readonly string[]): object {
  return {
    courseItemId: 'b4c48ca14f96ae384539bbdc',
    details: {
      courseItemType: 'Quiz',
      questionsToUpsert: [{ questionUniqueId: '9242442aab74062991dc8a2a', newSelectedOptionIds }],
    },
    ...learner,
    shouldMarkAsCompleted: true,
  };
}

export function assignmentsOf(digitalProductId: string | undefined): object {
  return { courseIdentifier: { type: 'product-id', digitalProductId } };
}
