import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { goodReply, proxyTo, send, upstreamThat, upstreamThatSpeaks } from './upstream.ts';

const json = { 'Content-Type': 'application/json' };

describe('what comes from the upstream', () => {
  it('passes through whole where it is larger than is ever held, and is told to be unchecked', async () => {
    const large = Buffer.alloc(20 * 1024 * 1024, 'x');
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(large));
    const proxy = await proxyTo(upstream.url);
    expect((await send(proxy.url)).body.equals(large)).toBe(true);
    expect(proxy.passed[0]?.unchecked).toEqual(['The body of the response is too large to check.']);
  });

  it('is not decompressed beyond all measure', async () => {
    const bomb = gzipSync(Buffer.alloc(70 * 1024 * 1024));
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(bomb),
    );
    const proxy = await proxyTo(upstream.url);
    expect((await send(proxy.url)).body.equals(bomb)).toBe(true);
    expect(proxy.passed[0]?.unchecked).toEqual(['The body of the response is too large to check.']);
  });
});

describe('what the client sends', () => {
  it('reaches it whole where it is larger than is ever held', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const body = Buffer.alloc(20 * 1024 * 1024, '1');
    expect((await send(proxy.url, { body })).text).toBe(goodReply);
    expect(upstream.got[0]?.body.equals(body)).toBe(true);
    expect(proxy.passed[0]?.unchecked).toEqual(['The body of the request is too large to check.']);
  });
});

describe('an upstream without an answer', () => {
  it('breaks off for the client, too, where it does so behind what is held', async () => {
    const begun = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 30000000\r\n\r\n${' '.repeat(17 * 1024 * 1024)}`;
    const upstream = await upstreamThatSpeaks((socket) => socket.end(begun));
    const proxy = await proxyTo(upstream.url);
    await expect(send(proxy.url)).rejects.toThrow('aborted');
  });
});
