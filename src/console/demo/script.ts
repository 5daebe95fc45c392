/** A step of the guided demo in words. The page `/demo` and the guide `docs/demo.md` are made from it. */
interface Step {
  /** The step's segment in the address. */
  readonly name: string;
  readonly title: string;
  /** Its name in the progress bar. */
  readonly short: string;
  /** What the audience will see, in one sentence. */
  readonly sees: string;
  /** Why it matters, in one sentence. */
  readonly matters: string;
  /** What each call of *Do it* is for, in their order. */
  readonly calls: Readonly<Record<string, string>>;
  /** What to point at afterwards. */
  readonly point: string;
  /** The page that *Look* opens, and what it shows. */
  readonly look: { readonly at: string; readonly shows: string };
}

/** The steps of the guided demo. Backticks mark names of the API. */
export const steps = [
  {
    name: 'live-events',
    title: 'A client lists the live events',
    short: 'Live events',
    sees: 'A client asks for the live events of Riverside Academy, and then sends the same request with the key of Hillcrest College.',
    matters:
      'Each key opens the data of one school, so you can try several schools without touching a real one.',
    calls: {
      riverside: 'The client lists the live events with the key of Riverside Academy.',
      hillcrest: 'It sends the same request with the key of Hillcrest College.',
    },
    point:
      'The request is the same, but each school gets its own events. Names and posters are invented, and the dates are always current.',
    look: {
      at: 'School › Live events',
      shows: 'The events of Riverside Academy as a person sees them, with posters and sessions.',
    },
  },
  {
    name: 'instructor',
    title: 'An instructor is added twice and exists once',
    short: 'Instructor',
    sees: 'A client creates the account of Noor Haddad, and then sends the same request again, as clients do after a timeout.',
    matters:
      'The sandbox stores what a client changes, so you see that the repeated request creates no duplicate.',
    calls: {
      before: 'The client counts the instructors of the school.',
      first: 'It creates the account of Noor Haddad.',
      again: 'It sends the same request again.',
      after: 'It counts the instructors again.',
    },
    point:
      'Both responses have the same `serviceInstructorId`, and the school has one more instructor, not two.',
    look: { at: 'School › Instructors', shows: 'The search finds Noor Haddad once.' },
  },
  {
    name: 'answers',
    title: 'A learner submits answers',
    short: 'Answers',
    sees: 'A client loads a quiz and submits the answers of Grace Amissah, one of them wrong.',
    matters:
      'The answers arrive where a teacher would look for them, so a test can check the whole path from app to platform.',
    calls: {
      quiz: 'The client loads the quiz.',
      submit: 'It submits the answers of Grace Amissah.',
    },
    point:
      'The response is an empty result, as the specification says. *Look* shows that the platform stored every answer: 4 of 5 are correct.',
    look: {
      at: 'School › Learners › Grace Amissah',
      shows: 'Her score, and her answers: the wrong answer is shown next to the correct one.',
    },
  },
  {
    name: 'mistake',
    title: 'A mistake explains itself',
    short: 'Mistake',
    sees: 'A client misspells the name of a field, and the response says where the mistake is and which name was probably meant.',
    matters: 'A developer fixes such a mistake in a minute, without asking for help.',
    calls: {
      wrong: 'The client sends `quizID` instead of `quizId`.',
      right: 'It sends the request with the correct name.',
    },
    point:
      'The error message names the missing field, what was sent instead, and the correction. The status is 200, because the specification reports failures in the body.',
    look: { at: 'Console › Journal', shows: 'The request, with the mistake marked on its line.' },
  },
  {
    name: 'outage',
    title: 'The platform fails, and the client recovers',
    short: 'Outage',
    sees: 'The next two calls fail with 503, and the client waits and tries again until it succeeds.',
    matters:
      'You cannot order an outage of the real platform. Here, one request causes it, and you see whether the client survives.',
    calls: {
      rule: 'The control plane adds a rule: the next two calls of `list-assignments` fail.',
      first: 'The client lists the assignments of a course.',
      second: 'It waits as long as `Retry-After` says, and tries again.',
      third: 'It waits again, and tries once more.',
    },
    point:
      'Two responses have the status 503 and ask the client to wait. The client obeys, and the third call succeeds.',
    look: {
      at: 'Console › Journal',
      shows: 'The three calls, newest first, with the injected failures marked.',
    },
  },
  {
    name: 'lost-response',
    title: 'A response is lost after the work was done',
    short: 'Lost response',
    sees: 'The platform creates the account of Ravi Menon, but the connection breaks during the response, so the client tries again.',
    matters:
      'This failure creates duplicates in real systems, and you can rehearse it only with a server that stores data.',
    calls: {
      rule: 'The control plane adds a rule: the next `create-instructor-account` takes effect, but its response is cut off.',
      lost: 'The client creates the account of Ravi Menon.',
      retry: 'It does not know whether that worked, and tries again after a second.',
      after: 'It lists the instructors.',
    },
    point:
      'The client saw a broken connection, yet the account had been created. The second try created no duplicate.',
    look: {
      at: 'Console › Journal',
      shows: 'The lost response: the fault fired after the operation took effect.',
    },
  },
  {
    name: 'rate-limit',
    title: 'The client meets the rate limit',
    short: 'Rate limit',
    sees: 'A client sends 16 calls within a minute, and the last one exceeds the documented limit of 15.',
    matters:
      'The sandbox has its own clock, so the client can try again at once instead of waiting for a minute.',
    calls: {
      burst: 'The client lists the live events 16 times. The page shows the 16th response.',
      advance: 'The control plane moves the clock of the sandbox by the seconds in `Retry-After`.',
      again: 'The client tries again.',
    },
    point:
      'Fifteen calls succeed, and the 16th returns 429 with `Retry-After`. A moment later, the minute is over. Because this step moved the clock, the console now shows that the clock is ahead of real time.',
    look: {
      at: 'Console › Clock and limits',
      shows:
        'The clock of the sandbox, now about a minute ahead, and below it how much of each limit is used. Until the last step, the bar *Unusual* also shows that the clock is ahead.',
    },
  },
  {
    name: 'recording',
    title: 'A recording plays, and its link expires',
    short: 'Recording',
    sees: 'A client asks for the recording of a live event and plays it; then the clock moves on, and the same link is refused.',
    matters: 'Nobody wants to wait until a link expires; here, you see in seconds how a player handles it.',
    calls: {
      sign: 'The client asks for the playback data of a session.',
      open: 'Its player opens the playlist with the signed link.',
      advance: 'The control plane moves the clock past the expiry of the link.',
      late: 'The player opens the same link again.',
    },
    point:
      'The recording is encrypted, and plays with the key in the response. The expired link returns 403 and says when it expired. This step moved the clock again, so the console shows that the clock is even further ahead of real time.',
    look: {
      at: 'Console › Player',
      shows:
        'The recording in the player, with a new link; *Expire URL* makes it expire. The bar *Unusual* shows how far the demo has moved the clock.',
    },
  },
  {
    name: 'report',
    title: 'The report shows how the client behaved',
    short: 'Report',
    sees: 'The sandbox reports which operations the client of this demo used, what it sent wrong, and how it handled each failure.',
    matters: 'In CI, the same report can fail a build before a careless client reaches the real platform.',
    calls: {
      report: 'The control plane returns the report on all calls of this demo.',
    },
    point:
      'The misspelled field is found twice: `quizId` is missing, and the `quizID` sent in its place is not a documented field. The report also confirms that the client waited before it tried again.',
    look: { at: 'Console › Report', shows: 'The report as a page, with the reason for each finding.' },
  },
  {
    name: 'reset',
    title: 'Reset: everything is as before',
    short: 'Reset',
    sees: 'One click on *Do it* restores everything to its state before the first step: records, clock, failures, limits and scenario.',
    matters: 'Every demo and every test run starts from the same state, whatever happened before.',
    calls: {
      restore: 'The control plane restores the snapshot.',
      limits: 'It restores the documented rate limits.',
      scenario: 'It ends the scenario, if one was started.',
      clock: 'It sets the clock to real time.',
      journal: 'It empties the journal.',
      check: 'It returns a summary of the sandbox.',
    },
    point:
      'No record differs from the seed, and the journal is empty. The sandbox is ready for the next demo; unused, it is deleted after an hour.',
    look: { at: 'School › Instructors', shows: 'The search no longer finds Noor Haddad.' },
  },
] as const satisfies readonly Step[];

export type StepName = (typeof steps)[number]['name'];

/** The sentences about the calls of a step. */
export type Captions<N extends StepName> = Extract<(typeof steps)[number], { readonly name: N }>['calls'];

/** What the page needs of any step. */
export type AnyStep = Step & { readonly name: StepName };
