import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { zipOf } from '../../../testing/small-zip.ts'
import type { DemoContext } from '../demo.ts'
import { deck } from './deck.ts'

let context: DemoContext
before(async () => {
  context = { url: '', accessKey: '', output: await mkdtemp(join(tmpdir(), 'judge-deck-')), made: new Map() }
})
after(() => rm(context.output, { recursive: true }))

const whole = {
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': '<Relationships/>',
  'ppt/presentation.xml': '<p:sldIdLst><p:sldId id="1"/><p:sldId id="2"/></p:sldIdLst>',
  'ppt/_rels/presentation.xml.rels': '<Relationships/>',
  'ppt/slides/slide1.xml': '<a:t>How lighthouses work</a:t>',
  'ppt/slides/slide2.xml': '<a:t>The beam</a:t>',
}
const pdf = '%PDF-1.7\n<</Type /Pages /Count 2>><</Type /Page>><</Type /Page>>\n%%EOF\n'
const judge = deck({ title: 'How lighthouses work', leastSlides: 2 })

async function judged(archive: Buffer, document = pdf): Promise<string | undefined> {
  await writeFile(join(context.output, 'deck.pptx'), archive)
  await writeFile(join(context.output, 'deck.pdf'), document)
  return judge({ file: 'deck.pptx', bytes: archive.length, facts: '' }, context)
}

test('a valid deck can be opened and has its parts, text on each slide and a PDF page for each', async () => {
  assert.equal(await judged(zipOf(whole)), undefined)
})

test('a deck that cannot be opened, or lacks a part, text or pages, is bad', async () => {
  assert.match((await judged(Buffer.from('no zip'))) ?? '', /no archive that opens/)
  assert.match((await judged(zipOf(whole).subarray(0, 300))) ?? '', /no archive that opens/)
  const { 'ppt/presentation.xml': _, ...without } = whole
  assert.match((await judged(zipOf(without))) ?? '', /no part ppt\/presentation\.xml/)
  assert.match((await judged(zipOf({ ...whole, 'ppt/slides/slide2.xml': '<p:sld/>' }))) ?? '', /no text on ppt\/slides\/slide2\.xml/)
  assert.match((await judged(zipOf({ ...whole, 'ppt/slides/slide1.xml': '<a:t>Untitled</a:t>' }))) ?? '', /first slide says "Untitled"/)
  assert.match((await judged(zipOf({ ...whole, 'ppt/presentation.xml': '<p:sldId id="1"/>' }))) ?? '', /lists 1 slides and holds 2/)
  assert.match((await judged(zipOf(whole), pdf.replace('<</Type /Page>>', ''))) ?? '', /PDF has 1 pages; the deck has 2/)
  assert.match((await judged(zipOf(whole), '%PDF-1.7')) ?? '', /no whole PDF/)
})
