/**
 * Builds a school's key in its documented form, `sbx_<sandbox>_<school>`, because the control plane returns
 * keys shortened.
 */
export function keyOf(sandbox: string, school: string): string {
  return `sbx_${sandbox}_${school}`;
}
