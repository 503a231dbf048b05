import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { layOutDeck } from '../layouts/lay-out.ts'
import { wordsOf } from '../layouts/words.ts'
import { problemOf } from '../limits.ts'
import { type Item, type Page, pageHeight, pageWidth, pointsPerInch, type TextItem } from '../model/page.ts'
import { themes } from '../templates/templates.ts'
import { sampleSlides } from '../testing/sample-deck.ts'
import { widthOf } from '../type/measure.ts'

const sentence = 'The gatekeeper of the lower basin writes down the level of the water every quarter of an hour'
const sixtyWords = Array.from(
  { length: 60 },
  (_word, k) => ['measured', 'carefully', 'every', 'tide', 'beyond', 'responsibility'][k % 6],
).join(' ')
const chinese = '潮汐每天两次进出港口，工人们根据水位打开或关闭闸门，把海水的力量变成电，送到鱼市和学校。'
const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const address = 'https://example.org/a/very/long/path/without/any/place/to/break/it/in/two/and/still/going/on/and/on/index.html'

/** Returns slides of every layout, with texts that repeat `text` up to the length that a request
 *  may have. */
function slidesOf(text: string): Slide[] {
  const cut = (most: number) => [...text.repeat(Math.ceil(most / text.length))].slice(0, most).join('')
  const title = cut(Math.min(300, [...text].length * 2))
  const points = Array.from({ length: 9 }, () => text)
  return [
    ...(['title', 'section', 'closing'] as const).map(layout => ({ layout, title: cut(300), subtitle: cut(300), points: [] })),
    { layout: 'agenda', title, points: [...points, text].map(each => each.slice(0, 120)) },
    { layout: 'points', title, points, source: cut(120) },
    { layout: 'points', title, points: [`${cut(40)}: ${text}`, `${cut(40)}: ${text}`, `Lead: ${text}`] },
    {
      layout: 'columns',
      title,
      points: [],
      columns: [
        { title: cut(80), points },
        { title: cut(80), points: [text] },
        { title: text.slice(0, 80), points },
      ],
    },
    { layout: 'quote', title, points: [], quote: { text: cut(600), by: cut(100) } },
    { layout: 'figures', title, points: [], figures: Array.from({ length: 5 }, () => ({ value: cut(24), label: cut(100) })) },
    { layout: 'picture', title, points, picture: cut(300) },
    { layout: 'chart', title, points, chart: { kind: 'bar', labels: ['a', 'b'], series: [{ name: 'n', values: [1, 2] }] } },
    {
      layout: 'table',
      title,
      points: [],
      table: {
        head: Array.from({ length: 8 }, () => cut(60)),
        rows: Array.from({ length: 9 }, () => Array.from({ length: 8 }, () => cut(120))),
      },
    },
    {
      layout: 'timeline',
      title,
      points: [],
      steps: Array.from({ length: 7 }, () => ({ label: cut(24), title: cut(100), text: cut(200) })),
    },
  ]
}

function pagesOf(slides: readonly Slide[], theme = themes[0]): Page[] {
  assert.ok(theme)
  assert.equal(problemOf({ title: 'A deck', slides: [...slides] }, 0), undefined)
  return layOutDeck(slides, {
    theme,
    deckTitle: 'A deck',
    words: wordsOf('en'),
    picture: (_slide, box) => ({ kind: 'picture', box, bytes: Buffer.alloc(0), mediaType: 'image/jpeg', alt: '' }),
  })
}

const known = new Map<string, Page[]>()

/** Returns the pages of all layouts with this text; each text is laid out only once. */
function pagesFor(text: string): Page[] {
  const pages = known.get(text) ?? pagesOf(slidesOf(text))
  known.set(text, pages)
  return pages
}

function assertInside(page: Page): void {
  for (const item of page.items) {
    const { x, y, w, h } = item.box
    assert.ok(
      x >= -0.001 && y >= -0.001 && x + w <= pageWidth + 0.001 && y + h <= pageHeight + 0.001,
      `${page.title}: a ${item.kind} leaves the page`,
    )
    for (const text of textsOf(item)) assertHeld(text, page)
  }
}

function textsOf(item: Item): TextItem[] {
  if (item.kind === 'text') return [item]
  if (item.kind !== 'table') return []
  const heights = item.rowHeights
  return item.rows.flatMap((row, r) => row.map(({ text }) => ({ ...text, box: { ...text.box, h: heights[r] ?? 0 } })))
}

