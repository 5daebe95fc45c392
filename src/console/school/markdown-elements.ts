import { Lexer, type MarkedToken, type Token } from 'marked';
import type { ComponentChildren } from 'preact';
import { html } from '../html.ts';
import { CodeBlock, headingOf } from './markdown.ts';

/** Returns Markdown as elements. HTML in it is shown as text, because anybody may have written it. */
export function elementsOf(text: string): readonly ComponentChildren[] {
  return blocks(Lexer.lex(text));
}

function blocks(tokens: readonly Token[] | undefined): readonly ComponentChildren[] {
  // Without extensions, the lexer creates tokens of its own types only.
  return (tokens ?? []).map((token) => shown(token as MarkedToken));
}

function shown(token: MarkedToken): ComponentChildren {
  switch (token.type) {
    case 'paragraph':
      return html`<p>${blocks(token.tokens)}</p>`;
    case 'heading':
      return html`<${headingOf(token.depth)}>${blocks(token.tokens)}<//>`;
    case 'list': {
      const items = token.items.map(({ tokens }) => html`<li>${blocks(tokens)}</li>`);
      return token.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens)}</blockquote>`;
    case 'code':
      return html`<${CodeBlock} text=${token.text} />`;
    case 'codespan':
      return html`<code>${token.text}</code>`;
    case 'strong':
      return html`<strong>${blocks(token.tokens)}</strong>`;
    case 'em':
      return html`<em>${blocks(token.tokens)}</em>`;
    case 'del':
      return html`<del>${blocks(token.tokens)}</del>`;
    case 'br':
      return html`<br />`;
    case 'hr':
      return html`<hr />`;
    case 'link':
      // The links of the demo data lead to invented hosts.
      return html`<span title=${token.href}>${blocks(token.tokens)}</span>`;
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? blocks(token.tokens) : token.text;
    case 'escape':
      return token.text;
    case 'space':
      return null;
    case 'image':
      return token.text;
    case 'html':
    case 'table':
    case 'checkbox':
    case 'list_item':
    case 'def':
      return token.raw;
  }
}
