/** The key of a school: the control plane shows keys shortened, but their form is documented, `sbx_<sandbox>_<school>`. */
export function keyOf(sandbox: string, school: string): string {
  return `sbx_${sandbox}_${school}`;
}
