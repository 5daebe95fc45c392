/** The permissions of a school's staff, by role. */
export interface Preset {
  readonly name: string;
  readonly needsIds: boolean;
  readonly sets: readonly { readonly permissions: readonly string[]; readonly resourceIdType: string }[];
}

export const presets: readonly Preset[] = [
  {
    name: 'School administrator',
    needsIds: false,
    sets: [
      {
        permissions: ['school:manage', 'courses:manage', 'instructors:manage', 'videos:manage'],
        resourceIdType: 'All',
      },
    ],
  },
  {
    name: 'Read-only observer',
    needsIds: false,
    sets: [
      {
        permissions: ['courses:read', 'quizzes:read', 'videos:read', 'live-events:read'],
        resourceIdType: 'All',
      },
    ],
  },
  {
    name: 'Course author',
    needsIds: true,
    sets: [{ permissions: ['courses:read', 'courses:write', 'quizzes:write'], resourceIdType: 'Course' }],
  },
  {
    name: 'Teaching assistant',
    needsIds: true,
    sets: [
      { permissions: ['submissions:read', 'submissions:grade'], resourceIdType: 'Course' },
      { permissions: ['users:read'], resourceIdType: 'All' },
    ],
  },
  {
    name: 'Live event host',
    needsIds: true,
    sets: [
      {
        permissions: ['live-events:read', 'live-events:host', 'recordings:read'],
        resourceIdType: 'LiveEvent',
      },
    ],
  },
  {
    name: 'Video editor',
    needsIds: true,
    sets: [{ permissions: ['videos:read', 'videos:write', 'captions:write'], resourceIdType: 'Folder' }],
  },
  {
    name: 'Marketing',
    needsIds: false,
    sets: [{ permissions: ['products:read', 'coupons:read', 'coupons:write'], resourceIdType: 'All' }],
  },
];
