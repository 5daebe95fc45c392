import { render } from 'preact';
import { App } from './app.ts';
import './console.css';
import { html } from './html.ts';
import { keepFocus } from './parts/keep-focus.ts';

render(html`<${App} />`, document.body);
keepFocus();
