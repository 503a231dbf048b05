/** The frames of each kind of talk in English. Sentences fit a subject in the singular and in the plural. */
import type { Frame } from './frame.ts'
import type { TopicKind } from './topic.ts'

export const englishFrames: Readonly<Record<TopicKind, readonly Frame[]>> = {
  process: [
    {
      layout: 'points',
      title: 'Before the first step',
      points: [
        'Goal: write down what a good result looks like, so that everybody can tell when it is done',
        'Materials: list what is used up, with amounts for one run',
        'Tools: list what is used again, and who has it',
        'Time: how long it takes, and which part of it is waiting',
      ],
      notes: 'Fill in each card from your own experience.',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: 'The way through, step by step',
      steps: [
        { label: '1', title: 'Prepare', text: 'Everything within reach, measured and clean' },
        { label: '2', title: 'Begin small', text: 'One small run shows what the recipe leaves out' },
        { label: '3', title: 'Do it', text: 'In order, noting every change' },
        { label: '4', title: 'Check', text: 'Against the goal from the start' },
        { label: '5', title: 'Repeat', text: 'Change one thing at a time' },
      ],
      notes: 'Replace each step by the real one; keep the order.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'Where it goes wrong, and what helps',
      columns: [
        {
          title: 'Signs of trouble',
          points: [
            'A step takes much longer than last time',
            'Two people describe the same step differently',
            'The result depends on who does it',
          ],
        },
        {
          title: 'What helps',
          points: [
            'Measure that one step by itself',
            'Write the step down as it is really done',
            'Let the second person do it from the note alone',
          ],
        },
      ],
      notes: 'Tell of one time when it went wrong.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'How to know that it worked',
      points: [
        'Look: what can be seen at the end',
        'Test: what can be measured or tried',
        'Ask: who uses the result and would notice',
        'Keep: what to write down for next time',
      ],
      notes: 'Name one check that takes less than a minute.',
      rank: 2,
    },
    {
      layout: 'points',
      title: 'Try it yourself',
      points: [
        'Pick the smallest version that is still real',
        'Do it within a week, with one other person',
        'Bring back one photograph and one question',
      ],
      notes: 'Agree on a day before people leave.',
      rank: 2,
    },
  ],
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
  report: [
    {
      layout: 'points',
      title: 'What this report answers',
      points: [
        'Plan: what we said we would do',
        'Result: what happened, with the number next to the plan',
        'Reason: why they differ',
        'Decision: what we ask for today',
      ],
      notes: 'One sentence each; the detail follows.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'What went well, and what did not',
      columns: [
        { title: 'Keep', points: ['What worked, and who made it work', 'What surprised us for the better', 'What others could copy'] },
        {
          title: 'Change',
          points: ['What did not work, and the first sign of it', 'What cost more than it gave', 'What we would not start again'],
        },
      ],
      notes: 'Name as many points on the right as on the left.',
      rank: 1,
    },
    {
      layout: 'table',
      title: 'The figures to put here',
      table: {
        head: ['Figure', 'Where it comes from', 'Compare it with'],
        rows: [
          ['What came in', 'the books of the period', 'plan, and the same period before'],
          ['What went out', 'the books of the period', 'plan, and the same period before'],
          ['What was delivered', 'the list of work that is done', 'what was promised'],
          ['How it was received', 'people who used it', 'what they said last time'],
        ],
      },
      notes: 'No figure is invented here: put your own in, or hand in a document with a table.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'Risks that we see',
      points: [
        'Near: what could stop us within a month',
        'Slow: what gets a little worse every week',
        'Outside: what others decide for us',
        'Blind spot: what we do not measure',
      ],
      notes: 'Say for each who watches it.',
      rank: 2,
    },
    {
      layout: 'timeline',
      title: 'The next period',
      steps: [
        { label: 'Now', title: 'Finish', text: 'What is open from this report' },
        { label: 'Next', title: 'Begin', text: 'The one thing that matters most' },
        { label: 'Then', title: 'Check', text: 'Half-way, against the plan' },
        { label: 'End', title: 'Report', text: 'The same figures again' },
      ],
      notes: 'Put dates on the labels.',
      rank: 1,
    },
  ],
  plan: [
    {
      layout: 'points',
      title: 'What we want to reach',
      points: [
        'Goal: what is different when the plan is done',
        'Users: for whom it is different',
        'Measure: the one number that shows it',
        'Limit: what we will not do, so that this gets done',
      ],
      notes: 'If the goal needs two sentences, there are two plans.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'Where we start from',
      columns: [
        {
          title: 'What we have',
          points: ['People who know how, and want to', 'Work that can be used again', 'Partners who have said yes'],
        },
        { title: 'What we lack', points: ['Skills to learn or to hire', 'Money, rooms, tools', 'Permissions and promises'] },
      ],
      notes: 'Be exact on the right: the plan is made of it.',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: 'From here to there',
      steps: [
        { label: 'Phase 1', title: 'Prepare', text: 'Goal, people and first talks' },
        { label: 'Phase 2', title: 'Try', text: 'One small part from end to end' },
        { label: 'Phase 3', title: 'Build', text: 'What the trial has shown to be right' },
        { label: 'Phase 4', title: 'Hand over', text: 'To those who keep it going' },
      ],
      notes: 'Put dates and names on the phases; each ends with something to look at.',
      rank: 1,
    },
    {
      layout: 'table',
      title: 'Who does what',
      table: {
        head: ['Part', 'Answers for', 'Done when'],
        rows: [
          ['Direction', 'the goal and the order of work', 'open questions have an owner'],
          ['Making', 'the result itself', 'users have tried it'],
          ['Money', 'what is spent, and on what', 'the books match the plan'],
          ['Telling', 'who hears what, and when', 'nobody is surprised'],
        ],
      },
      notes: 'One name per row.',
      rank: 2,
    },
    {
      layout: 'points',
      title: 'What can go wrong',
      points: [
        'Too much: we take on more than we can finish',
        'Too late: a step that others wait for slips',
        'Too few: one person leaves and takes the knowledge along',
        'Not wanted: the users would have liked something else',
      ],
      notes: 'For each: the first sign, and who looks for it.',
      rank: 2,
    },
    {
      layout: 'points',
      title: 'What we ask you to decide',
      points: ['Whether we begin', 'What we stop doing in order to begin', 'When we meet again to look at the trial'],
      notes: 'Write the answers down while everybody is in the room.',
      rank: 1,
    },
  ],
  product: [
    {
      layout: 'points',
      title: 'The problem it solves',
      points: [
        'Who: one person, by name if you can',
        'When: the moment in which the problem hurts',
        'Today: what they do about it now',
        'Price: what that costs them',
      ],
      notes: 'Tell it as the story of that one person.',
      rank: 1,
    },
    {
      layout: 'timeline',
      title: 'A day with {s}',
      steps: [
        { label: 'First', title: 'Meet', text: 'How somebody comes to know of it' },
        { label: 'Then', title: 'Begin', text: 'The first minute, without help' },
        { label: 'Later', title: 'Rely', text: 'What they no longer do by hand' },
        { label: 'At last', title: 'Tell', text: 'What they say to a friend' },
      ],
      notes: 'Show it instead of telling it, if you can.',
      rank: 1,
    },
    {
      layout: 'columns',
      title: 'What it does, and what it does not',
      columns: [
        {
          title: 'It does',
          points: ['The one thing that it does best', 'What it does as well as others', 'What it makes easier from the first day'],
        },
        {
          title: 'It does not',
          points: ['What we have left out on purpose', 'What needs something else beside it', 'For whom it is not made'],
        },
      ],
      notes: 'The right column earns the trust for the left one.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'Why believe it',
      points: [
        'Users: what they say, in their own words',
        'Trial: what was measured, and how',
        'Team: why we are the ones to make it',
        'Promise: what happens if it does not work',
      ],
      notes: 'Bring evidence for at least two of the four.',
      rank: 1,
    },
    {
      layout: 'points',
      title: 'What we ask for',
      points: ['What you can do today, in one sentence', 'What you get for it', 'How to reach us'],
      notes: 'One request only.',
      rank: 1,
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

/** For decks that are longer than what their kind fills. */
export const commonEnglish: readonly Frame[] = [
  {
    layout: 'picture',
    title: 'A closer look',
    points: ['What do you see first?', 'What is missing from the picture?', 'What happened just before it was taken?'],
    picture: '{s}',
    notes: 'Put a photograph here, or let the gateway draw one.',
    rank: 2,
  },
  {
    layout: 'points',
    title: 'What to take along',
    points: ['Remember: the one sentence to remember', 'Doubt: the claim to check before passing it on', 'Do: the smallest next step'],
    notes: 'Let the audience name the three.',
    rank: 2,
  },
  {
    layout: 'timeline',
    title: 'Next steps',
    steps: [
      { label: 'Today', title: 'Ask', text: 'The question that was not asked yet' },
      { label: 'This week', title: 'Look up', text: 'One source that an expert would trust' },
      { label: 'This month', title: 'Try', text: 'One small thing, with somebody else' },
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
