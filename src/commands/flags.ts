import { profileNames } from '../assumptions.ts';
import { logFormats } from '../server/log.ts';
import { defaultMaxSandboxes } from '../sandbox/sandboxes-options.ts';
import type { Settings } from '../server/server.ts';

/** A flag; also an environment variable `SANDBOX_<NAME>` and a key of the configuration file. */
export interface Flag {
  readonly name: string;
  /** Placeholder for the value in the help; null for a flag without a value. */
  readonly value: string | null;
  readonly help: string;
  /** The setting that the flag sets; src/server/settings.ts defines its type. */
  readonly setting: keyof Settings;
  /** Whether the flag negates the setting. */
  readonly isNegated?: true;
}

export const flags: readonly Flag[] = [
  {
    name: 'port',
    value: 'N',
    help: 'port to listen on; 0 for any free one (default 4010)',
    setting: 'port',
  },
  {
    name: 'host',
    value: 'ADDRESS',
    help: 'address to listen on (default 127.0.0.1, this machine only)',
    setting: 'host',
  },
  {
    name: 'public-url',
    value: 'URL',
    help: 'URL at which clients reach the server, for absolute links',
    setting: 'publicUrl',
  },
  {
    name: 'data',
    value: 'FILE|DIR|URL',
    help: 'file, folder or PostgreSQL database (postgres://…) that stores the state (default: in memory)',
    setting: 'data',
  },
  {
    name: 'data-sync',
    value: 'WHEN',
    help: 'when changes are flushed to the disk: never, second (at least once a second) or always (before the response to a change) (default second)',
    setting: 'dataSync',
  },
  {
    name: 'seed',
    value: 'NAME|DIR',
    help: 'initial data of a sandbox: demo, empty, a folder, or generated:videos=1000 (default demo)',
    setting: 'seed',
  },
  {
    name: 'random-seed',
    value: 'N',
    help: 'seed of all random values (default 1)',
    setting: 'randomSeed',
  },
  {
    name: 'assume-file',
    value: 'FILE',
    help: 'file with assumption options, as written by lp-sandbox calibrate; --assume takes precedence',
    setting: 'assumeFile',
  },
  {
    name: 'assume',
    value: 'NAME=OPTION',
    help: 'set the option of an assumption; repeatable',
    setting: 'assume',
  },
  {
    name: 'profile',
    value: 'NAME',
    help: `a named set of assumption options: ${profileNames.join(', ')}`,
    setting: 'profile',
  },
  {
    name: 'refusal-template',
    value: 'TEXT|FILE',
    help: 'body for refusalBody=template: JSON with {{status}}, {{code}}, {{message}}, {{requestId}} and {{path}}',
    setting: 'refusalTemplate',
  },
  {
    name: 'gateway-template',
    value: 'TEXT|FILE',
    help: 'the same for gatewayRefusalBody=template',
    setting: 'gatewayTemplate',
  },
  {
    name: 'scenario',
    value: 'NAME|FILE',
    help: 'a scenario of faults that every sandbox plays (docs/scenarios.md)',
    setting: 'scenario',
  },
  {
    name: 'latency-from',
    value: 'FILE',
    help: 'delay each call for as long as the service took, according to a JSON report of lp-sandbox proxy (docs/proxy.md)',
    setting: 'latencyFrom',
  },
  {
    name: 'no-labels',
    value: null,
    help: 'omit the Sandbox-Fault header from injected responses',
    setting: 'labels',
    isNegated: true,
  },
  {
    name: 'limits',
    value: 'N|off',
    help: 'multiply every rate limit by N, or turn rate limits off',
    setting: 'limits',
  },
  {
    name: 'log',
    value: 'FORMAT',
    help: `${logFormats.join(', ')} (default pretty on a terminal, else silent)`,
    setting: 'log',
  },
  {
    name: 'control-token',
    value: 'T',
    help: 'bearer token that the control plane requires (default: none on a loopback address, else generated and printed)',
    setting: 'controlToken',
  },
  {
    name: 'token-secret',
    value: 'SECRET',
    help: 'secret for tokens that each give access to one sandbox (docs/control-plane.md); implies --no-auto-create (default: none)',
    setting: 'tokenSecret',
  },
  {
    name: 'control-port',
    value: 'N|off',
    help: 'separate port for the control plane, or off to disable it (default: the same port)',
    setting: 'controlPort',
  },
  {
    name: 'trust-proxy',
    value: 'N',
    help: 'number of proxies in front of this server that add the address of the client to X-Forwarded-For (default 0)',
    setting: 'trustProxy',
  },
  {
    name: 'advertise',
    value: 'URL',
    help: 'URL at which other replicas reach this server, if several share the database of --data (docs/hosting.md)',
    setting: 'advertise',
  },
  {
    name: 'replica-secret',
    value: 'SECRET',
    help: 'secret that all replicas share',
    setting: 'replicaSecret',
  },
  {
    name: 'max-sandboxes',
    value: 'N',
    help: `maximum number of sandboxes (default ${defaultMaxSandboxes})`,
    setting: 'maxSandboxes',
  },
  {
    name: 'idle-expiry',
    value: 'DURATION|off',
    help: 'idle time, such as PT30M, after which the server deletes a sandbox that was created on first use of a key; on replicas, this applies to every sandbox without ttlSeconds (default P1D; off with --data)',
    setting: 'idleExpiry',
  },
  {
    name: 'idle-release',
    value: 'DURATION|off',
    help: 'idle time after which a replica frees the memory of a sandbox, which stays in the database (default PT10M)',
    setting: 'idleRelease',
  },
  {
    name: 'journal-memory',
    value: 'SIZE',
    help: 'memory for the journals of all sandboxes, such as 64MiB; the largest journals shrink first (default 256MiB, at most a quarter of the heap)',
    setting: 'journalMemory',
  },
  {
    name: 'state-memory',
    value: 'SIZE',
    help: 'memory for the changed records of all sandboxes, such as 64MiB; further changes are rejected (default 512MiB, at most a quarter of the heap)',
    setting: 'stateMemory',
  },
  {
    name: 'max',
    value: 'NAME=N',
    help: 'set a limit of this server, such as batchElements=100; repeatable (docs/server-limits.md)',
    setting: 'max',
  },
  {
    name: 'no-auto-create',
    value: null,
    help: 'do not create a sandbox on first use of a key of the form sbx_<sandbox>_<school>',
    setting: 'autoCreate',
    isNegated: true,
  },
];
