/**
 * What the sandbox is measured against: `node:http`, parsing, looking up and answering the same, and nothing
 * else.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

type Fields = Record<string, unknown>;

function read(collection: string): readonly (Fields & { id: string; schoolIds?: string[] })[] {
  return JSON.parse(
    readFileSync(new URL(`../fixtures/demo/${collection}.json`, import.meta.url), 'utf8'),
  ) as never;
}

const riverside = '1d7181362df2b36a581c47d4';
const quizzes = new Map(read('quizzes').map((quiz) => [quiz.id, quiz]));
const coupons = new Map(read('coupons').map((coupon) => [coupon.id, coupon]));
const instructors = read('instructors').filter(({ schoolIds }) => schoolIds?.includes(riverside));

const operations: Readonly<Record<string, (parameters: Fields, host: string) => object>> = {
  '/public/get-quiz-details': ({ quizId }) => {
    const quiz = quizzes.get(String(quizId));
    return {
      createdAtIso: quiz?.['createdAtIso'],
      quizTitle: quiz?.['quizTitle'],
      questions: quiz?.['questions'],
    };
  },
  '/public/get-all-instructors': (_, host) => ({
    instructors: instructors.map(
      ({ id, name, email, profilePhotoUrl, tagline, longDescriptionMarkdown, createdAt, lastUpdatedAt }) => ({
        serviceInstructorId: id,
        name,
        email,
        profilePhotoUrl: `http://${host}${String(profilePhotoUrl)}`,
        tagline,
        longDescriptionMarkdown,
        createdAt,
        lastUpdatedAt,
      }),
    ),
  }),
  '/public/update-digital-product-coupon': ({ serviceCouponCodeId, ...fields }) => {
    const id = String(serviceCouponCodeId);
    coupons.set(id, { ...coupons.get(id), ...fields, id });
    return {};
  },
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { data: { data: Fields }[] };
    const run = operations[request.url ?? ''];
    const outputs = data.map((element) => ({
      output: { status: 'ok', data: run?.(element.data, request.headers.host ?? '') },
    }));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(outputs));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
