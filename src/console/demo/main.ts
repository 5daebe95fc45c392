import { render } from 'preact';
import '../console.css';
import { html } from '../html.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { DemoPage } from './demo-page.ts';
import './demo.css';

render(html`<${DemoPage} />`, document.body);
keepFocus();
