/** Slide templates (frames) in English for talks that argue for something, for talks about how a
 *  thing works, and for talks about anything that exists. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'
import { columns, exampleChart, points, steps, table } from './make.ts'

export const reasons: Readonly<Pick<Record<TopicKind, readonly Frame[]>, 'case' | 'working'>> = {
  case: [
    points(
      1,
      'What we propose',
      'Say it before you explain it: whoever knows where a talk leads listens to the reasons.',
      'Proposal: one sentence, with who does what by when',
      'Reason: the one that would be enough alone',
      'Price: what it costs, and what we stop doing for it',
      'Decision: what we ask you to say yes to today',
    ),
    points(
      1,
      'Why now',
      'If nothing has changed, the old decision still holds: name the change.',
      'Changed: what is different since we last decided',
      'Waiting: what it costs us in a month, and in a year',
      'Ready: the people, the money and the permission that are there today',
    ),
    table(
      1,
      'Three ways to go',
      'Doing nothing is one of the options, and it has a price as well.',
      'Option | What it gives | What it costs | What can go wrong',
      'Leave it as it is | No effort today | The old costs go on | It gets harder later',
      'A trial in one place | We learn with little at stake | Two ways of working for a while | It is too small to prove anything',
      'The whole way at once | The gain comes early | All of the effort now | It is hard to turn back',
    ),
    exampleChart(2, 'What waiting costs, and what doing costs', 'Add up what has been spent by the end of each year, in both cases.', {
      example: 'example numbers, to be replaced by your own',
      kind: 'line',
      labels: ['Today', 'Year 1', 'Year 2', 'Year 3', 'Year 4', 'Year 5'],
      series: { 'As it is': [0, 20, 40, 60, 80, 100], Changed: [30, 42, 50, 58, 66, 74] },
      lines: ['Doing costs first, and saves later', 'Where the lines cross it has paid for itself'],
    }),
    columns(
      1,
      'What speaks for it, and what against',
      'Let somebody who is against it check the right side: it has to be in their words.',
      ['For', 'The strongest reason, and who has seen it', 'What it makes possible later', 'Who is glad of it'],
      ['Against', 'The strongest objection, in the words of those who hold it', 'What is lost', 'Who pays for it'],
    ),
    points(
      2,
      'Objections, and honest answers',
      'Bring up the hardest one yourself.',
      'It has always worked: say what has changed since',
      'It costs too much: put the cost of going on beside it',
      'It failed elsewhere: say what was different there, or what to learn from it',
      'Not now: ask for the day on which it would be right',
    ),
    steps(
      2,
      'From a yes to the result',
      'Put a name and a date on each step.',
      'Today | Decide | And say who answers for it',
      'First | Try | One place, one month, one number to watch',
      'Then | Judge | Go on, change it, or stop: all three are allowed',
      'At last | Make it usual | Rules, tools and training follow',
    ),
    table(
      2,
      'How we will know that it was right',
      'Write the middle down before you begin: afterwards everybody remembers it differently.',
      'What we watch | Today | Goal | When we look',
      'The number that it is about | ___ | ___ | ___',
      'What it costs | ___ | ___ | ___',
      'What those say who work with it | ___ | ___ | ___',
    ),
  ],
  working: [
    {
      ...points(
        1,
        'What goes in, what comes out',
        'Answer the four cards in this order, and draw an arrow for each.',
        'In: what has to get into {s} – matter, energy or a signal',
        'Inside: what happens to it, one step after the other',
        'Out: what leaves {s}, and in which form',
        'Lost: what gets warm, worn or thrown away',
      ),
      withFacts: 1,
    },
    {
      ...steps(
        1,
        'How to find out what a part does',
        'Do it with one part together, then let groups take one part each.',
        '1 | Look | Draw it, with a name for every part',
        '2 | Take away | What stops when this part is missing?',
        '3 | Trace | Follow one movement from its beginning to its end',
        '4 | Tell | Explain it without using the names of the parts',
      ),
      withFacts: 2,
    },
    {
      ...columns(
        1,
        'When it works, and when it fails',
        'Most of what is known of how things work was learned from those that had stopped.',
        ['It works', 'The sign that all is well', 'What it needs all the time', 'How much it can bear'],
        ['It fails', 'The part that goes first', 'The first sign that one can notice', 'What brings it back'],
      ),
      withFacts: 2,
    },
    points(
      2,
      'Questions that lead inside',
      'Keep the last one for the end.',
      'Why is it made like this, and not simpler?',
      'Which part came last, and what was done before?',
      'What would have to change for it to do twice as much?',
      'What else works by the same idea?',
    ),
  ],
}

/** Frames for a talk about anything that exists, used when there are few facts. */
export const knowledge: readonly Frame[] = [
  table(
    2,
    'What to find out, and where',
    'Share the rows out; each group brings one sentence and its source.',
    'Question | What a good answer has | Where to look',
    'What is it? | A sentence that fits nothing else | An encyclopedia, and a textbook',
    'Since when? | A date, and who wrote it down | A museum or an archive',
    'How much, how many? | A number with its year and its unit | An office of statistics',
    'What is disputed? | Both sides in their own words | Two sources that disagree',
  ),
  points(
    2,
    'How to check what you read',
    'Try it with one claim that everybody in the room has heard.',
    'Source: who says it, and how do they know?',
    'Date: is it still so?',
    'Second voice: does anybody say it who did not copy it?',
    'Interest: who gains if it is believed?',
  ),
  steps(
    3,
    'Ten minutes on {s}',
    'A plan for telling it to somebody else.',
    'Minute 1 | Begin | With a thing that one can see or hold',
    'Minutes 2–4 | Explain | Three facts, each with where it is from',
    'Minutes 5–7 | Show | One example from beginning to end',
    'Minutes 8–10 | Ask | What was new, and what is still open?',
  ),
]
