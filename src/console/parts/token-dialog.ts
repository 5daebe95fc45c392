import type { TargetedSubmitEvent, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { keepToken, tokenWanted } from '../api.ts';
import { html } from '../html.ts';
import { Dialog } from './dialog.ts';

/** The dialog, while the server wants a token; `generation` grows when it closes, because data can be loaded then. */
export function useTokenDialog(): { readonly dialog: VNode | false; readonly generation: number } {
  const [wantsToken, setWantsToken] = useState(false);
  const [generation, setGeneration] = useState(0);
  useEffect(() => {
    const show = (): void => setWantsToken(true);
    addEventListener(tokenWanted, show);
    return () => removeEventListener(tokenWanted, show);
  }, []);
  const taken = (): void => {
    setWantsToken(false);
    setGeneration((before) => before + 1);
  };
  return { dialog: wantsToken && html`<${TokenDialog} onDone=${taken} />`, generation };
}

/** Asks for the control token, once per tab. */
function TokenDialog({ onDone }: { readonly onDone: () => void }): VNode {
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
