/** A character that shows something: no white space, no zero-width space, no byte order mark. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text is empty, or shows nothing. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
