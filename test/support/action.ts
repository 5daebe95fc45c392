import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { lpSandbox, run, type Ended } from './command.ts';

/** A step of a composite action: a script, or another action. */
interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

/** The parts of `action.yml`. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

// The project's own file; a test looks at its form.
export const action = parse(readFileSync('action.yml', 'utf8')) as Action;

/** What one use of the action came to. */
export interface Used {
  /** The steps that ran, each with how it ended; other actions with what they were given. */
  readonly steps: readonly (Partial<Ended> & {
    readonly name: string;
    readonly with?: Readonly<Record<string, string>>;
  })[];
  readonly failed: boolean;
  readonly outputs: Readonly<Record<string, string>>;
}

/** A machine that runs jobs as GitHub's do, as far as this action goes. */
export class Runner {
  readonly #folder: string;
  /** What the steps that follow have in their environment. */
  env: Readonly<Record<string, string>>;
  /** Where the job begins: the client's project. */
  readonly workspace: string;

  constructor(folder: string, env: Readonly<Record<string, string>> = {}) {
    this.#folder = folder;
    this.workspace = join(folder, 'workspace');
    for (const name of ['workspace', 'temp', 'bin', 'program']) mkdirSync(join(folder, name));
    // In the place of npx, which would ask the registry: it tells what it was asked for, and has the program
    // at hand.
    const npx = `echo "$*" >> '${folder}/npx'\nwhile [ "$1" != -- ]; do shift; done\nshift\nPATH='${folder}/program':$PATH exec "$@"`;
    for (const [file, script] of [
      ['bin/npx', npx],
      ['program/lp-sandbox', `exec ${lpSandbox.map((word) => `'${word}'`).join(' ')} "$@"`],
    ] as const) {
      writeFileSync(join(folder, file), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, file), 0o755);
    }
    this.env = { ...env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, RUNNER_TEMP: this.temp };
  }

  get temp(): string {
    return join(this.#folder, 'temp');
  }

  /** What npx was asked for, a line each. */
  get asked(): string {
    return this.#read('npx');
  }

  /** The summary of the job. */
  get summary(): string {
    return this.#read('GITHUB_STEP_SUMMARY');
  }

  /** Uses the action as a step of a workflow does. */
  async use(given: Readonly<Record<string, string>>): Promise<Used> {
    const inputs = {
      ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default])),
      ...given,
    };
    const ids = action.runs.steps.flatMap(({ id }) => id ?? []);
    const context: Context = {
      inputs,
      steps: Object.fromEntries(ids.map((id) => [id, { outputs: {} }])),
      runner: { temp: this.temp },
    };
    const steps: Used['steps'][number][] = [];
    let failed = false;
    for (const step of action.runs.steps) {
      const wanted = evaluate(step.if ?? 'true', context) === true;
      if (!wanted || (failed && !(step.if ?? '').includes('always()'))) continue;
      if (step.run === undefined) {
        steps.push({ name: step.name, with: filled(step.with ?? {}, context) });
        continue;
      }
      const ended = await this.#run(
        step.run,
        filled(step.env ?? {}, context),
        fill(step['working-directory'] ?? '.', context),
      );
      steps.push({ name: step.name, ...ended });
      failed ||= ended.code !== 0;
      Object.assign(context.steps[step.id ?? '']?.outputs ?? {}, this.#taken('GITHUB_OUTPUT'));
      this.env = { ...this.env, ...this.#taken('GITHUB_ENV') };
    }
    const values = Object.fromEntries(
      Object.entries(action.outputs).map(([name, { value }]) => [name, value]),
    );
    return { steps, failed, outputs: filled(values, context) };
  }

  async #run(script: string, env: Readonly<Record<string, string>>, folder: string): Promise<Ended> {
    const file = join(this.#folder, 'step.sh');
    writeFileSync(file, script);
    const files = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY'].map((name) => [
      name,
      join(this.#folder, name),
    ]);
    return run(['--noprofile', '--norc', '-eo', 'pipefail', file], {
      program: ['bash'],
      env: { ...this.env, ...env, ...(Object.fromEntries(files) as Record<string, string>) },
      cwd: join(this.workspace, folder),
    });
  }

  /** The lines `name=value` of a file, which begins anew. */
  #taken(name: string): Readonly<Record<string, string>> {
    const lines = this.#read(name).split('\n').filter(Boolean);
    writeFileSync(join(this.#folder, name), '');
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  #read(name: string): string {
    try {
      return readFileSync(join(this.#folder, name), 'utf8');
    } catch {
      return '';
    }
  }
}

/** What expressions may name. */
interface Context {
  readonly inputs: Readonly<Record<string, string>>;
  readonly steps: Readonly<Record<string, { readonly outputs: Readonly<Record<string, string>> }>>;
  readonly runner: { readonly temp: string };
}

function filled(texts: Readonly<Record<string, string>>, context: Context): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text, context)]));
}

function fill(text: string, context: Context): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(evaluate(expression, context) ?? ''),
  );
}

/**
 * GitHub's expressions, as far as they are JavaScript's but for dashes in names. Nothing but the project's
 * own action comes here.
 */
function evaluate(expression: string, context: Context): string | boolean | undefined {
  const script = expression.replaceAll(/\.([\w-]+)/g, "['$1']");
  return runInNewContext(script, { ...context, always: () => true }) as string | boolean | undefined;
}
