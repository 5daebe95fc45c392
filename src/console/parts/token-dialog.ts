import type { TargetedSubmitEvent, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keepToken, send, tokenWanted, type TokenWanted } from '../api.ts';
import { ControlProblem } from '../control-problem.ts';
import { html } from '../html.ts';
import { Button } from './button.ts';
import { Dialog } from './dialog.ts';
import { InputField } from './field.ts';
import { formText } from './form-text.ts';
import { ProblemNotice } from './notice.ts';
import { useAction } from './use-action.ts';
import { useInvalidFocus } from './use-invalid-focus.ts';

/** What a page shows if the server wants a token. */
export interface TokenDialog {
  readonly dialog: VNode | false;
  /** Shown in place of the page's content while there is no valid token; null if none is needed. */
  readonly notice: VNode | null;
}

/** Opens a dialog when the server wants a token. After it was closed, only a person opens it again. */
export function useTokenDialog(): TokenDialog {
  const [state, setState] = useState<'not needed' | 'asking' | 'closed'>('not needed');
  useEffect(() => {
    const show = ({ detail: { isForAction } }: CustomEvent<TokenWanted>): void => {
      setState((before) => (before === 'closed' && !isForAction ? before : 'asking'));
    };
    addEventListener(tokenWanted, show);
    return () => removeEventListener(tokenWanted, show);
  }, []);
  const save = (): void => setState('not needed');
  const close = (): void => setState((before) => (before === 'asking' ? 'closed' : before));
  return {
    dialog: state === 'asking' && html`<${Asking} onSaved=${save} onClose=${close} />`,
    notice: state === 'not needed' ? null : html`<${Needed} onEnter=${() => setState('asking')} />`,
  };
}

function Needed({ onEnter }: { readonly onEnter: () => void }): VNode {
  return html`<div class="empty">
    <h1>Control token needed</h1>
    <p>This server needs its control token.</p>
    <button type="button" class="main" onClick=${onEnter}>Enter token …</button>
  </div>`;
}

interface AskingProps {
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Asks for the control token, once per tab, and tries it. */
function Asking({ onSaved, onClose }: AskingProps): VNode {
  const { busy, problem, run } = useAction();
  const place = useInvalidFocus(problem);
  const isOpen = useRef(true);
  const close = (): void => {
    isOpen.current = false;
    onClose();
  };
  const save = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const token = formText(new FormData(event.currentTarget), 'token');
    if ((await run(() => tryToken(token))) && isOpen.current) {
      keepToken(token);
      onSaved();
    }
  };
  return html`<${Dialog} title="Control token" onClose=${close}>
    <form onSubmit=${save} ref=${place}>
      <p>Enter the control token to manage this server. It was set with <code>--control-token</code>, or generated and printed at startup. The token of a sandbox shows only that sandbox.</p>
      <${InputField} label="Token" name="token" type="password" required help="Stored until you close this tab." pointer="/token" problem=${problem} />
      <${ProblemNotice} problem=${problem} fields=${['/token']} />
      <div class="row"><${Button} class="main" off=${busy}>Save token<//></div>
    </form>
  <//>`;
}

/** Throws if the server does not accept a token. */
async function tryToken(token: string): Promise<void> {
  // A header cannot have other characters.
  if (!/^[\x21-\x7e]+$/.test(token)) throw wrongToken();
  try {
    await send('get', '/control/access', undefined, { headers: { Authorization: `Bearer ${token}` } });
  } catch (error) {
    throw error instanceof ControlProblem && error.status === 401 ? wrongToken() : error;
  }
}

function wrongToken(): ControlProblem {
  const message = 'The server does not accept this token. Check it for missing characters.';
  return new ControlProblem({
    status: 401,
    title: 'Wrong token',
    detail: message,
    violations: [{ pointer: '/token', message }],
  });
}
