import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { before, test } from 'node:test'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { themes } from '../templates/templates.ts'
import { sampleSlides } from '../testing/sample-deck.ts'
import { type DeckLayout, layOutWritten } from './make-deck.ts'
import { pagePngs, writePdf } from './write-pdf.ts'
import { writePptx } from './write-pptx.ts'
import { unzip } from './zip.ts'

const [theme] = themes
let laid: DeckLayout
let parts: Map<string, string>
let pptx: Buffer

before(async () => {
  assert.ok(theme)
  const slides = [
    ...sampleSlides,
    {
      layout: 'points' as const,
      title: '港口 & <Tor> “Rhine”',
      points: ['水：潮汐每天两次 twice a day', 'Bell \u0007 and \ud83d are left out'],
      notes: 'Say: 5 < 6 & 7',
    },
  ]
  laid = await layOutWritten({ title: 'A harbour that runs on the tide', language: 'en-GB', slides }, theme)
  pptx = await writePptx(laid.pages, laid)
  parts = new Map([...unzip(pptx)].map(([name, bytes]) => [name, bytes.toString('utf8')]))
})

const slideOf = (number: number) => parts.get(`ppt/slides/slide${number}.xml`) ?? ''
const said = (xml: string) => [...xml.matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, text]) => text).join('')

test('the deck has a slide for every page, with the text of the page', () => {
  assert.equal([...parts.keys()].filter(name => /^ppt\/slides\/slide\d+\.xml$/.test(name)).length, laid.pages.length)
  assert.match(said(slideOf(1)), /A harbour that runs on the tide.*without diesel/)
  assert.match(said(slideOf(4)), /Steady.*The tide comes twice a day, whatever the weather does/)
})

test('every part of the deck is well-formed, with properties before the runs of each paragraph', () => {
  for (const [name, xml] of parts) {
    if (!/\.(xml|rels)$/.test(name)) continue
    assert.ok(isBalanced(xml), name)
    for (const [paragraph] of xml.matchAll(/<a:p>.*?<\/a:p>/gs)) {
      assert.ok((paragraph.match(/<a:pPr/g) ?? []).length <= 1, `${name}: ${paragraph.slice(0, 300)}`)
      assert.ok(
        paragraph.indexOf('<a:pPr') <= Math.max(paragraph.indexOf('<a:r>'), 0) ||
          !paragraph.includes('<a:pPr') ||
          !paragraph.includes('<a:r>'),
        name,
      )
    }
  }
})

test('each part has the right type, links refer to parts, and shape ids are unique on each slide', () => {
  const types = parts.get('[Content_Types].xml') ?? ''
  const typed = [...types.matchAll(/PartName="\/([^"]+)"/g)].map(([, name = '']) => name)
  const usual = new Set([...types.matchAll(/Extension="([^"]+)"/g)].map(([, extension]) => extension))
  assert.deepEqual(
    typed.filter(name => !parts.has(name)),
    [],
  )
  for (const [name, xml] of parts) {
    assert.ok(name.endsWith('/') || name === '[Content_Types].xml' || typed.includes(name) || usual.has(name.split('.').at(-1)), name)
    if (name.endsWith('.rels')) for (const target of targetsIn(name, xml)) assert.ok(parts.has(target), `${name}: ${target}`)
    const numbers = /slides\/slide\d+\.xml$/.test(name) ? [...xml.matchAll(/<p:cNvPr id="(\d+)"/g)].map(([, id]) => id) : []
    assert.equal(new Set(numbers).size, numbers.length, name)
  }
})

test('titles are title placeholders, and bullets have the accent colour', () => {
  for (let k = 1; k <= laid.pages.length; k++) assert.equal((slideOf(k).match(/<p:ph type="title"\/>/g) ?? []).length, 1, `slide ${k}`)
  assert.match(slideOf(5), /<a:buClr><a:srgbClr val="0A7A73"\/><\/a:buClr><a:buSzPct/)
})

test('notes are speaker notes', () => {
  assert.match(said(parts.get('ppt/notesSlides/notesSlide4.xml') ?? ''), /the gates are from the old shipyard/)
  assert.match(said(parts.get(`ppt/notesSlides/notesSlide${laid.pages.length}.xml`) ?? ''), /Say: 5 &lt; 6 &amp; 7/)
})

test('charts and tables are native objects of PowerPoint, with their numbers', () => {
  const charts = [...parts].filter(([name]) => /^ppt\/charts\/chart\d+\.xml$/.test(name)).map(([, xml]) => xml)
  assert.equal(charts.length, 3)
  assert.ok(charts.some(xml => xml.includes('<c:barChart>') && /<c:v>118<\/c:v>/.test(xml)))
  assert.ok(charts.some(xml => xml.includes('<c:pieChart>')) && charts.some(xml => xml.includes('<c:lineChart>')))
  assert.match(slideOf(13), /<a:tbl>/)
  assert.match(said(slideOf(13)), /Wheel in the gate/)
})

test('Chinese text has a Chinese font, and characters that XML forbids are left out', () => {
  const xml = slideOf(laid.pages.length)
  assert.match(xml, /<a:latin typeface="Microsoft YaHei"/)
  assert.match(xml, /<a:latin typeface="Arial"/)
  assert.match(said(xml), /港口 &amp; &lt;Tor&gt; “Rhine”/)
  assert.ok(!xml.includes('\u0007') && xml.isWellFormed())
})

test('a given picture is shown, cropped to its box', async () => {
  assert.ok(theme)
  const red = createCanvas(40, 900)
  const context = red.getContext('2d')
  context.fillStyle = '#e01010'
  context.fillRect(0, 0, 40, 900)
  const shown = await layOutWritten(
    { title: 'T', language: 'en', slides: [{ layout: 'picture', title: 'Red', points: ['one'], picture: 'red', pictureInput: 0 }] },
    theme,
    { pictures: [red.toBuffer('image/png')] },
  )
  const png = await loadImage((await pagePngs(shown.pages, shown, 640))[0] ?? Buffer.alloc(0))
  const canvas = createCanvas(640, 360)
  canvas.getContext('2d').drawImage(png, 0, 0)
  const [r = 0, g = 255, b = 255] = canvas.getContext('2d').getImageData(120, 180, 1, 1).data
  assert.ok(r > 200 && g < 60 && b < 60, `${r} ${g} ${b}`)
})

test('the PDF has a page for every slide, and a second PPTX of the same pages is equal', async () => {
  const pdf = await writePdf(laid.pages, laid)
  assert.equal((pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g) ?? []).length, laid.pages.length)
  const again = unzip(await writePptx(laid.pages, laid))
  assert.equal(again.get('ppt/slides/slide4.xml')?.toString('utf8'), slideOf(4))
})

