/** Invented course topics, with enough words to fill a school. */
export interface Topic {
  readonly name: string;
  readonly courses: readonly string[];
  /** The subjects of the topic with their descriptions. */
  readonly terms: readonly (readonly [string, string])[];
}

export const topics: readonly Topic[] = [
  {
    name: 'Biology',
    courses: ['Foundations of Biology', 'Life Under the Microscope', 'Plants, Animals and Us'],
    terms: [
      ['Osmosis', 'Water moving through a membrane'],
      ['Photosynthesis', 'Sugar made with the help of light'],
      ['Mitosis', 'A cell that divides into two of its kind'],
      ['Enzymes', 'Proteins that make reactions faster'],
      ['Natural Selection', 'Better fitted forms leaving more offspring'],
      ['Food Webs', 'Who eats whom in one place'],
      ['Homeostasis', 'Keeping the inside steady while the outside changes'],
      ['Heredity', 'Traits passed from parents to offspring'],
    ],
  },
  {
    name: 'Programming',
    courses: ['Practical Programming', 'Programs That Last', 'From Script to Service'],
    terms: [
      ['Variables', 'Names tied to values'],
      ['Loops', 'Steps repeated until a condition ends them'],
      ['Functions', 'Named steps that take values and give one back'],
      ['Recursion', 'A function that calls itself on a smaller problem'],
      ['Unit Tests', 'Small programs that hold other programs to their promises'],
      ['Version Control', 'A history of changes that can be gone back to'],
      ['Dictionaries', 'Values found by a key'],
      ['Error Handling', 'Saying what happens when something goes wrong'],
    ],
  },
  {
    name: 'Statistics',
    courses: ['Statistics for the Curious', 'Reading the Numbers', 'Data and Doubt'],
    terms: [
      ['Medians', 'The value in the middle of a sorted list'],
      ['Standard Deviation', 'How far values typically lie from their mean'],
      ['Sampling', 'Choosing a few to learn about many'],
      ['Correlation', 'Two quantities that change together'],
      ['Confidence Intervals', 'A range that probably holds the true value'],
      ['Histograms', 'Bars that show how often values occur'],
      ['Outliers', 'Values far away from all others'],
      ['Hypothesis Tests', 'Asking whether chance alone could explain a result'],
    ],
  },
  {
    name: 'Design',
    courses: ['Design for Screens', 'Type and Layout', 'Sketching Interfaces'],
    terms: [
      ['Contrast', 'A difference strong enough to be seen at once'],
      ['White Space', 'Room left empty on purpose'],
      ['Grids', 'Lines that hold a layout together'],
      ['Typefaces', 'Letters drawn as one family'],
      ['Prototypes', 'Early versions made to be tried and thrown away'],
      ['Colour Harmony', 'Colours that belong together'],
      ['Hierarchy', 'Showing what matters most first'],
      ['Accessibility', 'Making things usable by everybody'],
    ],
  },
  {
    name: 'History',
    courses: ['A Short History of Trade', 'Cities Through the Ages', 'Sources and Stories'],
    terms: [
      ['Primary Sources', 'Witnesses from the time itself'],
      ['Guilds', 'Craftspeople of a town bound together by rules'],
      ['The Silk Road', 'Routes of trade between East Asia and the Mediterranean'],
      ['Printing', 'Texts multiplied with movable type'],
      ['Charters', 'Rights of a place in writing'],
      ['Archives', 'Places where documents are kept'],
      ['Steam Power', 'Heat turned into motion for factories and railways'],
      ['Oral Tradition', 'Memory passed on by speaking'],
    ],
  },
  {
    name: 'Music',
    courses: ['Music Theory from Zero', 'Listening Closely', 'Songwriting Workshop'],
    terms: [
      ['Intervals', 'The distance between two notes'],
      ['Chords', 'Several notes that sound together'],
      ['Rhythm', 'The pattern of sounds in time'],
      ['Counterpoint', 'Independent melodies that fit each other'],
      ['Dynamics', 'How loud and how soft'],
      ['Scales', 'Notes in order of their pitch'],
      ['Cadences', 'Endings of musical phrases'],
      ['Timbre', 'What makes two instruments sound different'],
    ],
  },
  {
    name: 'Economics',
    courses: ['Everyday Economics', 'Markets and People', 'Money Explained'],
    terms: [
      ['Opportunity Cost', 'What is given up for what is chosen'],
      ['Supply and Demand', 'What is offered and what is wanted at a price'],
      ['Inflation', 'Prices that rise all over'],
      ['Interest', 'The price of borrowed money'],
      ['Externalities', 'Effects on those who had no say'],
      ['Public Goods', 'Things that nobody can be kept from using'],
      ['Comparative Advantage', 'Doing what one gives up least for'],
      ['Budgets', 'Plans for money that comes in and goes out'],
    ],
  },
  {
    name: 'Languages',
    courses: ['Spanish for Travellers', 'How Languages Work', 'Writing Clear English'],
    terms: [
      ['Past Tenses', 'Forms of verbs for what is over'],
      ['Word Order', 'Which part of a sentence comes first'],
      ['Pronouns', 'Words that stand in for names'],
      ['Idioms', 'Phrases that mean something else than their words'],
      ['False Friends', 'Words that look alike and differ in meaning'],
      ['Intonation', 'The melody of a sentence'],
      ['Prefixes', 'Parts put in front of a word'],
      ['Politeness', 'Ways of asking that respect the other'],
    ],
  },
  {
    name: 'Astronomy',
    courses: ['The Night Sky', 'Planets and Their Moons', 'Stars for Beginners'],
    terms: [
      ['Eclipses', 'One body in the shadow of another'],
      ['Orbits', 'Paths of bodies around others'],
      ['Spectra', 'Light spread out into its colours'],
      ['Parallax', 'A near thing that seems to move as the viewer does'],
      ['Comets', 'Icy bodies that grow tails near the sun'],
      ['Red Shift', 'Light stretched by motion away from us'],
      ['Nebulae', 'Clouds of gas between the stars'],
      ['Tides', 'Water lifted by the moon and the sun'],
    ],
  },
  {
    name: 'Geography',
    courses: ['Rivers and Coasts', 'Maps and What They Leave Out', 'Weather and Climate'],
    terms: [
      ['Erosion', 'Ground carried away by water, wind or ice'],
      ['Contour Lines', 'Lines that join places of the same height'],
      ['Watersheds', 'All land whose water ends in one river'],
      ['Monsoons', 'Winds that turn with the seasons and bring rain'],
      ['Deltas', 'Land built by a river where it meets the sea'],
      ['Map Projections', 'Ways to draw a globe on a flat sheet'],
      ['Plate Tectonics', 'Slow motion of large pieces of the crust'],
      ['Urban Heat', 'Cities that stay warmer than the land around them'],
    ],
  },
];
