/** When the lines of a log reach the disk: never on request, within a second, or before each reply. */
export type DataSync = (typeof dataSyncs)[number];

export const dataSyncs = ['never', 'second', 'always'] as const;
