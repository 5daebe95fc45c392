import { html as untyped } from 'htm/preact';
import type { VNode } from 'preact';

/** What a template may hold: text, components, handlers; nothing is ever put into the page as markup. */
export const html: (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode = untyped;
