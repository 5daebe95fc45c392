import { commandsNote, missingKinds, type MissingSituation } from '../figures.ts';
import { groupBy } from '../../base/group-by.ts';
import { codes, folded, section } from './html-parts.ts';
import { markup, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';

/** Returns the section on missing situations with the commands to create them. They are collapsed because there may be fifty. */
export function missingSection({ missing, met, of }: Report['situations']): Markup {
  if (missing.length === 0) return section('missing', 'Missing situations', [markup`<p>None. All ${of} situations were met.</p>`]);
  const byKind = groupBy(missing, ({ kind }) => kind);
  const kinds = Object.entries(missingKinds).flatMap(([kind, title]) => {
    const own = byKind.get(kind);
    return own === undefined ? [] : [folded(markup`${title} (${own.length})`, markup`${own.map(situation)}`)];
  });
  return section('missing', 'Missing situations', [
    markup`<p>The client has met ${met} of ${of} recommended situations. The commands below create the others, directly or at the client's next call.</p>`,
    note(),
    ...kinds,
  ]);
}

function note(): Markup {
  const { variables, setBy, tokenHeader } = commandsNote;
  return markup`<p class="small variables">They use ${codes(variables)}, which <code>${setBy}</code> sets. If the server requires a control token, requests to
<code>$SANDBOX_CONTROL_URL</code> also need <code>${tokenHeader}</code>.</p>`;
}

/** The console adds buttons to the command, by its data. */
function situation({ kind, name, message, command }: MissingSituation): Markup {
  return markup`<p>${message}</p>\n<pre class="command" data-kind="${kind}" data-name="${name}"><code>${command}</code></pre>`;
}
