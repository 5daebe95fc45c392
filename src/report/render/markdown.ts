import { beyondText } from '../../contract/beyond-counts.ts';
import {
  commandsNote,
  conductText,
  counted,
  figuresOf,
  inScope,
  leftOutOf,
  milliseconds,
  missingKinds,
  placeOf,
  tallyText,
  unlistedText,
  verdictOf,
  type Check,
} from '../figures.ts';
import { code, fenced, fitted, prose, type Block } from './markdown-text.ts';
import { exchangeText } from './exchange-lines.ts';
import type { Report } from '../report.ts';

/** Maximum number of findings shown per check. */
const maxFindings = 3;

/** Maximum number of calls with their requests and responses. */
const maxCalls = 8;

/**
 * Renders the report as Markdown for a pull request comment: the most important parts first, the rest
 * collapsed.
 */
export function toMarkdown(report: Report): string {
  return fitted(
    [
      head(report),
      ...violations(report),
      ...conduct(report),
      calls(report),
      notJudged(report),
      notExercised(report),
      ...upstream(report),
      coverage(report),
      missing(report.situations),
    ].filter(({ items }) => items.length > 0),
  );
}

function head(report: Report): Block {
  const { situations, coverage: all, calls, sandbox } = report;
  const figures = figuresOf(report);
  const { sign, sentence } = verdictOf(report);
  const leftOut = leftOutOf(report);
  const rows = [
    ['calls', `${calls} to ${figures.calledOperations} of ${counted(all.length, 'operation')}`],
    ['conduct', conductText(figures)],
    [
      'contract',
      `${counted(figures.violations, 'violation')} of ${counted(report.violations.length, 'kind')}`,
    ],
    ...(report.responseViolations === undefined
      ? []
      : [
          [
            'upstream',
            `${counted(figures.responseViolations, 'violation')} of ${counted(report.responseViolations.length, 'kind')}`,
          ],
        ]),
    ...(report.responseDifferences === undefined
      ? []
      : [
          [
            'assumptions',
            `${counted(figures.responseDifferences, 'difference')} of ${counted(report.responseDifferences.length, 'kind')}`,
          ],
        ]),
    ['situations met', `${situations.met} of ${situations.of} (${situations.percent} %)`],
  ];
  return {
    head: `### ${sign} ${sentence}\n\n| sandbox | ${code(sandbox)} |\n| --- | --- |`,
    items: rows.map(([name, text]) => `| ${name} | ${text} |`),
    foot: leftOut === null ? '' : `\n${leftOut}\n`,
  };
}

/** The checks with findings, by strength. */
function conduct(report: Report): readonly Block[] {
  const { broken, advised } = figuresOf(report);
  const clock = "Times are UTC, on the sandbox's clock.\n";
  const block = (title: string, sign: string, checks: readonly Check[]): Block => ({
    head: `#### ${title}\n\n${clock}`,
    items: checks.map((check) => checkItem(sign, check)),
    foot: '',
  });
  return [
    block(
      'Violated rules of conduct',
      '✗',
      broken.filter(({ strength }) => strength === 'must'),
    ),
    block(
      'Rules of conduct that the client should follow',
      '!',
      broken.filter(({ strength }) => strength === 'should'),
    ),
    block('Advice', '→', advised),
  ];
}

function checkItem(sign: string, { check, title, message, findings }: Check): string {
  const shown = findings.slice(0, maxFindings).map((finding) => {
    const times = finding.evidence.map(
      ({ requestId, at }) => `${code(requestId)} ${prose(at.slice(11, 23))}`,
    );
    return `  - ${code(finding.operation)}: ${prose(`${finding.message}${inScope(finding)}`)} (${times.join(', ')})`;
  });
  const rest = findings.length - shown.length;
  const more = rest > 0 ? [`  - … and ${rest} more`] : [];
  return [`- ${sign} **${prose(title)}** (${code(check)}): ${prose(message)}`, ...shown, ...more].join('\n');
}

/** The first calls behind the findings. The HTML report has more. */
function calls({ exchanges }: Report): Block {
  const shown = exchanges.slice(0, maxCalls);
  const rest = exchanges.length - shown.length;
  return {
    head: opened(`Requests and responses of these calls (${shown.length})`),
    items: shown.map((exchange) => {
      const { requestId, operation } = exchange;
      return `${code(requestId)} ${code(operation)}\n\n${fenced(exchangeText(exchange).join('\n'), 'http')}\n`;
    }),
    foot: rest === 0 ? closed : `\nThe HTML report has ${rest} more.\n${closed}`,
  };
}

