import { describe, expect, it } from 'vitest';
import { fitsTemplate, templateOf } from '../../src/upstream/calibrate/template.ts';

const unmasked = (text: string): string => text;

describe('the template for the refusals of a service', () => {
  it.each<{ what: string; bodies: readonly (readonly [status: number, body: object])[]; text: string }>([
    {
      what: 'takes a word for the message, and not the path of the call',
      bodies: [
        [401, { status: 401, error: 'Unauthorized', path: '/public/get-quiz-details' }],
        [429, { status: 429, error: 'Too Many Requests', path: '/public/get-quiz-details' }],
      ],
      text: '{"status":{{status}},"error":"{{message}}","path":"{{path}}"}',
    },
    {
      what: 'finds the path of the call in a URL and in other text',
      bodies: [
        [
          401,
          {
            reason: 'No key',
            uri: 'uri=/public/get-quiz-details;x',
            url: 'https://a.example/v2/public/get-quiz-details',
          },
        ],
        [
          404,
          {
            reason: 'No quiz',
            uri: 'uri=/public/list-assignments;x',
            url: 'https://a.example/v2/public/list-assignments',
          },
        ],
      ],
      text: '{"reason":"{{message}}","uri":"uri={{path}};x","url":"https://a.example/v2{{path}}"}',
    },
    {
      what: 'finds the message in a list',
      bodies: [
        [400, { message: ['quizId must be a text'], error: 'Bad Request' }],
        [400, { message: ['data must be a list'], error: 'Bad Request' }],
        [404, { message: ['there is no such quiz'], error: 'Not Found' }],
      ],
      text: '{"message":["{{message}}"],"error":"{{code}}"}',
    },
    {
      what: 'has a code for names and short numbers that have digits',
      bodies: [
        [401, { code: 'KEY_REQUIRED_V2', number: '40101', reason: 'No key' }],
        [404, { code: 'RECORD_NOT_FOUND_V2', number: '40401', reason: 'No quiz' }],
      ],
      text: '{"code":"{{code}}","number":"{{code}}","reason":"{{message}}"}',
    },
    {
      what: 'has no identifier of the call in a word of a few, such as the region of the server',
      bodies: [
        [401, { region: 'eu-north', ref: 'qwe', reason: 'No key' }],
        [401, { region: 'us-south', ref: 'rty', reason: 'No key' }],
        [404, { region: 'eu-north', ref: 'uio', reason: 'No quiz' }],
      ],
      text: '{"region":"{{code}}","ref":"{{requestId}}","reason":"{{message}}"}',
    },
    {
      what: 'keeps what is the same in all of them',
      bodies: [
        [401, { build: 'v1.24.3-20261101', reason: 'No key' }],
        [404, { build: 'v1.24.3-20261101', reason: 'No quiz' }],
      ],
      text: '{"build":"v1.24.3-20261101","reason":"{{message}}"}',
    },
  ])('$what', ({ bodies, text }) => {
    const forms = bodies.map(([status, body]) => ({ status, text: JSON.stringify(body) }));
    expect(templateOf(forms, unmasked)).toEqual({ text });
    for (const form of forms) expect(fitsTemplate(text, form, unmasked)).toBe(true);
  });
});
