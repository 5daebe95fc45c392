/** What a template of JSON can contain. */
export const placeholders = ['status', 'code', 'message', 'requestId', 'path'] as const;

type Values = Readonly<Record<(typeof placeholders)[number], string | number>>;

const placeholder = new RegExp(`\\{\\{\\s*(${placeholders.join('|')})\\s*\\}\\}`, 'g');

/** Replaces the placeholders in JSON by values, as parts of its strings. */
export function fillTemplate(template: string, values: Values): string {
  // The name is one of the placeholders, as the expression says.
  return template.replace(placeholder, (_, name: keyof Values) =>
    JSON.stringify(String(values[name])).slice(1, -1),
  );
}
