/** White space, and characters that show nothing, such as a zero-width space or a byte order mark. */
const blank = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether a text is empty, or shows nothing. */
export function isBlank(text: string): boolean {
  return blank.test(text);
}
