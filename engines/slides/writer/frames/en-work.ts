/** Frames in English of talks of work: how to do, what was done, what will be done, what is made. Sentences fit a subject in the singular and in the plural. */
import type { Frame } from '../frame.ts'
import type { TopicKind } from '../topic.ts'

export const work: Readonly<Pick<Record<TopicKind, readonly Frame[]>, 'process' | 'report' | 'plan' | 'product'>> = {
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
}
