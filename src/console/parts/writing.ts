/** The names of operations that change records begin so. */
export const writing = /^(?:create|submit|update)-/;
