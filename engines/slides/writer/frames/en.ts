/** The frames of each kind of talk in English. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'
import { happenings } from './en-happenings.ts'
import { reasons } from './en-reasons.ts'
import { thought } from './en-thought.ts'
import { work } from './en-work.ts'
import { world } from './en-world.ts'

export const englishFrames: Readonly<Record<TopicKind, readonly Frame[]>> = { ...work, ...thought, ...happenings, ...world, ...reasons }

/** For decks that are longer than what their kind fills. */
export const commonEnglish: readonly Frame[] = [
  {
    layout: 'picture',
    title: 'A closer look',
    points: ['What do you see first?', 'What is missing from the picture?', 'What happened just before it was taken?'],
    picture: '{p:near}',
    notes: 'Put a photograph here, or let the gateway draw one.',
    rank: 3,
  },
  {
    layout: 'points',
    title: 'What to take along',
    points: ['Remember: the one sentence to remember', 'Doubt: the claim to check before passing it on', 'Do: the smallest next step'],
    notes: 'Let the audience name the three.',
    rank: 3,
  },
  {
    layout: 'timeline',
    title: 'Next steps',
    steps: [
      { label: 'Today', title: 'Agree', text: 'One person who leads, and one thing to do first' },
      { label: 'This week', title: 'Begin', text: 'With the part that teaches most for the least effort' },
      { label: 'This month', title: 'Look back', text: 'What worked, what did not, and what is next' },
    ],
    notes: 'Agree on who does what.',
    rank: 1,
  },
  {
    layout: 'points',
    title: 'Questions for the room',
    points: [
      'What surprised you?',
      'What do you see differently from the speaker?',
      'Who should be here and is not?',
      'What would you like to know next?',
    ],
    notes: 'Wait ten seconds after each.',
    rank: 3,
  },
]
