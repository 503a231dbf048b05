/** The slide templates (frames) for each kind of talk, in English. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'
import { happenings } from './en-happenings.ts'
import { reasons } from './en-reasons.ts'
import { thought } from './en-thought.ts'
import { work } from './en-work.ts'
import { world } from './en-world.ts'
import { picture, points, steps } from './make.ts'

export const englishFrames: Readonly<Record<TopicKind, readonly Frame[]>> = { ...work, ...thought, ...happenings, ...world, ...reasons }

/** Frames for any kind of talk. Except for the next steps, these frames only fill a long deck
 *  when there are too few frames for the kind of the talk. */
export const commonEnglish: readonly Frame[] = [
  picture(
    3,
    'A closer look',
    'Put a photograph here, or let the gateway draw one.',
    'What do you see first?',
    'What is missing from the picture?',
    'What happened just before it was taken?',
  ),
  points(
    3,
    'What to take along',
    'Let the audience name the three.',
    'Remember: the one sentence to remember',
    'Doubt: the claim to check before passing it on',
    'Do: the smallest next step',
  ),
  steps(
    1,
    'Next steps',
    'Agree on who does what.',
    'Today | Agree | One person who leads, and one thing to do first',
    'This week | Begin | With the part that teaches most for the least effort',
    'This month | Look back | What worked, what did not, and what is next',
  ),
  points(
    3,
    'Questions for the room',
    'Wait ten seconds after each.',
    'What surprised you?',
    'What do you see differently from the speaker?',
    'Who should be here and is not?',
    'What would you like to know next?',
  ),
]
