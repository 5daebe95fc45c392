import type { VNode } from 'preact';
import { keepToken } from '../api.ts';
import { html } from '../html.ts';
import { Dialog } from './dialog.ts';

/** Asks for the control token, once per tab. */
export function TokenDialog({ onDone }: { readonly onDone: () => void }): VNode {
  const keep = (event: SubmitEvent): void => {
    event.preventDefault();
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token');
    keepToken(typeof token === 'string' ? token.trim() : '');
    onDone();
  };
  return html`<${Dialog} title="Control token" onClose=${onDone}>
    <form onSubmit=${keep}>
      <p>This server steers only for whoever has its control token. It was given with <code>--control-token</code>, or made up and printed at the start.</p>
      <label class="field">Token <input name="token" type="password" required autocomplete="off" /></label>
      <div class="row"><button class="main">Continue</button></div>
    </form>
  <//>`;
}
