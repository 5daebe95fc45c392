/** Returns the folders that contain a folder, the root first. */
export function ancestorsOf(path: string): readonly string[] {
  const found: string[] = [];
  for (let place = path; place !== '/';) {
    place = parentOf(place);
    found.unshift(place);
  }
  return found;
}

function parentOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}
