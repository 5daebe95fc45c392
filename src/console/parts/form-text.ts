/** Returns the trimmed value of a form field, or an empty string if there is no such field. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
