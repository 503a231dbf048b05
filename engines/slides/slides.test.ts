import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type OpenEngine, openEngine } from '@generation-gateway/kit/open-engine.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { InputFile, RunSubRequest } from '@generation-gateway/kit/requests/job.ts'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { unzip } from './deck/zip.ts'
import slides from './driver.ts'
import { slidesPacks } from './packs.ts'
import { templates } from './templates/templates.ts'

let folder: string
let engine: OpenEngine
const [pack] = slidesPacks
const needed = pack ? needPack(pack) : {}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slides-engine-'))
  engine = openEngine(slides, { folder, cores: 1 })
})
after(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const bare: Slide[] = [{ layout: 'title', title: 'A title', points: [] }]

test('from a title a deck is written, and from the deck three kinds of files', needed, async () => {
  const { report } = await engine.run('slides.write', { title: 'Coffee vs tea', slides: 6 })
  assert.equal(report.language, 'en')
  assert.match(String(report.comment), /"coffee" and "tea" from WordNet/)
  // The report of `slides.write` always has slides of this type.
  const written = report.slides as unknown as Slide[]
  assert.equal(written.length, 6)
  const made = await engine.run('slides.render', {
    title: 'Coffee vs tea',
    language: 'en',
    slides: written,
    template: 'ledger',
    outputs: ['deck', 'document', 'page'],
  })
  assert.equal(made.report.slides, made.files.filter(({ role }) => role === 'page').length)
  assert.deepEqual(made.usage, [{ unit: 'slides', units: 6 }])
  const deck = made.files.find(({ role }) => role === 'deck')
  assert.ok(deck && unzip(await readFile(deck.path)).has('ppt/presentation.xml'))
  for (const { path, width } of made.files.filter(({ role }) => role === 'page'))
    assert.ok(width === 1280 && (await stat(path)).size > 5000)
})

test('a Chinese title becomes a Chinese deck, in PDF too', async () => {
  const { report } = await engine.run('slides.write', { title: '如何种番茄', slides: 4 })
  assert.equal(report.language, 'zh')
  const made = await engine.run('slides.render', {
    title: '如何种番茄',
    language: 'zh',
    slides: report.slides as unknown as Slide[],
    template: 'inkwash',
  })
  assert.deepEqual(
    made.files.map(({ role }) => role),
    ['deck', 'document'],
  )
  assert.equal(made.report.comment, undefined)
})

test('a document becomes a deck of its own text, also in a language without a built-in writer', async () => {
  const path = join(folder, 'note.md')
  await writeFile(
    path,
    '# Der Hafen\n\n## Zahlen\n\n| Jahr | Boote |\n|---|---|\n| 2023 | 80 |\n| 2024 | 118 |\n\n## Ziele\n\n- Strom aus der Flut\n- Ein Fest am Tor\n',
  )
  const { report } = await engine.run(
    'slides.write',
    { title: 'Der Hafen' },
    { inputs: [{ role: 'source', path, mediaType: 'text/markdown', bytes: 140 }] },
  )
  assert.equal(report.language, 'de')
  const written = report.slides as unknown as Slide[]
  assert.deepEqual(
    written.map(({ layout, title }) => `${layout} ${title}`),
    ['title Der Hafen', 'table Zahlen', 'chart Zahlen', 'points Ziele'],
  )
  assert.deepEqual(written[2]?.chart?.series, [{ name: 'Boote', values: [80, 118] }])
})

test('a longer document gets an agenda of its own headings, in its language', async () => {
  const path = join(folder, 'long.md')
  const heads = ['Lage', 'Zahlen', 'Ziele', 'Schritte', 'Kosten', 'Termine']
  await writeFile(path, `# Der Hafen\n\n${heads.map(head => `## ${head}\n\n- Strom aus der Flut\n- Ein Fest am Tor\n`).join('\n')}`)
  const { report } = await engine.run(
    'slides.write',
    { title: 'Der Hafen' },
    { inputs: [{ role: 'source', path, mediaType: 'text/markdown', bytes: 300 }] },
  )
  const [, agenda, first] = report.slides as unknown as Slide[]
  assert.deepEqual([agenda?.layout, agenda?.title, agenda?.points], ['agenda', 'Inhalt', heads])
  assert.equal(first?.title, 'Lage')
})

test('the agenda of a shorter deck lists only parts that the deck has', async () => {
  const path = join(folder, 'cut.md')
  const heads = Array.from({ length: 14 }, (_, at) => `Teil ${at + 1}`)
  await writeFile(path, heads.map(head => `## ${head}\n\n- Strom aus der Flut\n- Ein Fest am Tor\n`).join('\n'))
  const { report } = await engine.run(
    'slides.write',
    { title: 'Der Hafen', slides: 8 },
    { inputs: [{ role: 'source', path, mediaType: 'text/markdown', bytes: 800 }] },
  )
  const [, agenda, ...kept] = report.slides as unknown as Slide[]
  assert.deepEqual(
    kept.map(({ title }) => title),
    heads.slice(0, 6),
  )
  assert.deepEqual(agenda?.points, heads.slice(0, 6))
  assert.match(String(report.comment), /8 slides of its end were left out: slides is 8/)
})

const refusedWords = /refused by the safety rules\..*(Minors|Sexual Content)/

test('forbidden words in a title or a document are refused, but a title that names a war is not', async () => {
  const write = (title: string, inputs: InputFile[] = []) => engine.run('slides.write', { title, slides: 3 }, { inputs })
  const refused = { code: 'request_moderated', message: refusedWords }
  await assert.rejects(write('a nude child, sexual'), refused)
  await assert.rejects(write('裸体的孩子，色情'), refused)
  const path = join(folder, 'words.md')
  const harmless = '- Strom aus der Flut\n'.repeat(600)
  await writeFile(path, `# Der Hafen\n\n${harmless}\n- a nude child, sexual\n`)
  const bytes = (await stat(path)).size
  await assert.rejects(write('Der Hafen', [{ role: 'source', path, mediaType: 'text/markdown', bytes }]), refused)
  assert.equal((await write('Hitler and the rise of fascism')).state, 'done')
})

test('a forbidden title is not sent to another model', async () => {
  const requested: string[] = []
  const subRequest: RunSubRequest = async ({ capability }) => {
    requested.push(capability)
    return undefined
  }
  await assert.rejects(engine.run('slides.write', { title: 'a nude child, sexual' }, { subRequest }), { code: 'request_moderated' })
  assert.deepEqual(requested, [])
})

test('characters that no font has are only in the PPTX, and the comment says so', async () => {
  const made = await engine.run('slides.render', {
    title: '항구',
    language: 'ko',
    slides: [{ layout: 'title', title: '항구', points: [] }],
    template: 'orbit',
  })
  assert.deepEqual(
    made.files.map(({ role }) => role),
    ['deck'],
  )
  assert.match(String(made.report.comment), /the PDF could not be made: no font of the engine has 항/)
})

test('emoji are in the PPTX, and are left out of the PDF', async () => {
  const made = await engine.run('slides.render', {
    title: '🚀 Launch 🎉',
    language: 'en',
    slides: [
      { layout: 'title', title: '🚀 Launch 🎉', points: [] },
      { layout: 'points', title: 'Team 👩🏽‍💻 work', points: ['Plan ✅', 'Ship it'] },
    ],
    template: 'dune',
    outputs: ['deck', 'document', 'page'],
  })
  assert.deepEqual(
    made.files.map(({ role }) => role),
    ['deck', 'document', 'page', 'page'],
  )
  assert.match(
    String(made.report.comment),
    /^No font of the engine has 🚀.*: the PDF and the pictures of the pages leave them out; the PPTX has them\.$/,
  )
  const parts = unzip(await readFile(made.files[0]?.path ?? ''))
  assert.match(parts.get('ppt/slides/slide1.xml')?.toString() ?? '', /🚀 Launch 🎉/)
})

test('unsupported requests are refused with field, value and limit', () => {
  const { offers } = slides.open({
    packs: { file: () => undefined, howToGet: id => id },
    scratchDirectory: tmpdir(),
    dataDirectory: tmpdir(),
    cores: 1,
    allowPrivateUrls: false,
    outbound: directOutbound,
    inspection: inlineInspection,
    log: { info: () => undefined, warn: () => undefined },
  })
  const common = { model: '', settings: {}, inputs: [] }
  const render = (request: Partial<Parameters<typeof ask>[0]>) =>
    ask({ title: 'T', language: 'en', slides: bare, template: 'harbour', ...request })
  const ask = (request: { title: string; language: string; slides: Slide[]; template: string; outputs?: [] }) =>
    offers['slides.render']?.refuses?.({ ...common, request })?.message
  assert.equal(render({}), undefined)
  assert.match(render({ template: 'nope' }) ?? '', /^template: there is no template with the name nope; there are harbour, /)
  assert.match(render({ slides: [] }) ?? '', /^slides: there are 0; 1 to 100/)
  assert.match(
    render({ slides: [{ layout: 'table', title: 'A', points: [], table: { head: ['a', 'b'], rows: [['1']] } }] }) ?? '',
    /slide 1 \(table\): table.rows\[0\] has 1 cells; the head has 2/,
  )
  assert.match(
    render({ slides: [{ layout: 'points', title: 'A', points: ['x'.repeat(2001)] }] }) ?? '',
    /points\[0\] has 2001 characters; at most 2000/,
  )
  assert.match(
    render({ slides: [{ layout: 'picture', title: 'A', points: [], pictureInput: 0 }] }) ?? '',
    /pictureInput is 0; no picture was given/,
  )
  assert.match(render({ slides: [{ layout: 'chart', title: 'A', points: [] }] }) ?? '', /slide 1 \(chart\): chart is missing/)
  const write = (request: { title: string; slides?: number; language?: string }) =>
    offers['slides.write']?.refuses?.({ ...common, request })?.message
  assert.equal(write({ title: 'Coffee' }), undefined)
  assert.match(write({ title: ' ' }) ?? '', /^title: has 0 characters/)
  assert.match(write({ title: '\u200b ?! \u0301' }) ?? '', /^title: has neither a letter nor a digit/)
  assert.equal(write({ title: '🎉' }), undefined)
  const chart = (kind: 'pie' | 'bar', values: number[]) =>
    render({ slides: [{ layout: 'chart', title: 'A', points: [], chart: { kind, labels: ['a', 'b'], series: [{ name: 's', values }] } }] })
  assert.match(chart('pie', [0, 0]) ?? '', /a pie needs a part above 0/)
  assert.match(chart('bar', [1, 2e15]) ?? '', /each must be a number from -1000000000000000 to 1000000000000000/)
  assert.match(chart('bar', [1, Number.NaN]) ?? '', /each must be a number/)
  assert.match(write({ title: 'Coffee', slides: 41 }) ?? '', /^slides: is 41; 3 to 40/)
  assert.match(write({ title: 'Die Geschichte der Eisenbahn' }) ?? '', /^language: .*this is German; a target with a text model writes it/)
})

test('the covers of all templates are PNG of 480 x 270', async () => {
  for (const { cover } of templates) {
    const bytes = await readFile(cover)
    assert.deepEqual([bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)], ['PNG', 480, 270])
  }
})
