/** Succeeds if the last build is up to date. Else it says why not, and fails. */
import process from 'node:process';
import { reasonToBuild } from './up-to-date.mjs';

const reason = reasonToBuild();
if (reason !== null) process.stderr.write(`Building the sandbox, because ${reason} …\n`);
process.exitCode = reason === null ? 0 : 1;
