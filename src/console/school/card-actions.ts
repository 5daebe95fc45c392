import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { CopyButton } from '../parts/copy-button.ts';
import { Dialog } from '../parts/dialog.ts';
import { keyOf } from '../parts/key-of.ts';
import { pathTo } from '../route.ts';
import { curlOf, type ApiCall } from './api-call.ts';
import { CodeBlock } from './markdown.ts';
import { ruleIdOf, stateOf } from './failure-rule.ts';
import type { School } from './school.ts';

interface Props {
  readonly school: School;
  /** What the card shows, for the names of its buttons. */
  readonly what: string;
  readonly collection: string;
  readonly record: { readonly id: string };
  /** Null if no operation is about the record. */
  readonly call: ApiCall | null;
  /** The label of the button for the call, if it differs from the usual one. */
  readonly callLabel?: string;
}

const copyLabels: Readonly<Record<ApiCall['verb'], string>> = {
  returns: 'Call that returns this',
  updates: 'Call that updates this',
  sends: 'Call that sends this',
};

/** The buttons of a card: its record as JSON, its call as a command, and a failure of its next call. */
export function CardActions({ school, what, collection, record, call, callLabel }: Props): VNode {
  const [isOpen, setOpen] = useState(false);
  const { sandbox, slug, baseUrl } = school;
  return html`<div class="actions row">
    <button type="button" class="quiet" aria-label=${`JSON: ${what}`} onClick=${() => setOpen(true)}>JSON</button>
    ${
      call !== null &&
      html`<${CopyButton} label=${callLabel ?? copyLabels[call.verb]} what=${what} text=${curlOf(call, baseUrl, keyOf(sandbox, slug))} />
      <${FailButton} school=${school} what=${what} call=${call} />`
    }
    ${isOpen && html`<${RecordDialog} sandbox=${sandbox} what=${what} collection=${collection} record=${record} onClose=${() => setOpen(false)} />`}
  </div>`;
}

/** Arms a failure of the next call, or undoes that. */
function FailButton({
  school,
  what,
  call,
}: Pick<Props, 'school' | 'what'> & { readonly call: ApiCall }): VNode {
  const id = ruleIdOf(call, school.slug);
  const state = stateOf(school.rules.get(id));
  if (state === 'armed') {
    return html`<${Badge} tone="warn" title=${`The next ${call.operation} returns 503`}>next call fails<//>
      <button type="button" class="quiet" aria-label=${`Undo failure: ${what}`} onClick=${() => school.disarm(id, what)}>Undo</button>`;
  }
  return html`${state === 'fired' && html`<${Badge} tone="info">has failed once<//>`}
    <button type="button" class="quiet" aria-label=${`Make it fail: ${what}`} onClick=${() => school.arm(call, what)}>Make it fail</button>`;
}

interface RecordDialogProps extends Pick<Props, 'what' | 'collection' | 'record'> {
  readonly sandbox: string;
  readonly onClose: () => void;
}

function RecordDialog({ sandbox, what, collection, record, onClose }: RecordDialogProps): VNode {
  const text = JSON.stringify(record, null, 2);
  return html`<${Dialog} title=${what} onClose=${onClose}>
    <p class="soft">The stored record. An operation returns a part of its fields, some under other names, and an assumption can replace a value.</p>
    <div class="row">
      <${CopyButton} text=${text} what="the record" label="Copy JSON" />
      <a href=${pathTo(sandbox, 'state', { collection, record: record.id })}>Edit in the console</a>
    </div>
    <${CodeBlock} text=${text} />
  <//>`;
}
