import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { firstInvalidByte, invalidByteIn } from '../../src/base/utf8.ts';
import { BodyText } from '../../src/http/server/body-text.ts';
import { controlled } from '../support/control.ts';
import { labId } from '../support/demo.ts';
import { world } from '../support/world.ts';

const json = 'application/json';

/** Sends bytes as they are, which supertest would turn into text. */
async function sent(url: string, headers: Readonly<Record<string, string>>, body: Buffer) {
  const reply = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  return { status: reply.status, text: await reply.text() };
}

async function lab(bytes: Buffer, type = json) {
  const { url, sandbox } = await controlled({ assumptions: { maxPayload: '10mb' } });
  const headers = { 'Content-Type': type, 'SERVICE-API-KEY': sandbox.apiKey('riverside') };
  const before = await sandbox.state.get('labs', labId);
  const reply = await sent(`${url}/public/update-interactive-coding-lab`, headers, bytes);
  const after = await sandbox.state.get('labs', labId);
  return { ...reply, title: after?.labTitle, isChanged: after?.labTitle !== before?.labTitle };
}

const titled = (title: string): string => JSON.stringify({ data: [{ data: { labId, labTitle: title } }] });

/** The same request with the character 0xFF in place of the first `~`. */
function broken(title: string): Buffer {
  const bytes = Buffer.from(titled(title));
  bytes[bytes.indexOf('~')] = 0xff;
  return bytes;
}

describe('the encoding of a body', () => {
  it('is UTF-8: other bytes are refused with their place, and nothing is stored', async () => {
    const text = titled('Müller');
    const latin1 = await lab(Buffer.from(text, 'latin1'));
    expect(latin1).toMatchObject({ status: 400, isChanged: false });
    expect(latin1.text).toContain(
      `The body is not UTF-8, at byte ${text.indexOf('ü')}, counted from 0. Send it in UTF-8.`,
    );
    expect(await lab(Buffer.from(text))).toMatchObject({ status: 200, title: 'Müller' });
  });

  it('is UTF-8 at each place of a body that arrives in many pieces', { tags: ['slow'] }, async () => {
    const body = broken(`${'日'.repeat(600_000)}é~é${'日'.repeat(10)}`);
    const reply = await lab(body);
    expect(reply).toMatchObject({ status: 400, isChanged: false });
    expect(reply.text).toContain(`at byte ${body.indexOf(0xff)}, counted from 0`);
  });

  it('may contain the character that stands for invalid bytes, if it is sent as such', async () => {
    expect(await lab(Buffer.from(titled('a\u{fffd}b')))).toMatchObject({ status: 200, title: 'a\u{fffd}b' });
    const body = broken('a\u{fffd}b~c');
    expect((await lab(body)).text).toContain(`at byte ${body.indexOf(0xff)},`);
  });

  it.each([10, 500_000])(
    'may begin with a byte order mark, as PowerShell and .NET send it (%d characters)',
    { tags: ['slow'] },
    async (length) => {
      const title = '日'.repeat(length);
      const reply = await lab(Buffer.from(`\u{feff}${titled(title)}`));
      expect([reply.status, reply.title === title]).toEqual([200, true]);
    },
  );

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON; charset=utf8',
  ])('may be declared as %s', async (type) => {
    expect(await lab(Buffer.from(titled('declared')), type)).toMatchObject({ status: 200, isChanged: true });
  });

  it.each([
    'application/json; charset=iso-8859-1',
    'application/json; charset=bogus',
    'application/json; charset=',
    'application/problem+json',
    'application/vnd.api+json',
  ])('is not declared as %s', async (type) => {
    const reply = await lab(Buffer.from(titled('declared')), type);
    expect(reply).toMatchObject({ status: 415, isChanged: false });
    expect(reply.text).toContain(
      `is declared as ${JSON.stringify(JSON.stringify(type)).slice(1, -1)}. Send JSON in UTF-8, with the header Content-Type: application/json.`,
    );
  });

  it('is found wrong wherever a body is divided', { tags: ['slow'] }, () => {
    const texts = ['日é\u{1f600}a', '\u{fffd}é\u{fffd}'].map((text) => Buffer.from(text));
    for (const text of texts)
      for (let at = 0; at <= text.length; at += 1) {
        const bytes = Buffer.from(text);
        if (at < text.length) bytes[at] = 0xff;
        // The expected place: where a decoder that stops at the first error stops.
        const invalid = at < text.length ? firstError(bytes) : null;
        for (let one = 0; one <= bytes.length; one += 1)
          for (let two = one; two <= bytes.length; two += 1) {
            const body = new BodyText();
            for (const piece of [bytes.subarray(0, one), bytes.subarray(one, two), bytes.subarray(two)])
              body.write(piece);
            expect(body.end()).toEqual({ text: bytes.toString('utf8'), invalidByte: invalid });
          }
      }
  });

  it('is examined in pieces, wherever they divide a character', { tags: ['slow'] }, () => {
    const pieceBytes = 65_536;
    for (let shift = 0; shift < 8; shift += 1)
      for (const end of [[], [0x80], [0xe2, 0x82], [0x80, 0x80, 0x80, 0x80, 0x80]]) {
        const text = `${'x'.repeat(pieceBytes - shift)}\u{1f600}€ü`;
        const bytes = Buffer.concat([Buffer.from(text), Buffer.from(end), Buffer.from('y'.repeat(9))]);
        expect(withoutPause(firstInvalidByte(bytes)), `${shift} ${end.length}`).toBe(invalidByteIn(bytes));
      }
  });

  it('is UTF-8 for the control plane too', async () => {
    const { url } = await world();
    const body = Buffer.from('{"id":"mü"}', 'latin1');
    const reply = await sent(`${url}/control/sandboxes`, { 'Content-Type': json }, body);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('is not UTF-8, at byte 8, counted from 0. Send it in UTF-8.');
  });
});

/** The offset of the first character that is not UTF-8, by decoding longer and longer beginnings. */
function firstError(bytes: Buffer): number {
  let start = 0;
  for (let end = 1; end <= bytes.length; end += 1) {
    const text = bytes.toString('utf8', start, end);
    if (Buffer.from(text).equals(bytes.subarray(start, end))) start = end;
    else if (end - start === 4) break;
  }
  return start;
}