function violations(report: Report): readonly Block[] {
  const { violations: all, responseViolations = [], responseDifferences = [] } = report;
  const ofUpstream = 'Contract violations by the service';
  return [
    violationsTable('Contract violations', all, unlistedText(report, 'violations')),
    violationsTable(
      ofUpstream,
      responseViolations,
      unlistedText(report, 'responseViolations'),
      'the response',
    ),
    violationsTable(
      "Differences of the service from the sandbox's assumptions",
      responseDifferences,
      unlistedText(report, 'responseDifferences'),
      'the response',
    ),
  ];
}

function violationsTable(
  title: string,
  all: Report['violations'],
  rest: string | null,
  whole?: string,
): Block {
  return {
    head: `#### ${title}\n\n| times | operation | where | what | requests |\n| ---: | --- | --- | --- | --- |`,
    items: all.map(
      ({ operation, pointer, message, count, requestIds, unmatched }) =>
        `| ${count} | ${code(operation)} | ${code(placeOf(pointer, unmatched ? 'the request' : whole))} | ${prose(message)} | ${requestIds.map(code).join(', ')} |`,
    ),
    foot: rest === null ? '' : `\n${rest}\n`,
  };
}

/** What the service sends beyond the contract, and how long it takes. */
function upstream({ beyondContract = [], latencies = [] }: Report): readonly Block[] {
  return [
    {
      head: `${opened(`What the service sends beyond the contract (${beyondContract.length})`)}\n| times | operation | what | example |\n| ---: | --- | --- | --- |`,
      items: beyondContract.map(
        (one) =>
          `| ${one.count} | ${code(one.operation)} | ${prose(beyondText(one))} | ${code(one.example.pointer)} ${code(one.example.requestId)} |`,
      ),
      foot: closed,
    },
    {
      head: `${opened('Latencies of the service')}\n| operation | responses | median | 99th percentile |\n| --- | ---: | ---: | ---: |`,
      items: latencies.map(
        ({ operation, count, p50Ms, p99Ms }) =>
          `| ${code(operation)} | ${count} | ${milliseconds(p50Ms)} | ${milliseconds(p99Ms)} |`,
      ),
      foot: closed,
    },
  ];
}

function notJudged(report: Report): Block {
  const { notJudged: all } = figuresOf(report);
  return {
    head: opened(`Conduct checks not judged (${all.length})`),
    items: all.map(({ check, title, message }) => `- – ${prose(title)} (${code(check)}). ${prose(message)}`),
    foot: closed,
  };
}

function notExercised(report: Report): Block {
  const { notExercised: open } = figuresOf(report);
  return {
    head: opened(`Conduct checks not exercised (${open.length})`),
    items: open.map(
      ({ check, title, exercise }) =>
        `- – ${prose(title)} (${code(check)}). To exercise it: ${code(exercise)}`,
    ),
    foot: closed,
  };
}

function coverage({ coverage: all }: Report): Block {
  return {
    head: `${opened('Coverage')}\n| operation | calls | outcomes | faults |\n| --- | ---: | --- | --- |`,
    items: all.map(
      ({ operation, calls, outcomes, faults }) =>
        `| ${code(operation)} | ${calls} | ${calls === 0 ? 'never called' : prose(tallyText(outcomes))} | ${prose(tallyText(faults))} |`,
    ),
    foot: closed,
  };
}

function missing({ missing: all }: Report['situations']): Block {
  const { variables, setBy, tokenHeader } = commandsNote;
  const note = `The commands use ${variables.map(code).join(', ')}, which \`${setBy}\` sets. If the server requires a control token, requests to \`$SANDBOX_CONTROL_URL\` also need \`${tokenHeader}\`.`;
  return {
    head: `${opened(`Missing situations (${all.length})`)}\n${note}\n`,
    items: Object.entries(missingKinds).flatMap(([kind, title]) => {
      const own = all.filter((one) => one.kind === kind);
      return own.map(
        ({ name, command }, index) =>
          `${index === 0 ? `**${title}**\n\n` : ''}${code(name)}\n\n${fenced(command)}\n`,
      );
    }),
    foot: closed,
  };
}

function opened(summary: string): string {
  return `<details><summary>${summary}</summary>\n`;
}

const closed = '\n</details>\n';
