import { markup, nothing, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';
import { requestLines, responseLines, resultOf, type Exchange, type ExchangeLine } from './exchange-lines.ts';
import { moment, requests } from './html-parts.ts';

/** The exchanges of a page. Each is shown once, where it is first referred to. */
export class ExchangeStock {
  readonly #left: Map<string, Exchange>;
  readonly #shown = new Set<string>();

  constructor({ exchanges }: Pick<Report, 'exchanges'>) {
    this.#left = new Map(exchanges.map((one) => [one.requestId, one]));
  }

  /** Returns a call with its times, and its request and response if the page does not show them yet. */
  call(call: { readonly requestId: string; readonly at: string; readonly receivedAt: string }): Markup {
    const { requestId, at, receivedAt } = call;
    const exchange = this.#left.get(requestId);
    const when = markup`<span class="when">${moment(at)} <span class="real">(real time ${moment(receivedAt)})</span></span>`;
    if (exchange === undefined) {
      const note = this.#shown.has(requestId) ? markup` <span class="result">shown above</span>` : nothing;
      return markup`<li class="call">${requests([requestId])} ${when}${note}</li>`;
    }
    return markup`<li class="call">${requests([requestId])} ${when}\n${this.#take(exchange, markup`${resultOf(exchange)}`)}</li>`;
  }

  /** Returns the first of the requests that the page does not show yet; nothing if it shows all of them. */
  example(requestIds: readonly string[]): Markup {
    const exchange = requestIds.map((id) => this.#left.get(id)).find((one) => one !== undefined);
    if (exchange === undefined) return nothing;
    return this.#take(exchange, markup`Example: ${exchange.requestId}, ${resultOf(exchange)}`);
  }

  // The ids are outside the summary, because the console makes links of them.
  #take(exchange: Exchange, summary: Markup): Markup {
    this.#left.delete(exchange.requestId);
    this.#shown.add(exchange.requestId);
    return markup`<details class="exchange"><summary>${summary}</summary>
${message('Request', exchange, requestLines(exchange))}
${message('Response', exchange, responseLines(exchange))}
</details>`;
  }
}

function message(title: string, { requestId }: Exchange, lines: readonly ExchangeLine[]): Markup {
  return markup`<div class="message"><p class="small">${title}</p>
<pre role="group" aria-label="${title} ${requestId}" tabindex="0"><code>${joined(lines.map(codeLine))}</code></pre></div>`;
}

function codeLine({ text, wrong }: ExchangeLine): Markup {
  if (wrong.length === 0) return markup`${text}\n`;
  const notes = wrong.map((one) => markup`<span class="wrong"> ← ${one}</span>`);
  const start = text.length - text.trimStart().length;
  return markup`${text.slice(0, start)}<mark>${text.slice(start)}</mark>${joined(notes)}\n`;
}

/** Joins markup without line breaks. */
function joined(parts: readonly Markup[]): Markup {
  return parts.reduce((all, part) => markup`${all}${part}`, nothing);
}
