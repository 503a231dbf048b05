import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { problemOfDeck } from './check-deck.ts'

const reported: Slide[] = [
  { layout: 'title', title: 'Tides', points: [] },
  {
    layout: 'points',
    title: 'Why the sea moves',
    points: ['The moon pulls the water that faces it', 'The far side bulges because it is pulled less'],
  },
  { layout: 'points', title: 'When it is highest', points: ['Spring tides come at new and full moon', 'Neap tides follow a week later'] },
  {
    layout: 'timeline',
    title: 'One day',
    points: [],
    steps: [
      { label: '0 h', title: 'High water', text: 'Boats leave' },
      { label: '6 h', title: 'Low water', text: 'Mud shows' },
    ],
  },
]
const request = { title: 'Tides and the moon', slides: 6 }

test('a deck with real content is good enough', () => assert.equal(problemOfDeck({ slides: reported }, request), undefined))

test('typical faults of small models are reported', () => {
  const agenda: Slide = { layout: 'agenda', title: 'What are tides', points: ['Tides are tides of the sea'] }
  assert.match(problemOfDeck({ slides: [agenda, agenda, agenda] }, request) ?? '', /^0 of its slides have content, and 2/)
  const again = reported.map(slide =>
    slide.layout === 'points'
      ? { ...slide, points: ['The moon pulls the water of the sea', 'The moon pulls the water of the seas'] }
      : slide,
  )
  assert.match(problemOfDeck({ slides: again }, request) ?? '', /say what another one says/)
  const numbers: Slide = { layout: 'points', title: 'Parts', points: ['1. Introduction', 'Point 2'] }
  assert.match(problemOfDeck({ slides: [...reported, numbers] }, request) ?? '', /left a place open \("Point 2"\)/)
  assert.match(problemOfDeck({ slides: reported }, { title: '潮汐', slides: 6 }) ?? '', /not in the language that was asked for \(zh\)/)
})
