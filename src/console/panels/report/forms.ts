import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';

type Operation = Schemas['OperationCoverage'];

/** The parameter variants that the client sent and the field variants that it received, by operation. */
export function Forms({ coverage }: { readonly coverage: readonly Operation[] }): VNode {
  const called = coverage.filter(({ calls }) => calls > 0);
  return html`<h3>Parameters and fields</h3>
    ${called.length === 0 && html`<p class="soft">Shows the parameters that the client sent and the fields that it received. No operation has been called yet.</p>`}
    ${called.map((one) => html`<${OperationForms} key=${one.operation} of=${one} />`)}`;
}

/** Rows are rendered only when opened: an operation has up to 100. */
function OperationForms({ of: { operation, parameters, fields } }: { readonly of: Operation }): VNode {
  const [open, setOpen] = useState(false);
  const toggle = (event: Event): void => setOpen((event.currentTarget as HTMLDetailsElement).open);
  return html`<details onToggle=${toggle}>
    <summary><code>${operation}</code> ${`sent ${share(parameters)}, received ${share(fields)}`}</summary>
    ${
      open &&
      html`<${Uses} operation=${operation} title="Parameters sent" uses=${parameters} none="The operation has no parameters." />
        <${Uses} operation=${operation} title="Fields received" uses=${fields} none="The operation returns no fields." />`
    }
  </details>`;
}

function share(uses: readonly Schemas['OptionUse'][]): string {
  if (uses.length === 0) return 'no variants';
  return `${uses.filter(({ count }) => count > 0).length} of ${uses.length} variants`;
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
        ${title}; * matches any name or index
      </caption>
      <thead>
        <tr>
          <th scope="col">Where</th>
          <th scope="col">Variant</th>
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