test('the text of the PDF can be searched, ligatures and Chinese too', { skip: has('pdftotext') ? false : 'needs pdftotext' }, async t => {
  const meadow = themes.find(({ name }) => name === 'meadow')
  assert.ok(meadow)
  const folder = await mkdtemp(join(tmpdir(), 'slides-pdf-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const shown = await layOutWritten(
    {
      title: 'T',
      language: 'en',
      slides: [{ layout: 'points', title: 'First questions', points: ['officially afflicted', '潮汐每天两次'] }],
    },
    meadow,
  )
  await writeFile(join(folder, 'deck.pdf'), await writePdf(shown.pages, shown))
  const text = execFileSync('pdftotext', [join(folder, 'deck.pdf'), '-'], { encoding: 'utf8' })
  for (const words of ['First questions', 'officially afflicted', '潮汐每天两次']) assert.ok(text.includes(words), text)
})

test('LibreOffice opens the deck and shows all its pages', {
  skip: has('soffice') && has('pdfinfo') ? false : 'needs soffice and pdfinfo',
}, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'slides-office-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'deck.pptx'), pptx)
  execFileSync(
    'soffice',
    ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', 'pdf', '--outdir', folder, join(folder, 'deck.pptx')],
    { stdio: 'ignore', timeout: 60_000 },
  )
  assert.equal((await readFile(join(folder, 'deck.pdf'))).subarray(0, 5).toString(), '%PDF-')
  const info = execFileSync('pdfinfo', [join(folder, 'deck.pdf')], { encoding: 'utf8' })
  assert.match(info, new RegExp(`Pages:\\s+${laid.pages.length}\\b`))
})

function has(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Returns the names of the parts to which a relationship part (`name`, ending in `.rels`) links.
 *  Links to places outside of the PPTX are left out. */
function targetsIn(name: string, xml: string): string[] {
  const folder = posix.dirname(posix.dirname(name))
  return [...xml.matchAll(/<Relationship\s([^>]+)>/g)]
    .filter(([, link = '']) => !link.includes('TargetMode="External"'))
    .map(([, link = '']) => /Target="([^"]+)"/.exec(link)?.[1] ?? '')
    .map(target => (target.startsWith('/') ? target.slice(1) : posix.normalize(posix.join(folder, target))))
}

/** True when every opening tag has its closing tag and no `&` is unescaped. */
function isBalanced(xml: string): boolean {
  const open: string[] = []
  for (const [, close, name, , self] of xml.matchAll(/<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/g)) {
    if (close) {
      if (open.pop() !== name) return false
    } else if (!self && name !== undefined) open.push(name)
  }
  return open.length === 0 && !/&(?!amp;|lt;|gt;|quot;|apos;|#\d+;|#x[0-9a-f]+;)/i.test(xml)
}
