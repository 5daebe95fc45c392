import { commandsNote, missingKinds, type MissingSituation } from '../figures.ts';
import { groupBy } from '../../base/group-by.ts';
import { codes, folded, section } from './html-parts.ts';
import { markup, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';

/** What the client never met, with the commands that bring it about; folded, since there may be fifty. */
export function missingSection({ missing, met, of }: Report['situations']): Markup {
  if (missing.length === 0) return section('missing', 'What is missing', [markup`<p>Nothing: all ${of} situations were met.</p>`]);
  const byKind = groupBy(missing, ({ kind }) => kind);
  const kinds = Object.entries(missingKinds).flatMap(([kind, title]) => {
    const own = byKind.get(kind);
    return own === undefined ? [] : [folded(markup`${title} (${own.length})`, markup`${own.map(situation)}`)];
  });
  return section('missing', 'What is missing', [
    markup`<p>Of ${of} situations that a client should have met once, ${met} were. The commands show the others, or have the client's next call meet them.</p>`,
    note(),
    ...kinds,
  ]);
}

function note(): Markup {
  const { variables, setBy, tokenHeader } = commandsNote;
  return markup`<p class="small">They use ${codes(variables)}, which <code>${setBy}</code> sets. Where the control plane wants a token, what goes to
<code>$SANDBOX_CONTROL_URL</code> also needs <code>${tokenHeader}</code>.</p>`;
}

function situation({ message, command }: MissingSituation): Markup {
  return markup`<p>${message}</p>\n<pre class="command"><code>${command}</code></pre>`;
}
