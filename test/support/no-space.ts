/** Returns the error of the system if the disk is full. */
export function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}
