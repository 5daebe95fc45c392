/** Returns the words of a name in camelCase, snake_case or kebab-case, in lower case. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .split(/(?<=[a-z\d])(?=[A-Z])|[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}
