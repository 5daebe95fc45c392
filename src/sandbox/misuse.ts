/** Something that a person asked for and cannot have: a wrong flag, name or file. Its message says what to do instead. */
export class Misuse extends Error {}
