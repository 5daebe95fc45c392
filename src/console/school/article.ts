import type { ComponentChildren, VNode } from 'preact';
import { html } from '../html.ts';
import { isObject } from '../parts/is-object.ts';
import { CodeBlock, headingOf, Markdown } from './markdown.ts';

/** The content of a course item: a document of the rich-text editor, or Markdown; anything else as text. */
export function Article({ contentJson }: { readonly contentJson: string }): VNode {
  const content = parsed(contentJson);
  if (isObject(content) && typeof content['markdown'] === 'string')
    return html`<${Markdown} text=${content['markdown']} />`;
  if (isObject(content) && content['type'] === 'doc')
    return html`<div class="prose">${children(content)}</div>`;
  return html`<${CodeBlock} text=${contentJson} />`;
}

function parsed(text: string): unknown {
  try {
    const content: unknown = JSON.parse(text);
    return content;
  } catch {
    return null;
  }
}

type Node = Readonly<Record<string, unknown>>;

function children({ content }: Node): readonly ComponentChildren[] {
  return (Array.isArray(content) ? content : []).filter(isObject).map(shown);
}

function shown(node: Node): ComponentChildren {
  switch (node['type']) {
    case 'text':
      return marked(node);
    case 'paragraph':
      return html`<p>${children(node)}</p>`;
    case 'heading':
      return html`<${headingOf(levelOf(node))}>${children(node)}<//>`;
    case 'bulletList':
      return html`<ul>${children(node)}</ul>`;
    case 'orderedList':
      return html`<ol>${children(node)}</ol>`;
    case 'listItem':
      return html`<li>${children(node)}</li>`;
    case 'blockquote':
      return html`<blockquote>${children(node)}</blockquote>`;
    case 'codeBlock':
      return html`<${CodeBlock} text=${textIn(node)} />`;
    case 'hardBreak':
      return html`<br />`;
    default:
      return children(node);
  }
}

function levelOf({ attrs }: Node): number {
  const level = isObject(attrs) ? attrs['level'] : undefined;
  return typeof level === 'number' ? level : 2;
}

/** The elements of marks of the editor; other marks do not change the text. */
const elements: ReadonlyMap<unknown, string> = new Map([
  ['bold', 'strong'],
  ['italic', 'em'],
  ['code', 'code'],
  ['strike', 'del'],
]);

function marked({ text, marks }: Node): ComponentChildren {
  const types = (Array.isArray(marks) ? marks : []).filter(isObject).map(({ type }) => elements.get(type));
  return types.reduce<ComponentChildren>(
    (inner, element) => (element === undefined ? inner : html`<${element}>${inner}<//>`),
    typeof text === 'string' ? text : '',
  );
}

function textIn(node: Node): string {
  const { content, text } = node;
  if (typeof text === 'string') return text;
  return (Array.isArray(content) ? content : []).filter(isObject).map(textIn).join('');
}
