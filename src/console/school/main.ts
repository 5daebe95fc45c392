import { render } from 'preact';
import '../console.css';
import { html } from '../html.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { SchoolPage } from './school-page.ts';
import './school.css';

render(html`<${SchoolPage} />`, document.body);
keepFocus();
