/** A client of the learning platform: lists, reads and submits, and copes with what goes wrong on the way. */
import createClient from 'openapi-fetch';
import type { paths } from './learning-platform.js';
import { patientFetch } from './patient-fetch.js';

const { SANDBOX_URL = 'http://127.0.0.1:4010', SANDBOX_API_KEY = 'sbx_default_riverside' } = process.env;
const client = createClient<paths>({
  baseUrl: SANDBOX_URL,
  headers: { 'SERVICE-API-KEY': SANDBOX_API_KEY },
  fetch: patientFetch,
});

type Output<T> = { status: 'ok'; data: T } | { status: 'error'; errorMessage: string };

interface Reply<T> {
  readonly data?: readonly { readonly output: Output<T> }[];
  readonly error?: unknown;
  readonly response: Response;
}

/** What became of each element, in their order. HTTP 200 does not say that anything went well: every output has a status of its own. */
function outputsOf<T>({ data, error, response }: Reply<T>): readonly Output<T>[] {
  if (data === undefined)
    throw new Error(`The call was refused with HTTP ${response.status}: ${JSON.stringify(error)}`);
  return data.map(({ output }) => output);
}

/** The result of the only element. */
function resultOf<T>(reply: Reply<T>): T {
  const [output] = outputsOf(reply);
  if (output === undefined) throw new Error('The reply has no output.');
  if (output.status === 'error') throw new Error(output.errorMessage);
  return output.data;
}

async function list(): Promise<void> {
  const courseIdentifier = { type: 'product-id', digitalProductId: 'f68b14464867fc055551e6ac' };
  const { productTitle, assignments } = resultOf(
    await client.POST('/public/list-assignments', { body: { data: [{ data: { courseIdentifier } }] } }),
  );
  console.log(`${productTitle} has ${assignments.length} assignments:`);
  for (const { assignmentTitle } of assignments) console.log(`- ${assignmentTitle}`);
}

/** Two quizzes in one call, of which the second is another school's. Returns the answer to the first question of the first. */
async function read(): Promise<{
  readonly questionUniqueId: string;
  readonly newSelectedOptionIds: string[];
}> {
  const quizIds = ['89a674da2cdf9bc9916fe3ae', '984144c328c175680b6d36d2'];
  const [first, second] = outputsOf(
    await client.POST('/public/get-quiz-details', {
      body: { data: quizIds.map((quizId) => ({ data: { quizId } })) },
    }),
  );
  if (second?.status === 'error')
    console.log(`One element failed in a reply with HTTP 200: ${second.errorMessage}`);
  const question = first?.status === 'ok' ? first.data.questions[0] : undefined;
  if (question === undefined) throw new Error('There is no question to answer.');
  console.log(`The question: ${question.title}`);
  const right = (question.options ?? []).filter(({ isCorrectOption }) => isCorrectOption);
  return {
    questionUniqueId: question.questionId,
    newSelectedOptionIds: right.map(({ optionId }) => optionId),
  };
}

async function submit(answer: Awaited<ReturnType<typeof read>>): Promise<void> {
  const data = {
    courseItemId: 'b4c48ca14f96ae384539bbdc',
    details: { courseItemType: 'Quiz', questionsToUpsert: [answer] },
    userId: '0549c6b32a4aec9cb8970087',
    userEmail: 'hana.kobayakawa@students.riverside-academy.example',
    shouldMarkAsCompleted: true,
  };
  resultOf(await client.POST('/public/submit-user-course-item', { body: { data: [{ data }] } }));
  console.log('The answer is submitted.');
}

/** Stated to be idempotent, so `patientFetch` may send it again where its reply was lost: there is one account all the same. */
async function createInstructor(): Promise<void> {
  const data = { instructorEmail: 'sam.otieno@riverside-academy.example', instructorName: 'Sam Otieno' };
  const { serviceInstructorId } = resultOf(
    await client.POST('/public/create-instructor-account', { body: { data: [{ data }] } }),
  );
  console.log(`Sam Otieno is the instructor ${serviceInstructorId}.`);
}

try {
  await list();
  await submit(await read());
  await createInstructor();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
