import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadImage } from '@napi-rs/canvas'
import { channels } from '../art/paint.ts'
import { paintedGround } from '../deck/grounds.ts'
import { layOutDeck } from '../layouts/lay-out.ts'
import { wordsOf } from '../layouts/words.ts'
import { contrastOf, contrastsOn, neededContrast } from '../testing/contrast.ts'
import { sampleSlides } from '../testing/sample-deck.ts'
import { themes } from './templates.ts'

const clear = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

/** Slides with very long titles, so that text covers the whole frame of a page. */
const fullSlides = [
  ...sampleSlides.filter(({ layout }) => ['points', 'quote', 'figures'].includes(layout)),
  ...(['title', 'section', 'closing'] as const).map(layout => ({
    layout,
    title: 'A title that goes on over several lines so that it fills the whole of the frame it has on its ground',
    subtitle:
      'And a subtitle that does the same with the rest, going on and on until the end of the frame is near, and then some more words',
    points: [],
  })),
]

for (const theme of themes) {
  test(`the contrast of every text of ${theme.name} meets WCAG AA`, async () => {
    const scene = {
      theme,
      deckTitle: 'A deck',
      words: wordsOf('en'),
      picture: (_slide: unknown, box: { x: number; y: number; w: number; h: number }) => ({
        kind: 'picture' as const,
        box,
        bytes: clear,
        mediaType: 'image/png' as const,
        alt: '',
      }),
    }
    const pages = layOutDeck(fullSlides, scene)
    const grounds = new Map(
      await Promise.all(
        (['title', 'section', 'content', 'closing'] as const).map(
          async ground => [ground, await loadImage(paintedGround(theme, ground, 400).toBuffer('image/png'))] as const,
        ),
      ),
    )
    for (const page of pages) {
      const ground = grounds.get(page.ground)
      assert.ok(ground)
      for (const { item, contrast } of await contrastsOn(page, ground)) {
        const says = item.paragraphs[0]?.runs[0]?.text.slice(0, 40)
        assert.ok(
          contrast >= neededContrast(item),
          `${theme.name}, ${page.ground} "${page.title}": "${says}" of ${item.size} points has ${contrast.toFixed(2)}`,
        )
      }
    }
  })
}

test('the colour pairs of every template meet WCAG AA', () => {
  for (const { name, tones, series } of themes) {
    for (const [ground, { paper, ink, muted, accent, accentFill, onAccent, panel }] of Object.entries(tones)) {
      const pairs: [string, string, string, number][] = [
        ['ink on paper', ink, paper, 4.5],
        ['muted on paper', muted, paper, 4.5],
        ['accent on paper', accent, paper, 4.5],
        ['onAccent on accentFill', onAccent, accentFill, 4.5],
        ['ink on panel', ink, panel, 4.5],
        ['accent on panel', accent, panel, 3],
      ]
      for (const [pair, a, b, least] of pairs) {
        const contrast = contrastOf(channels(a), channels(b))
        assert.ok(contrast >= least, `${name}, ${ground}: ${pair} has ${contrast.toFixed(2)}`)
      }
    }
    for (const colour of series) {
      const contrast = contrastOf(channels(colour), channels(tones.content.paper))
      assert.ok(contrast >= 3, `${name}: the series ${colour} has ${contrast.toFixed(2)}`)
    }
  }
})

test('templates have unique numbers, names and covers', () => {
  assert.ok(themes.length >= 12)
  for (const key of ['id', 'name', 'title'] as const) assert.equal(new Set(themes.map(theme => theme[key])).size, themes.length)
})
