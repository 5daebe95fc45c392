import { oneLine } from '../../base/escape.ts';

const attributes = String.raw`(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*`;
const testCase = new RegExp(String.raw`<testcase(${attributes})\s*(?:/>|>([\s\S]*?)</testcase>)`, 'g');
const failure = new RegExp(String.raw`<(?:failure|error)(?=[\s/>])`);

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Output of tests in a JUnit file, in which anything may stand. */
const unread = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->/g;

/** Maximum number of failed tests listed per run. */
export const maxTests = 20;

/** Returns the names of the failed tests in a JUnit XML file, each with its class if it has one. There are none in any other text. */
export function failedTestsIn(xml: string): readonly string[] {
  return [...xml.replaceAll(unread, '').matchAll(testCase)].flatMap(([, start = '', content = '']) => {
    if (!failure.test(content)) return [];
    const name = attribute(start, 'name') ?? 'a test without a name';
    const className = attribute(start, 'classname') ?? '';
    return [className === '' || name.includes(className) ? name : `${className}: ${name}`];
  });
}

function attribute(start: string, name: string): string | null {
  const [, inDouble, inSingle] =
    new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(start) ?? [];
  const value = inDouble ?? inSingle;
  return value === undefined ? null : oneLine(unescaped(value));
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal) : parseInt(String(hex), 16);
    if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    return entities[String(name)] ?? whole;
  });
}
