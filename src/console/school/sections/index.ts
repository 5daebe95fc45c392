import type { Section } from '../school.ts';
import { CouponsSection } from './coupons.ts';
import { CoursesSection } from './courses.ts';
import { EventsSection } from './events.ts';
import { InstructorsSection } from './instructors.ts';
import { LabsSection } from './labs.ts';
import { LearnersSection } from './learners.ts';
import { VideosSection } from './videos.ts';

/** All sections in the order of the navigation. The first one is the default. */
export const sections: readonly Section[] = [
  { name: 'courses', title: 'Courses', component: CoursesSection },
  { name: 'instructors', title: 'Instructors', component: InstructorsSection },
  { name: 'live-events', title: 'Live events', component: EventsSection },
  { name: 'videos', title: 'Videos', component: VideosSection },
  { name: 'coupons', title: 'Coupons', component: CouponsSection },
  { name: 'labs', title: 'Labs', component: LabsSection },
  { name: 'learners', title: 'Learners', component: LearnersSection },
];
