/** Slide templates (frames) in English for talks about historical events and about companies. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'
import { columns, points, steps, table } from './make.ts'

export const happenings: Readonly<Pick<Record<TopicKind, readonly Frame[]>, 'event' | 'company'>> = {
  event: [
    points(
      1,
      'Four questions to the sources',
      'Answer each from one source of the time and one of today.',
      'Before: what made {s} possible?',
      'Spark: what set it off, and could it have passed by?',
      'Course: who acted, who suffered, and who only watched?',
      'After: what was different for people who took no part?',
    ),
    steps(
      1,
      'The course in five steps',
      'Put dates on the labels; none is given here that was not looked up.',
      'Before | Tension | What had been building up, and for how long',
      'Start | The spark | The day that everybody names',
      'Turn | The turning point | After which it could no longer be stopped',
      'End | The last act | How it ended, and who said so',
      'After | What remained | Laws, borders, graves, words',
    ),
    columns(
      2,
      'Two sides of the story',
      'Look for a voice of each side.',
      ['Those who wanted it', 'What they hoped for', 'What they risked', 'How they told it afterwards'],
      ['Those who did not', 'What they had to lose', 'What they did against it', 'How they told it afterwards'],
    ),
    points(
      2,
      'How we know',
      'Say of each source who wrote it, when, and for whom.',
      'Papers: orders, letters and newspapers of those days',
      'Things: what museums keep, and what they leave in the cellar',
      'Places: what can still be walked through',
      'Memory: who speaks of it today, and on which day of the year',
    ),
  ],
  company: [
    points(
      1,
      'The company in four sentences',
      'Learn these four by heart; all else can be read.',
      'Who: what {s} is, in words that a neighbour understands',
      'For whom: the customers who would miss it first',
      'How: the one thing that it does differently',
      'Proof: a result that a customer has seen',
    ),
    steps(
      1,
      'The way so far',
      'Put years on the labels; three stations are enough if each has a reason.',
      'Start | The founding | The problem that the founders had themselves',
      'First | The first customer | What they bought, and why from us',
      'Turn | The hard year | What went wrong, and what we changed',
      'Now | Where we stand | People, places and customers of today',
    ),
    columns(
      1,
      'What we offer, and what we leave to others',
      'The right column makes the left one believable.',
      [
        'What we offer',
        'The product or service most customers begin with',
        'What they add after a year',
        'What comes with it: advice, care, repair',
      ],
      ['What we leave to others', 'Work that partners do better', 'Customers whom we send elsewhere', 'What we have tried and ended'],
    ),
    table(
      2,
      'Who is who',
      'A name, a face and a telephone number for each row.',
      'Part of the house | Answers for | When to call',
      'Sales | Offers, prices and delivery dates | Before an order',
      'Making | Quality and what is possible | When a wish is unusual',
      'Service | Everything after delivery | When something does not work',
      'Management | Direction and promises | When it is about years',
    ),
    points(
      2,
      'What we stand for',
      'For each: the last time it cost us something.',
      'Customers: what we promise, and what happens if we break it',
      'People: how somebody learns and rises here',
      'Surroundings: what we use, and what we give back',
    ),
    points(
      1,
      'How we can work together',
      'End with one request, and a date.',
      'A talk: half an hour on your question, without a brochure',
      'A trial: a small task with an end that both can see',
      'An order: the terms on one page',
    ),
  ],
}
