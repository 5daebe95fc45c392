import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { networkUrls } from '../../src/commands/start/network-urls.ts';
import { startHere } from '../support/invocation.ts';

function interfaceOf(address: string, internal = false): NetworkInterfaceInfo {
  return {
    address,
    internal,
    family: 'IPv4',
    netmask: '255.255.255.0',
    mac: '00:00:00:00:00:00',
    cidr: `${address}/24`,
  };
}

const interfaces = {
  lo: [interfaceOf('127.0.0.1', true)],
  eth0: [interfaceOf('192.168.1.5')],
  wlan0: [interfaceOf('10.0.0.7')],
};

describe('the network addresses of the banner', () => {
  it.each(['0.0.0.0', '::'])('are those at which other machines reach a server on %s', (host) => {
    expect(networkUrls(host, 4010, interfaces)).toEqual(['http://192.168.1.5:4010', 'http://10.0.0.7:4010']);
  });

  it.each(['127.0.0.1', 'localhost', '192.168.1.5'])('are not needed for a server on %s', (host) => {
    expect(networkUrls(host, 4010, interfaces)).toEqual([]);
  });

  it('are at most three', () => {
    const many = Array.from({ length: 9 }, (_, index) => interfaceOf(`10.0.0.${index + 1}`));
    expect(networkUrls('0.0.0.0', 4010, { many })).toHaveLength(3);
  });

  it('are not shown if the server has a public URL, and never on a loopback address', async () => {
    const here = await startHere(['--port', '0']);
    expect(here.banner).not.toContain('Network');
    const known = await startHere([
      '--port',
      '0',
      '--host',
      '0.0.0.0',
      '--public-url',
      'http://sandbox.example',
    ]);
    expect(known.banner).not.toContain('Network');
  });
});
