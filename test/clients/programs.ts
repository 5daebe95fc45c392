import { spawn } from 'node:child_process';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from './kit/api.ts';
import type { Program } from './spec.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('programs/', import.meta.url));

const languages = {
  sh: { needs: 'curl', version: ['--version'], get: 'curl' },
  // Debian's own, which has python3-requests.
  py: { needs: '/usr/bin/python3', version: ['-c', 'import requests'], get: 'python3 python3-requests' },
  go: { needs: 'go', version: ['version'], get: 'golang' },
  java: { needs: 'javac', version: ['-version'], get: 'default-jdk-headless' },
} as const;

type Language = keyof typeof languages;

/** Builds and starts the clients in other languages. */
export class Programs {
  readonly #builds = new Map<string, Promise<readonly string[]>>();
  #folder: Promise<string> | null = null;

  /** Starts a program, and waits for its end. Rejects if it fails. */
  client(program: Program): Client {
    return async ({ url, key, seed, signal }) => {
      const [command = '', ...args] = await this.#built(program.file);
      const env = {
        ...process.env,
        SANDBOX_URL: url,
        SANDBOX_API_KEY: key,
        SANDBOX_SEED: String(seed),
      };
      await finished(command, [...args, ...(program.args ?? [])], env, signal);
    };
  }

  async remove(): Promise<void> {
    await Promise.allSettled(this.#builds.values());
    if (this.#folder !== null) await rm(await this.#folder, { recursive: true, force: true });
  }

  #built(file: string): Promise<readonly string[]> {
    const known = this.#builds.get(file) ?? this.#build(file);
    this.#builds.set(file, known);
    return known;
  }

  async #build(file: string): Promise<readonly string[]> {
    const source = join(folder, file);
    const [base = '', ending = ''] = file.split('.');
    await expectLanguage(ending);
    this.#folder ??= mkdtemp(join(tmpdir(), 'clients-'));
    const target = await this.#folder;
    if (ending === 'go') {
      await run('go', ['build', '-o', join(target, base), source], {
        env: { GOCACHE: join(tmpdir(), 'clients-go-cache'), ...process.env, GOFLAGS: '-mod=mod' },
      });
      return [join(target, base)];
    }
    if (ending === 'java') {
      await run('javac', ['-d', join(target, base), source]);
      return [
        'java',
        '-Xmx96m',
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        '-cp',
        join(target, base),
        base,
      ];
    }
    return ending === 'py' ? [languages.py.needs, source] : ['sh', source];
  }
}

async function expectLanguage(ending: string): Promise<void> {
  // The files in programs/ have these endings.
  const { needs, version, get } = languages[ending as Language];
  try {
    await run(needs, version);
  } catch (error) {
    throw new Error(`The clients in programs/*.${ending} need ${needs}: apt-get install ${get}`, {
      cause: error,
    });
  }
}

function finished(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: unknown): void => void (output = (output + String(chunk)).slice(-2000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The program ended with ${code}: ${output}`));
    });
  });
}
