import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Where Debian has it. */
export const chromiumPath = '/usr/bin/chromium';

/** Whether there is a browser. Where Debian's can be installed, it is. */
export function hasChromium(): boolean {
  if (!existsSync(chromiumPath)) install();
  return existsSync(chromiumPath);
}

function install(): void {
  try {
    if (process.getuid?.() !== 0) return;
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  } catch {
    // No Debian, or no network: whoever asked finds no browser.
  }
}
