import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../api.ts';
import { html } from '../html.ts';

type Operation = Schemas['OperationCoverage'];

/** Which forms of parameters the client sent, and which forms of fields it was answered, operation by operation. */
export function Forms({ coverage }: { readonly coverage: readonly Operation[] }): VNode {
  const called = coverage.filter(({ calls }) => calls > 0);
  return html`<h3>Parameters and fields</h3>
    ${called.length === 0 && html`<p class="soft">Of the operations that are called, what was sent and answered is counted here.</p>`}
    ${called.map((one) => html`<${OperationForms} key=${one.operation} of=${one} />`)}`;
}

/** Its rows are made when they are to be seen: an operation has up to a hundred. */
function OperationForms({ of: { operation, parameters, fields } }: { readonly of: Operation }): VNode {
  const [open, setOpen] = useState(false);
  const toggle = (event: Event): void => setOpen((event.currentTarget as HTMLDetailsElement).open);
  return html`<details onToggle=${toggle}>
    <summary><code>${operation}</code> ${`sent ${share(parameters)}, was answered ${share(fields)}`}</summary>
    ${
      open &&
      html`<${Uses} operation=${operation} title="What it sent" uses=${parameters} none="The operation takes no parameters." />
        <${Uses} operation=${operation} title="What it was answered" uses=${fields} none="The operation answers no fields." />`
    }
  </details>`;
}

function share(uses: readonly Schemas['OptionUse'][]): string {
  if (uses.length === 0) return 'nothing that has forms';
  return `${uses.filter(({ count }) => count > 0).length} of ${uses.length} forms`;
}

interface UsesProps {
  readonly operation: string;
  readonly title: string;
  readonly uses: readonly Schemas['OptionUse'][];
  readonly none: string;
}

function Uses({ operation, title, uses, none }: UsesProps): VNode {
  if (uses.length === 0) return html`<p class="soft">${none}</p>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label=${`${title}: ${operation}`}>
    <table>
      <caption>
        ${title}; * stands for any member
      </caption>
      <thead>
        <tr>
          <th scope="col">Where</th>
          <th scope="col">Form</th>
          <th scope="col" class="number">Times</th>
        </tr>
      </thead>
      <tbody>
        ${uses.map(
          ({ pointer, option, count }) =>
            html`<tr key=${`${pointer} ${option}`}>
              <th scope="row"><code>${pointer}</code></th>
              <td>${option}</td>
              <td class=${count === 0 ? 'number none' : 'number well'}>${count === 0 ? 'never' : count}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
