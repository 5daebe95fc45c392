import { html as untyped } from 'htm/preact';
import type { VNode } from 'preact';

/** Renders a template of text, components and handlers. Values are never inserted as markup. */
export const html: (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode = untyped;
