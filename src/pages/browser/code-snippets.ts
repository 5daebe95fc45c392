/** A call to show as code. */
export interface SnippetCall {
  readonly url: string;
  readonly key: string;
  /** The body as the reader has it, which may be no JSON. */
  readonly body: string;
}

interface Language {
  readonly name: string;
  readonly write: (call: SnippetCall) => string;
}

/** The languages of the reference, the most general first. Every text is a whole program. */
export const languages: readonly Language[] = [
  { name: 'curl', write: curl },
  { name: 'fetch', write: fetchCall },
  { name: 'Python', write: python },
  { name: 'Java', write: java },
  { name: 'Go', write: go },
  { name: 'C#', write: csharp },
];

function curl({ url, key, body }: SnippetCall): string {
  const json = valueOf(body);
  const data = json === undefined ? body : JSON.stringify(json);
  return `curl ${shellText(url)} \\
  -H ${shellText(`SERVICE-API-KEY: ${key}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${shellText(data)}
`;
}

function shellText(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function fetchCall({ url, key, body }: SnippetCall): string {
  const json = valueOf(body);
  const data = json === undefined ? JSON.stringify(body) : `JSON.stringify(${indented(pretty(json), 2)})`;
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'SERVICE-API-KEY': ${JSON.stringify(key)}, 'Content-Type': 'application/json' },
  body: ${data},
});
console.log(response.status, await response.text());
`;
}

function python({ url, key, body }: SnippetCall): string {
  const json = valueOf(body);
  const data = json === undefined ? `data=${JSON.stringify(body)}` : `json=${indented(pythonValue(json), 4)}`;
  const headers = [
    `"SERVICE-API-KEY": ${JSON.stringify(key)}`,
    ...(json === undefined ? ['"Content-Type": "application/json"'] : []),
  ];
  return `import requests

response = requests.post(
    ${JSON.stringify(url)},
    headers={${headers.join(', ')}},
    ${data},
)
print(response.status_code, response.text)
`;
}

/** Returns a value in Python, which has other names for three values of JSON. */
function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Array.isArray(value)
    ? value.map(pythonValue)
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonValue(member)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return `${open}${close}`;
  return `${open}\n${members.map((member) => `    ${indented(member, 4)},\n`).join('')}${close}`;
}

function java({ url, key, body }: SnippetCall): string {
  const text = shown(body)
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', String.raw`\"\"\"`);
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Call {
    public static void main(String[] args) throws Exception {
        var body = """
            ${indented(text, 12)}
            """;
        var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(url)}))
            .header("SERVICE-API-KEY", ${JSON.stringify(key)})
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}
`;
}

function go({ url, key, body }: SnippetCall): string {
  const text = shown(body);
  const literal = text.includes('`') || text.includes('\r') ? JSON.stringify(text) : `\`${text}\``;
  return `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := ${literal}
	request, err := http.NewRequest("POST", ${JSON.stringify(url)}, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("SERVICE-API-KEY", ${JSON.stringify(key)})
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, string(text))
}
`;
}

function csharp({ url, key, body }: SnippetCall): string {
  const text = shown(body);
  // A raw text ends at as many quotes as it begins with.
  const longest = Math.max(2, ...(text.match(/"+/g) ?? []).map((quotes) => quotes.length));
  const quotes = '"'.repeat(longest + 1);
  return `using System.Net.Http;
using System.Text;

using var client = new HttpClient();
using var request = new HttpRequestMessage(HttpMethod.Post, ${JSON.stringify(url)});
request.Headers.Add("SERVICE-API-KEY", ${JSON.stringify(key)});
request.Content = new StringContent(${quotes}
    ${indented(text, 4)}
    ${quotes}, Encoding.UTF8, "application/json");
using var response = await client.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");
`;
}

/** Returns the value of JSON, or undefined if the text is none. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shown(body: string): string {
  const json = valueOf(body);
  return json === undefined ? body : pretty(json);
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Indents all lines but the first. */
function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
