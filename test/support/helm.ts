import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

export const chartFolder = 'deploy/helm/learning-platform-sandbox';

/** Values of a chart. */
export interface Values {
  readonly [name: string]: unknown;
}

/** An object of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Values;
  readonly data?: Readonly<Record<string, string>>;
}

/** What became of a release: its objects and notes, or why it cannot be rendered. */
export interface Rendered {
  readonly objects: readonly KubernetesObject[];
  readonly notes: string;
  readonly error: string;
}

export const namespace = 'sandboxes';

/** Renders the chart for releases with these names and values. */
export class Chart {
  readonly #folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-chart-'));
  readonly #program = join(this.#folder, 'render-chart');
  readonly #usual = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as Values;
  readonly #check: ValidateFunction;

  constructor() {
    const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as Values;
    this.#check = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
    // Debian's packages of Sprig and of the library for YAML, without modules.
    const env = { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOPATH: '/usr/share/gocode' };
    execFileSync('go', ['build', '-o', this.#program, 'test/support/render-chart.go'], { env });
  }

  end(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Returns why values are refused, empty if they are not. */
  refusal(values: Values): string {
    const isValid = this.#check(merged(this.#usual, values));
    return isValid ? '' : (this.#check.errors ?? []).map(explain).join('\n');
  }

  render(name: string, values: Values): Rendered {
    const refused = this.refusal(values);
    if (refused !== '') return { objects: [], notes: '', error: refused };
    const releases = [{ name, namespace, values: merged(this.#usual, values) }];
    const text = execFileSync(this.#program, { input: JSON.stringify({ chart: chartFolder, releases }) });
    const [first] = JSON.parse(text.toString()) as readonly [
      { readonly files: Readonly<Record<string, string>> | null; readonly error: string },
    ];
    const { 'NOTES.txt': notes = '', ...files } = first.files ?? {};
    const objects = Object.keys(files)
      .toSorted()
      .flatMap((file) => objectsIn(files[file] ?? '', file));
    return { objects, notes, error: first.error };
  }

  /** What `helm template` gives for the same release. */
  helmTemplate(name: string, values: Values): readonly KubernetesObject[] {
    const file = this.#valuesFile(values);
    const words = ['template', name, chartFolder, '--namespace', namespace, '--values', file];
    return objectsIn(execFileSync('helm', words).toString(), 'helm template');
  }

  /** Throws what `helm lint` complains about. */
  helmLint(values: Values): void {
    execFileSync('helm', ['lint', '--strict', chartFolder, '--values', this.#valuesFile(values)]);
  }

  #valuesFile(values: Values): string {
    const file = join(this.#folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    return file;
  }
}

export function isHelmInstalled(): boolean {
  try {
    execFileSync('helm', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** As Helm merges them: mappings are merged, null removes a default, and everything else replaces it. */
function merged(usual: Values, values: Values): Values {
  const result: Record<string, unknown> = { ...usual };
  for (const [name, value] of Object.entries(values)) {
    const before = result[name];
    if (value === null) delete result[name];
    else result[name] = isMapping(before) && isMapping(value) ? merged(before, value) : value;
  }
  return result;
}

function isMapping(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function explain({ instancePath, message = '', params }: NonNullable<ValidateFunction['errors']>[number]) {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

function objectsIn(text: string, file: string): readonly KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join('\n')}\n${text}`);
    const content: unknown = document.toJS();
    // A template whose condition does not hold gives an empty document. The tests check the fields of the others.
    return content === null ? [] : [content as KubernetesObject];
  });
}
