import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { problemOf } from '../limits.ts'
import { slidesPacks, wordNetPack } from '../packs.ts'
import { composeDeck } from './compose.ts'
import { slidesOfDocument } from './document-slides.ts'
import { languageOfText } from './language-of.ts'
import { topicOf } from './topic.ts'
import { WordNet } from './wordnet.ts'

const [pack] = slidesPacks
const needed = pack ? needPack(pack) : {}
const folder = join(packsDirectory(process.env), wordNetPack)
const paths = { index: join(folder, 'index.noun'), data: join(folder, 'data.noun') }
const nouns = existsSync(paths.data) ? new WordNet(paths) : undefined

function write(title: string, slides = 12): ReturnType<typeof composeDeck> {
  const language = languageOfText(title) === 'zh' ? 'zh' : 'en'
  const deck = composeDeck({ title, language, slides, ...(nouns ? { nouns } : {}) })
  assert.equal(problemOf(deck, 0), undefined, title)
  return deck
}

const textOf = (slides: readonly Slide[]) => JSON.stringify(slides.map(({ notes: _notes, ...slide }) => slide))

test('the kind of talk and its subject are read from the title', () => {
  const kinds = {
    'How to bake bread': 'process bake bread',
    'Coffee vs. tea': 'comparison coffee / tea',
    'The difference between lakes and ponds': 'comparison lakes / ponds',
    'Why do we sleep?': 'question we sleep',
    'Annual report 2025': 'report Annual report 2025',
    'Marketing plan for a bakery': 'plan marketing',
    'Introducing Orbit': 'product Orbit',
    'Introduction to physics': 'lesson physics',
    'The impact of social media on teenagers': 'effect social media / teenagers',
    'The history of the bicycle': 'history bicycle',
  }
  for (const [title, expected] of Object.entries(kinds)) {
    const { kind, subject, other } = topicOf(title, 'en')
    assert.equal(`${kind} ${subject}${other === undefined ? '' : ` / ${other}`}`.toLowerCase(), expected.toLowerCase())
  }
  const chinese = {
    如何种番茄: 'process 种番茄',
    咖啡与茶的区别: 'comparison 咖啡',
    人工智能对教育的影响: 'effect 人工智能',
    中国茶的历史: 'history 中国茶',
    '2025年度工作总结': 'report',
    市场推广计划: 'plan 市场推广',
  }
  for (const [title, expected] of Object.entries(chinese)) {
    const { kind, subject } = topicOf(title, 'zh')
    assert.ok(`${kind} ${subject}`.startsWith(expected), `${title}: ${kind} ${subject}`)
  }
})

test('facts are from the dictionary, with the source', needed, () => {
  const { slides, comment } = write('Bicycles')
  assert.match(comment ?? '', /"bicycle" from WordNet 3\.1/)
  assert.match(textOf(slides), /A wheeled vehicle that has two wheels and is moved by foot pedals/)
  assert.match(textOf(slides), /Handlebar/)
  for (const { layout, notes = '' } of slides.filter(({ layout }) => !['title', 'agenda', 'section', 'closing'].includes(layout)))
    assert.match(notes, /WordNet 3\.1|it claims no facts on the subject/, layout)
})

test('kinds of a thing are counted, and all other numbers are marked as examples', needed, () => {
  const chart = write('Dogs').slides.find(({ layout }) => layout === 'chart')
  assert.deepEqual(chart?.chart?.labels.slice(0, 2), ['Hunting dog', 'Working dog'])
  assert.equal(chart?.chart?.series[0]?.values[0], 101)
  assert.equal(chart?.source, 'counted in WordNet 3.1')
  for (const title of ['Annual report 2025', 'Marketing plan for a bakery', 'Introducing Orbit', 'The history of the bicycle'])
    for (const slide of write(title, 20).slides)
      assert.ok(slide.figures === undefined && (slide.chart === undefined || /^example numbers/.test(slide.source ?? '')), title)
  assert.equal(write('咖啡店商业计划书').slides.find(({ layout }) => layout === 'chart')?.source, '示例数字，请换成自己的数据')
})

test('a deck uses the dictionary entries around its subject, with years and without insults', needed, () => {
  const revolution = textOf(write('The French Revolution', 14).slides)
  assert.match(revolution, /People around the French Revolution.*guillotined during the French Revolution/)
  const years = write('World War II', 14).slides.find(({ title, layout }) => layout === 'timeline' && title === 'World War II in years')
  const labels = (years?.steps ?? []).map(({ label }) => Number(label))
  assert.ok(labels.length >= 3 && labels.every((year, k) => year >= 1936 && year >= (labels[k - 1] ?? 0)), String(labels))
  for (const title of ['Women', 'Teenagers', 'World War II', 'The solar system'])
    assert.doesNotMatch(textOf(write(title, 20).slides), /\b(?:slur|offensive|derogatory|fuck)/i, title)
  const quiz = write('Introduction to photosynthesis', 14).slides.find(({ title }) => title === 'Which word is meant?')
  assert.match(quiz?.notes ?? '', /^Answers: A /)
})