/** Checks that a text fits its box, by measuring every line again. */
function assertHeld({ box, size, leading, gap, paragraphs, height }: TextItem, page: Page): void {
  let lines = 0
  for (const { lines: own, bullet } of paragraphs)
    for (const line of own) {
      lines += 1
      const width = line.pieces.reduce((sum, piece) => sum + widthOf(piece.text, piece, size), 0)
      assert.ok(
        width <= (box.w - (bullet?.indent ?? 0)) * pointsPerInch + 0.5,
        `${page.title}: a line is ${width} points wide, its box ${box.w * pointsPerInch}`,
      )
    }
  const needed = lines * size * leading + Math.max(0, paragraphs.length - 1) * gap
  assert.ok(
    Math.abs(needed - height) < 0.01 && height <= box.h * pointsPerInch + 0.01,
    `${page.title}: ${height} points of text in ${box.h * pointsPerInch}`,
  )
}

for (const [name, text] of Object.entries({
  'one word': 'Gate',
  'a sentence': sentence,
  'sixty words': sixtyWords,
  Chinese: chinese,
  'one long word': word,
  'an address': address,
}))
  test(`no text leaves its box or its page: ${name}`, () => {
    for (const page of pagesFor(text)) assertInside(page)
  })

test('no allowed request text is cut off, and most of it has 10 points or more', () => {
  for (const text of [sentence, sixtyWords, chinese, word]) {
    const texts = pagesFor(text).flatMap(({ items }) => items.flatMap(textsOf))
    for (const { paragraphs } of texts)
      for (const { runs } of paragraphs) assert.ok(!runs.some(run => run.text.includes('…')), runs[0]?.text ?? '')
    const small = texts.filter(({ size }) => size < 10).length
    assert.ok(small < texts.length * 0.05, `${small} of ${texts.length} are smaller`)
  }
})

test('with the fonts of every template text stays inside its box', () => {
  for (const theme of themes.filter(({ name }) => ['broadsheet', 'blueprint', 'meadow'].includes(name)))
    for (const page of pagesOf(slidesOf(sentence), theme)) assertInside(page)
})

test('a long list continues on as many pages as it needs, at 14 points or more', () => {
  const points = Array.from({ length: 20 }, (_point, k) => `Point ${k + 1} says that ${sixtyWords}`)
  const pages = pagesOf([{ layout: 'points', title: 'A long list', points }])
  assert.ok(pages.length >= 4)
  assert.equal(pages[0]?.title, `A long list (1/${pages.length})`)
  const bodies = pages.flatMap(({ items }) => items.filter(item => item.kind === 'text' && item.paragraphs.some(({ bullet }) => bullet)))
  const said = bodies.flatMap(item => (item.kind === 'text' ? item.paragraphs.map(({ runs }) => runs.map(run => run.text).join('')) : []))
  assert.deepEqual(said, points)
  for (const item of bodies) assert.ok(item.kind === 'text' && item.size >= 14)
})

test('a paragraph longer than a page is split between sentences, and nothing is lost', () => {
  const long = Array.from({ length: 22 }, (_part, k) => `${k}. ${sentence.slice(0, 80)}.`)
    .join(' ')
    .slice(0, 1990)
  const pages = pagesOf([{ layout: 'points', title: 'One point', points: [long, long] }])
  const said = pages
    .flatMap(({ items }) =>
      items.flatMap(item =>
        item.kind === 'text' && item.paragraphs.some(({ bullet }) => bullet)
          ? item.paragraphs.flatMap(({ runs }) => runs.map(run => run.text))
          : [],
      ),
    )
    .join('')
  assert.equal(said.replace(/\s+/g, ''), (long + long).replace(/\s+/g, ''))
})

test('a long table continues on more pages, each with the header row', () => {
  const rows = Array.from({ length: 40 }, (_row, k) => [`Row ${k}`, sentence])
  const tables = pagesOf([{ layout: 'table', title: 'A table', points: [], table: { head: ['Name', 'Text'], rows } }]).flatMap(
    ({ items }) => items.filter(item => item.kind === 'table'),
  )
  assert.ok(tables.length >= 3)
  assert.equal(
    tables.reduce((sum, table) => sum + table.rows.length - 1, 0),
    40,
  )
})

test('a deck with one slide of each layout has one page for each', () => {
  assert.equal(pagesOf(sampleSlides).length, sampleSlides.length)
})
