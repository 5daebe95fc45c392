/** The paths of the pages that get their data from the control plane. */
export const consolePaths = ['/console', '/school', '/demo'];

/** Whether a request on a separate control-plane port is for one of these pages, or for a picture on them. */
export function isForConsole(url = ''): boolean {
  const path = /^[^?]*/.exec(url)?.[0] ?? '';
  return [...consolePaths, '/assets'].some((one) => path === one || path.startsWith(`${one}/`));
}
