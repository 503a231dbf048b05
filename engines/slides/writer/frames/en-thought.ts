/** Frames in English of talks that ask: what to choose, why, how to learn, what follows. Sentences fit a subject in the singular and in the plural. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'

export const thought: Readonly<Pick<Record<TopicKind, readonly Frame[]>, 'comparison' | 'question' | 'lesson' | 'effect'>> = {
  comparison: [
    {
      layout: 'points',
      title: 'What to compare by',
      points: [
        'Purpose: what each is best at, in one sentence',
        'Effort: what it takes to begin, and to go on',
        'Cost: money, time and attention, over the whole life',
        'Risk: what happens when it fails',
        'Change: how hard it is to move from one to the other later',
        'People: who has to like it for it to work',
      ],
      notes: 'Choose three of the six; say why the others matter less here.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'When which one fits',
      columns: [
        {
          title: '{s}',
          points: [
            'The case in which nothing else would do',
            'A user who is happy with it, and why',
            'The condition under which we would drop it',
          ],
        },
        {
          title: '{o}',
          points: [
            'The case in which nothing else would do',
            'A user who is happy with it, and why',
            'The condition under which we would drop it',
          ],
        },
      ],
      notes: 'One real example for each line.',
      rank: 2,
    },
    {
      layout: 'timeline',
      title: 'How to decide',
      steps: [
        { label: '1', title: 'Say what it is for', text: 'One use, one user' },
        { label: '2', title: 'Pick three criteria', text: 'Before looking at either' },
        { label: '3', title: 'Try both', text: 'The same task, the same day' },
        { label: '4', title: 'Decide and date it', text: 'And say when to look again' },
      ],
      notes: 'The order matters: criteria that are chosen after the trial tend to fit the favourite.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'What would change our minds',
      points: [
        'A price that moves by half',
        'A use that we do not have today',
        'A person who knows one of them well joining or leaving',
        'A rule that forbids one of them',
      ],
      notes: 'Ask the room which of these is closest.',
      rank: 3,
    },
  ],
  question: [
    {
      layout: 'points',
      title: 'What exactly is asked',
      points: [
        'Words: what each word of the question means here',
        'Scope: where, when and for whom',
        'Use: what we would do differently with an answer',
        'Proof: what kind of answer would convince us',
      ],
      notes: 'Spend two minutes here; most disagreement is about the question.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'Two ways to see it',
      columns: [
        {
          title: 'What speaks for',
          points: ['The strongest reason, in one sentence', 'Who says so, and how they know', 'What follows if it is true'],
        },
        {
          title: 'What speaks against',
          points: ['The strongest objection, in one sentence', 'Who says so, and how they know', 'What follows if it is true'],
        },
      ],
      notes: 'Let somebody who disagrees with you fill the other column.',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: 'How to find out',
      steps: [
        { label: '1', title: 'Guess', text: 'Everybody writes down an answer first' },
        { label: '2', title: 'Look', text: 'Two sources that do not quote each other' },
        { label: '3', title: 'Test', text: 'One thing that we can try ourselves' },
        { label: '4', title: 'Answer', text: 'With how sure we are' },
      ],
      notes: 'Compare the guesses with the answer at the end.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'What is still open',
      points: ['What nobody has measured', 'Where the sources disagree', 'What has changed since they were written'],
      notes: 'It is fine to leave with a better question.',
      rank: 2,
    },
  ],
  lesson: [
    {
      layout: 'points',
      title: 'By the end you can',
      points: [
        'Say in your own words what {s} is about',
        'Give one example, and one thing that is not one',
        'Use it once, with help',
        'Know where to look further',
      ],
      notes: 'Come back to this list at the end.',
      rank: 1,
      withFacts: 1,
    },
    {
      layout: 'points',
      title: 'What you may already know',
      points: [
        'Where you have met {s} before',
        'A word that you have heard and never looked up',
        'A question that you always wanted to ask',
      ],
      notes: 'Two minutes in pairs, then collect.',
      rank: 2,
    },
    {
      layout: 'timeline',
      title: 'How this lesson goes',
      steps: [
        { label: '1', title: 'Look', text: 'One example, without explanation' },
        { label: '2', title: 'Name', text: 'The words that go with it' },
        { label: '3', title: 'Try', text: 'The same with another example' },
        { label: '4', title: 'Explain', text: 'To somebody who was not here' },
      ],
      notes: 'Each step ends with a question to the class.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'Exercise',
      columns: [
        { title: 'Alone', points: ['Write down one sentence about {s}', 'Draw it without words', 'Mark what you are not sure of'] },
        { title: 'Together', points: ['Compare the drawings', 'Find one thing on which you differ', 'Look it up, and say where'] },
      ],
      notes: 'Ten minutes; walk around and listen.',
      rank: 1,
      withFacts: 2,
    },
    {
      layout: 'points',
      title: 'Check yourself',
      points: [
        'How would you put {s} into one sentence?',
        'Which part was new?',
        'Where would you use it tomorrow?',
        'What would you ask next?',
      ],
      notes: 'Collect the last answer: it is the start of the next lesson.',
      rank: 1,
    },
  ],
  effect: [
    {
      layout: 'points',
      title: 'Who feels it',
      points: [
        'First: those who meet {s} directly',
        'Next: those who depend on them',
        'Later: those who pay or gain without noticing',
        'Not at all: those whom it is often said to touch',
      ],
      notes: 'Name a real group for each card.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'Soon, and later',
      columns: [
        { title: 'Within a year', points: ['What changes first', 'What can still be turned back', 'What it costs to wait'] },
        { title: 'Within a generation', points: ['What gets usual', 'What can no longer be undone', 'What nobody plans for'] },
      ],
      notes: 'Say which of these are known and which are guesses.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'How to tell an effect from chance',
      points: [
        'Before and after: was it measured the same way?',
        'With and without: is there a place without {s}?',
        'More and less: does more of it do more?',
        'Other causes: what else changed at the same time?',
      ],
      notes: 'Use one figure of your own to go through the four questions.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'What can be done',
      points: [
        'Alone: what one person can change this week',
        'Together: what takes an agreement',
        'By rule: what takes a law or a standard',
        'Not at all: what we have to live with',
      ],
      notes: 'End with the first card.',
      rank: 2,
    },
  ],
}
