import type { TargetedSubmitEvent, VNode } from 'preact';
import { keepToken } from '../api.ts';
import { html } from '../html.ts';
import { Dialog } from './dialog.ts';

/** Asks for the control token, once per tab. */
export function TokenDialog({ onDone }: { readonly onDone: () => void }): VNode {
  const keep = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const token = new FormData(event.currentTarget).get('token');
    keepToken(typeof token === 'string' ? token.trim() : '');
    onDone();
  };
  return html`<${Dialog} title="Control token" onClose=${onDone}>
    <form onSubmit=${keep}>
      <p>Enter the control token to manage this server. It was set with <code>--control-token</code>, or generated and printed at startup.</p>
      <label class="field">Token <input name="token" type="password" required autocomplete="off" /></label>
      <div class="row"><button class="main">Save token</button></div>
    </form>
  <//>`;
}
