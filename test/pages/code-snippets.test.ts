import { describe, expect, it } from 'vitest';
import { languages, type SnippetCall } from '../../src/pages/browser/code-snippets.ts';

const call: SnippetCall = {
  url: 'http://127.0.0.1:4010/public/get-quiz-details',
  key: 'sbx_default_riverside',
  body: '{"data": [{"data": {"quizId": "q-1"}}]}',
};

function written(name: string, changes: Partial<SnippetCall> = {}): string {
  const language = languages.find((one) => one.name === name);
  return language?.write({ ...call, ...changes }) ?? '';
}

describe('a call as code', () => {
  it('comes in six languages', () => {
    expect(languages.map(({ name }) => name)).toEqual(['curl', 'fetch', 'Python', 'Java', 'Go', 'C#']);
  });

  it.each(languages.map(({ name }) => name))('has the URL, the key and the body: %s', (name) => {
    const text = written(name);
    for (const part of [call.url, 'SERVICE-API-KEY', call.key, 'quizId', 'q-1']) expect(text).toContain(part);
  });

  it('has no quote in a shell that ends the text early', () => {
    expect(written('curl', { body: '{"name":"O\'Hara"}' })).toContain(String.raw`'{"name":"O'\''Hara"}'`);
  });

  it('has the words of Python for null, true and false', () => {
    expect(written('Python', { body: '{"a":null,"b":[true,false,{}],"c":[]}' })).toContain(
      'json={\n        "a": None,\n        "b": [\n            True,\n            False,\n            {},\n        ],\n        "c": [],\n    },',
    );
  });

  it('has no backslash in Java that Java would read', () => {
    expect(written('Java', { body: String.raw`{"a":"one\ntwo"}` })).toContain(String.raw`"one\\ntwo"`);
  });

  it('has a text of Go that may contain a backtick', () => {
    expect(written('Go', { body: '{"a":"`"}' })).toContain(String.raw`body := "{\n  \"a\": \"${'`'}\"\n}"`);
  });

  it('has more quotes around a text of C# than the text has in it', () => {
    expect(written('C#', { body: 'no JSON """ but a text' })).toContain('StringContent(""""\n');
  });

  it.each(languages.map(({ name }) => name))('has a body that is no JSON as it is: %s', (name) => {
    expect(written(name, { body: '{"data": [' })).toMatch(/\{\\?"data\\?": \[/);
  });
});