test('a comparison shows both side by side', needed, () => {
  const table = write('Coffee vs tea').slides.find(({ layout }) => layout === 'table')
  assert.deepEqual(table?.table?.head, ['', 'Coffee', 'Tea'])
  assert.match(table?.table?.rows[0]?.join() ?? '', /ground coffee beans.*steeping tea leaves/)
})

test('the word sense that fits the title is used', needed, () => {
  assert.match(textOf(write('Volcanoes').slides), /Pinatubo|Cotopaxi/)
  assert.match(textOf(write('Albert Einstein').slides), /[Pp]hysicist born in Germany/)
  assert.match(textOf(write('Electric cars in Norway').slides), /A car that is powered by electricity/)
})

test('decks have about as many slides as requested', () => {
  for (const count of [3, 6, 9, 12])
    for (const title of ['Bicycles', '如何种番茄'])
      assert.ok(Math.abs(write(title, count).slides.length - count) <= 2, `${title} ${count}: ${write(title, count).slides.length}`)
})

test('a Chinese deck is Chinese in all parts', () => {
  for (const title of ['人工智能对教育的影响', '咖啡与茶的区别', '市场推广计划', '长城']) {
    const { slides } = write(title, 10)
    const shown = slides.flatMap(slide => [
      slide.title,
      ...slide.points,
      ...(slide.steps ?? []).map(step => step.title),
      ...(slide.columns ?? []).flatMap(({ title: head, points }) => [head, ...points]),
    ])
    for (const text of shown) assert.match(text, /\p{sc=Han}/u)
  }
})

test('titles of any kind make decks that can be laid out', () => {
  for (const title of [
    '?',
    'a',
    '12',
    'The of and',
    'vs',
    'How to',
    'X'.repeat(300),
    '为什么',
    'Coffee vs',
    'é',
    '“Quoted”',
    'C++ & <b>HTML</b>',
  ])
    write(title)
})

test('special characters in a title are plain text: none breaks a deck or has a meaning', () => {
  for (const title of [
    '-',
    "Robert'); DROP TABLE x;--",
    'Cost of $& and {o} in [a-z](?: tea',
    'a\u0000b \ud83d',
    'A vs B vs C',
    'vs',
    '__proto__',
  ]) {
    const text = textOf(write(title, 8).slides)
    assert.doesNotMatch(text, /the word “.?”|\{s\}/, title)
    assert.ok(text.isWellFormed() && !text.includes('\\u0000'), title)
  }
  assert.match(textOf(write('Cost of $& tea').slides), /\$& tea/)
})

test('unique things have their article, things in the sky are not on a map, and short names have their own meaning', needed, () => {
  const system = textOf(write('Exploring the solar system').slides)
  assert.match(system, /What belongs to the solar system/)
  assert.doesNotMatch(system, /on the map|to solar system|uses exploring/)
  assert.match(textOf(write('A tour of Paris', 16).slides), /Paris on the map/)
  assert.match(textOf(write('AI in education').slides), /branch of computer science/)
})

test('a document is cut into slides by its own headings, lists, steps, tables and quotations', () => {
  const { title, slides } = slidesOfDocument(
    '# Tide\n\n## Why\n\nThe gates close. The wheel turns. Version 2.5 is out.\n\n> Open the gate — A miller\n\n## How\n\n1. Prepare: all tools\n2. Build: the frame\n3. Open: the gate\n\n## Boats\n\n| Season | Boats | Share |\n|:--|--:|--:|\n| Spring | 64 | 20% |\n| Summer | 1,118 | 80% |\n\n![A lock gate](gate.jpg)\n',
    'From it.',
  )
  assert.equal(title, 'Tide')
  assert.deepEqual(
    slides.map(({ layout, title: head }) => `${layout} ${head}`),
    ['points Why', 'quote Why', 'timeline How', 'table Boats', 'chart Boats: Boats', 'chart Boats: Share', 'picture Boats'],
  )
  assert.deepEqual(slides[0]?.points, ['The gates close.', 'The wheel turns.', 'Version 2.5 is out.'])
  assert.deepEqual(slides[1]?.quote, { text: 'Open the gate', by: 'A miller' })
  assert.deepEqual(slides[2]?.steps?.[0], { label: '1', title: 'Prepare', text: 'all tools' })
  assert.deepEqual(slides[4]?.chart, { kind: 'bar', labels: ['Spring', 'Summer'], series: [{ name: 'Boats', values: [64, 1118] }] })
  assert.deepEqual(slides[5]?.chart, {
    ...{ kind: 'pie', labels: ['Spring', 'Summer'], unit: '%' },
    series: [{ name: 'Share', values: [20, 80] }],
  })
})

