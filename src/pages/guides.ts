/** A guide: the file `docs/<name>.md`, which the server serves at `/docs/<name>`. */
interface Guide {
  readonly name: string;
  readonly title: string;
  /** The question that it answers, as one sentence. */
  readonly about: string;
}

interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

/**
 * All guides, in the order of the sidebar. `docs/README.md`, the start page and the search follow this list.
 */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Use the sandbox',
    guides: [
      {
        name: 'demo',
        title: 'Give a demo',
        about: 'Show the sandbox to others in ten guided steps: what to say, do and point at.',
      },
      {
        name: 'operations',
        title: 'Call the operations',
        about: 'All operations, API keys, schools and sandboxes.',
      },
      {
        name: 'server',
        title: 'Run the server',
        about: 'Flags, configuration file, stored state, containers and exit codes.',
      },
      {
        name: 'hosting',
        title: 'Host it for many',
        about: 'Several replicas on PostgreSQL: Kubernetes, haproxy, nginx, databases, upgrades and backups.',
      },
      {
        name: 'from-code',
        title: 'Use it from code',
        about: 'Start or connect to a server in the tests of your project.',
      },
      {
        name: 'control-plane',
        title: 'Control a sandbox',
        about: 'Read the journal, and change state, clock and limits over HTTP.',
      },
    ],
  },
  {
    title: 'Test a client',
    guides: [
      {
        name: 'failures',
        title: 'Test failures',
        about: 'Make calls fail by header, by identifier or by rule.',
      },
      { name: 'ci', title: 'Run it in CI', about: 'Recipes for GitHub Actions, GitLab CI and test runners.' },
      {
        name: 'report',
        title: 'Read the report',
        about: 'What your client covered, and how it handled failures.',
      },
      {
        name: 'playback',
        title: 'Play recordings',
        about: 'Play signed and encrypted recordings in hls.js, Shaka Player and others.',
      },
      {
        name: 'other-tools',
        title: 'Use other tools',
        about: 'Every example for Postman, VS Code and JetBrains IDEs.',
      },
    ],
  },
  {
    title: 'Data and the real service',
    guides: [
      {
        name: 'generated-data',
        title: 'Generate data',
        about: 'Create schools of any size, or records for unknown identifiers.',
      },
      {
        name: 'recorded-data',
        title: 'Record a school',
        about: 'Create an anonymized seed from the responses of the real service.',
      },
      {
        name: 'proxy',
        title: 'Validate the real service',
        about: 'Check client and service against the OpenAPI document.',
      },
      {
        name: 'calibrate',
        title: 'Calibrate assumptions',
        about: 'Determine the options that the real service uses.',
      },
      {
        name: 'compare',
        title: 'Compare and replay',
        about: 'Compare a sandbox with the real service, or with a recorded session.',
      },
    ],
  },
  {
    title: 'Reference',
    guides: [
      {
        name: 'assumptions',
        title: 'Assumptions',
        about: 'What the specification leaves open, with all options.',
      },
      { name: 'faults', title: 'Faults', about: 'Every fault with its parameters and an example.' },
      { name: 'scenarios', title: 'Scenarios', about: 'Every scenario, and how to write one.' },
      {
        name: 'server-limits',
        title: 'Limits of this server',
        about: 'The maximum size of calls, responses, journals and imports.',
      },
      {
        name: 'performance',
        title: 'Performance',
        about: 'Benchmarks of calls, start, memory and stored state.',
      },
      {
        name: 'specification',
        title: 'Specification',
        about: 'The specification of the API, word for word.',
      },
    ],
  },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);

/** Where a guide is served. */
export function guidePath(name: string): string {
  return `/docs/${name}`;
}

/** The page that lists all guides: `docs/README.md`. */
export const guideIndexPath = guidePath('guides');
