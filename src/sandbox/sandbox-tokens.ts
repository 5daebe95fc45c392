import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Sandbox } from './sandbox.ts';
import { randomNumber } from './random.ts';

/** What a valid sandbox token says. It is current only while the sandbox has this generation. */
export interface TokenContent {
  readonly sandboxId: string;
  readonly generation: number;
}

/** Identifies the form of a token. Another form gets another number, and a MAC of another purpose. */
const prefix = 'sbt1';
const purpose = 'learning-platform-sandbox/sandbox-token/1';

const form = new RegExp(`^${prefix}\\.([a-z0-9-]{1,64})\\.([0-9a-z]{1,11})\\.([\\w-]{43})$`);

/** Issues and verifies sandbox tokens. They follow from a secret, so that none is stored. */
export class SandboxTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Returns the current token of a sandbox; null if it has none. */
  current({ id, tokenGeneration }: Pick<Sandbox, 'id' | 'tokenGeneration'>): string | null {
    if (tokenGeneration === null) return null;
    const number = tokenGeneration.toString(36);
    return `${prefix}.${id}.${number}.${this.#mac(id, number).toString('base64url')}`;
  }

  /** Returns the content of a token that was issued with this secret; null for any other text. */
  read(token: string): TokenContent | null {
    const [, sandboxId = '', number = '', mac = ''] = form.exec(token) ?? [];
    // Before the form is judged, so that every text takes the same time.
    const expected = this.#mac(sandboxId, number).toString('base64url');
    if (mac.length !== expected.length || !timingSafeEqual(Buffer.from(mac), Buffer.from(expected)))
      return null;
    return { sandboxId, generation: Number.parseInt(number, 36) };
  }

  #mac(id: string, number: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${purpose}\0${id}\0${number}`).digest();
  }
}

/** Masks sandbox tokens in a text. */
export function withoutTokens(text: string): string {
  return text.replaceAll(/\bsbt1\.[\w.-]+/g, `${prefix}.…`);
}

/**
 * Returns the generation that follows. The first one is random, so that the tokens of a deleted sandbox are not valid
 * for a later one of the same id.
 */
export function nextGeneration(generation: number | null): number {
  return generation === null ? randomNumber() : generation + 1;
}
