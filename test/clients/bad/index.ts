import type { Bad } from '../spec.ts';
import { badHerds } from './herds.ts';
import { badPace } from './pace.ts';
import { badRequests } from './requests.ts';
import { badRetries } from './retries.ts';
import { badSubmissions } from './submissions.ts';

export const bad: readonly Bad[] = [
  ...badRetries,
  ...badHerds,
  ...badSubmissions,
  ...badRequests,
  ...badPace,
];
