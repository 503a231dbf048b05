/** Frames in English of talks of the world: what was, who, where, what lives, what happens, what is. Sentences fit a subject in the singular and in the plural. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'

export const world: Readonly<
  Pick<Record<TopicKind, readonly Frame[]>, 'history' | 'person' | 'place' | 'living' | 'nature' | 'thing' | 'idea'>
> = {
  history: [
    {
      layout: 'points',
      title: 'Questions to the past',
      points: [
        'Before: what did people do without it?',
        'Beginning: who began, where, and for what reason?',
        'Turn: which moment changed it most?',
        'Today: what is left of the beginning?',
      ],
      notes: 'Answer each with one dated source.',
      rank: 1,
      withFacts: 1,
    },
    {
      layout: 'timeline',
      title: 'A line to fill with dates',
      steps: [
        { label: 'Before', title: 'What came first', text: 'The need that was already there' },
        { label: 'Start', title: 'The first trace', text: 'The oldest source that names it' },
        { label: 'Spread', title: 'From few to many', text: 'The road that it took' },
        { label: 'Turn', title: 'The great change', text: 'What was different afterwards' },
        { label: 'Now', title: 'Where we are', text: 'What a visitor from then would not know' },
      ],
      notes: 'Put dates on the labels; no date is given here because none was looked up.',
      rank: 1,
      withFacts: 1,
    },
    {
      layout: 'columns',
      title: 'Two voices',
      columns: [
        { title: 'Those who gained', points: ['What they wrote down', 'What they built', 'What they left out'] },
        { title: 'Those who lost', points: ['What is known of them', 'Who wrote about them', 'What is missing'] },
      ],
      notes: 'Look for a source of each side.',
      rank: 2,
    },
    {
      layout: 'points',
      title: 'Sources to look for',
      points: [
        'Things: what can be seen in a museum',
        'Texts: letters, laws, bills, newspapers',
        'Places: what is still standing',
        'People: who remembers, or whose family does',
      ],
      notes: 'Bring one of each.',
      rank: 2,
    },
  ],
  person: [
    {
      layout: 'points',
      title: 'Questions to a life',
      points: [
        'Before: where did {s} come from, and what was usual there?',
        'Work: what did {s} do that others did not?',
        'People: who helped, and who stood in the way?',
        'After: what would be missing today?',
      ],
      notes: 'Answer each from a biography that names its sources.',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: 'A life in five scenes',
      steps: [
        { label: '1', title: 'Early years', text: 'The place and the people' },
        { label: '2', title: 'First work', text: 'How it began' },
        { label: '3', title: 'The turn', text: 'The moment that changed the rest' },
        { label: '4', title: 'Dispute', text: 'Who disagreed, and why' },
        { label: '5', title: 'What remains', text: 'Where we meet it today' },
      ],
      notes: 'Put years on the labels.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'In their own words',
      points: ['One sentence by {s}, with where it was written', 'One sentence by a friend', 'One sentence by an opponent'],
      notes: 'Check that each was really said: many famous sentences were not.',
      rank: 2,
    },
  ],
  place: [
    {
      layout: 'points',
      title: 'Questions to a place',
      points: [
        'Where: how do you get to {s}, and what do you see first?',
        'Who: who lives there, and since when?',
        'Why: why is it here and not elsewhere?',
        'What next: what will be different in ten years?',
      ],
      notes: 'Answer each with a map or a photograph.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'One day there',
      columns: [
        { title: 'For a visitor', points: ['What to see first', 'What to eat, and where', 'What to leave alone'] },
        { title: 'For those who live there', points: ['Where work is', 'Where people meet', 'What they worry about'] },
      ],
      notes: 'Ask somebody from there.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'What shaped it',
      points: [
        'Land: water, hills, soil and weather',
        'Roads: who came through, and with what',
        'Power: who ruled, and what they built',
        'Work: what people made, and for whom',
      ],
      notes: 'One example each.',
      rank: 2,
    },
  ],
  living: [
    {
      layout: 'points',
      title: 'How to look closely',
      points: [
        'Home: the places to find {s}, and why there',
        'Food: what feeds them, and whom they feed',
        'Young: how the next generation begins',
        'Year: what changes with the seasons',
      ],
      notes: 'Answer with an observation where you can, else with a source.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'With us',
      columns: [
        { title: 'What people do for it', points: ['Places that are kept', 'Laws and who watches them', 'What one person can do'] },
        { title: 'What people do to it', points: ['Places that are lost', 'What is taken, and for what', 'What comes along by accident'] },
      ],
      notes: 'Look for figures of the last five years, with their source.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'Look for yourself',
      points: [
        'Where to see it without disturbing it',
        'What to write down: place, day, weather, number',
        'Whom to tell: counts by many people are real science',
      ],
      notes: 'Name a place within reach.',
      rank: 2,
    },
  ],
  nature: [
    {
      layout: 'points',
      title: 'What to find out',
      points: [
        'Where: the places for {s}, and what they have in common',
        'When: how often, how long, and what comes first',
        'Why: what sets it going, and what ends it',
        'How we know: who measures it, and with what',
      ],
      notes: 'Answer each with a map, a picture or a figure that names its source.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'Nature and people',
      columns: [
        { title: 'What it does to people', points: ['Who lives close to it, and why', 'What it gives them', 'What it takes from them'] },
        {
          title: 'What people do about it',
          points: ['How they watch and warn', 'How they build and plan', 'What they tell their children'],
        },
      ],
      notes: 'One real place for each line.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'Look for yourself',
      points: [
        'See: a place or a recording where it can be watched',
        'Try: a small model of it, safely, at home or in class',
        'Ask: somebody who measures it for a living',
      ],
      notes: 'Name the place and the person.',
      rank: 2,
    },
  ],
  thing: [
    {
      layout: 'points',
      title: 'Questions worth asking',
      points: [
        'Use: who uses {s}, and for what?',
        'Before: what did people do without?',
        'Inside: what makes it work?',
        'After: what becomes of it in the end?',
      ],
      notes: 'Pick the one that the audience cares about most.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'Two sides',
      columns: [
        { title: 'What it gives', points: ['What gets easier', 'For whom', 'Since when'] },
        { title: 'What it takes', points: ['Money, room, care', 'Who pays that', 'What is given up for it'] },
      ],
      notes: 'One example for each line.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'Where to look further',
      points: [
        'See: a place where it can be touched or watched',
        'Ask: somebody who works with it every day',
        'Read: one source from this year, and one from long ago',
      ],
      notes: 'Name the place, the person and the source.',
      rank: 2,
    },
  ],
  idea: [
    {
      layout: 'points',
      title: 'Getting hold of it',
      points: [
        'Example: one case in which everybody agrees',
        'Border: one case in which nobody is sure',
        'Opposite: what it is not',
        'Measure: how would you tell more of it from less?',
      ],
      notes: 'Begin with the example, not with the definition.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'Two ways to see it',
      columns: [
        { title: 'Those who hold it dear', points: ['What they hope from {s}', 'What they have seen', 'What they overlook'] },
        { title: 'Those who doubt', points: ['What they fear', 'What they have seen', 'What they overlook'] },
      ],
      notes: 'Be fair to the side that is not yours.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'What follows from it',
      points: ['For one person, tomorrow', 'For a group that has to agree', 'For those who write the rules'],
      notes: 'End with something that the room can do.',
      rank: 2,
    },
  ],
}
