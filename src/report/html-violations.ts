import { placeOf, type Violation } from './figures.ts';
import { groupBy } from './group-by.ts';
import { codes, numberHead, section, table } from './html-parts.ts';
import { markup, type Markup } from './markup.ts';
import type { Report } from './report.ts';

/** Where the client broke the contract, operation by operation. */
export function violationsSection({ violations, calls }: Report): Markup {
  const byOperation = [...groupBy(violations, ({ operation }) => operation)];
  const none = calls === 0 ? 'No call was made.' : 'Every call kept the contract.';
  const content = byOperation.length === 0 ? [markup`<p>${none}</p>`] : byOperation.map(ofOperation);
  return section('contract', 'Contract violations', content);
}

function ofOperation([operation, violations]: readonly [string, readonly Violation[]]): Markup {
  const rows = violations.map(
    ({ pointer, message, count, requestIds }) =>
      markup`<tr><td class="number">${count}</td><td><code>${placeOf(pointer)}</code></td><td>${message}</td><td>${codes(requestIds)}</td></tr>`,
  );
  return markup`<h3><code>${operation}</code></h3>
${table(`Violations at ${operation}`, [numberHead('Times'), 'Where', 'What', 'Requests'], markup`<tbody>${rows}</tbody>`, 'told above')}`;
}