test('columns with the same unit and size share a chart; a small column beside a large one has its own', () => {
  const charts = (table: string) =>
    slidesOfDocument(`# T\n\n## A\n\n${table}`, 'From it.').slides.filter(({ layout }) => layout === 'chart')
  const rows = (cells: string[]) => cells.map(row => `| ${row} |`).join('\n')
  const split = charts(rows(['Year | Rides | Cars | Wet days', '--|--|--|--', '2014 | 8200 | 9100 | 121', '2015 | 8900 | 9000 | 117']))
  assert.deepEqual(
    split.map(({ title, chart }) => [title, chart?.series.map(({ name }) => name)]),
    [
      ['A: Rides, Cars', ['Rides', 'Cars']],
      ['A: Wet days', ['Wet days']],
    ],
  )
  assert.deepEqual(
    charts(rows(['Year | Up | Down', '--|--|--', '2014 | 30% | 70%', '2015 | 40% | 60%'])).map(({ chart }) => chart?.kind),
    ['bar'],
  )
})

test('a deck of a known field has its typical content, and one without a requested length ends when there is no more', () => {
  assert.match(textOf(write('Business plan for a coffee shop').slides), /Count passers-by/)
  assert.match(textOf(write('How to bake sourdough bread').slides), /Preheat/)
  assert.match(textOf(write('如何种番茄').slides), /直射/)
  const open = composeDeck({ title: 'Introducing Orbit', language: 'en', ...(nouns ? { nouns } : {}) })
  assert.ok(open.slides.length >= 8 && open.slides.length <= 14, String(open.slides.length))
  assert.match(textOf(open.slides), /Today, and with Orbit/)
})

test('a Chinese dish becomes a recipe, and the subject of an exploration is the thing that is explored', () => {
  for (const title of ['如何做红烧肉', '怎样包饺子', '教你炖鸡汤']) assert.match(textOf(write(title).slides), /从食材到上桌/, title)
  assert.equal(topicOf('太阳系的探索', 'zh').subject, '太阳系')
})

test('records of the search index become slides with their sources, but sample records do not', () => {
  const record = (k: number): SearchRecord => ({
    ...{ id: `${k}`, platform: 'plat_c', title: `Lighthouse keepers ${k}`, url: `https://coast.example/${k}`, counts: {} },
    text: `Keeper ${k} lit the lamp at dusk and wound the clockwork every four hours. He slept by day.`,
    publishedAt: Date.UTC(2025, 2, k),
  })
  const found = [1, 2, 3].map(record)
  const { slides, comment } = composeDeck({ title: 'Lighthouse keepers', language: 'en', slides: 12, found })
  assert.match(comment ?? '', /3 records of the search index/)
  const points = slides.find(
    ({ title }) => title === 'What is written about lighthouse keepers' || title === 'What is written about Lighthouse keepers',
  )
  assert.match(points?.points[0] ?? '', /^Lighthouse keepers 1: Keeper 1 lit the lamp/)
  assert.equal(points?.source, 'coast.example')
  assert.deepEqual(slides.find(({ layout, table }) => layout === 'table' && table?.head[0] === 'Title')?.table?.rows[1]?.slice(1), [
    'coast.example',
    '2025-03-02',
  ])
  assert.equal(problemOf({ title: 'T', slides }, 0), undefined)
})

test('a factual question is about its subject; a question for an opinion stays a question', () => {
  const requested = (title: string) => {
    const { kind, subject, other } = topicOf(title, 'en')
    return [kind, subject, ...(other === undefined ? [] : [other])]
  }
  assert.deepEqual(requested('How lighthouses work'), ['working', 'lighthouses'])
  assert.deepEqual(requested('How do vaccines work?'), ['working', 'vaccines'])
  assert.deepEqual(requested('How coffee is made'), ['thing', 'coffee'])
  assert.deepEqual(requested('What is photosynthesis?'), ['thing', 'photosynthesis'])
  assert.deepEqual(requested('Who was Marie Curie?'), ['thing', 'Marie Curie'])
  assert.deepEqual(requested('How climate change affects farming'), ['effect', 'climate change', 'farming'])
  for (const title of ['Should we work from home?', 'What is the best way to learn?', 'What is wrong with our process?'])
    assert.equal(requested(title)[0], 'question', title)
})
