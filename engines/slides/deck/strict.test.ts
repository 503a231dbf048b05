import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { before, test } from 'node:test'
import { themes } from '../templates/templates.ts'
import { sampleSlides } from '../testing/sample-deck.ts'
import { layOutWritten } from './make-deck.ts'
import { pagePngs } from './write-pdf.ts'
import { writePptx } from './write-pptx.ts'
import { unzip } from './zip.ts'

/** A text with everything that could break a file: XML special characters, control characters,
 *  unpaired surrogates, a formula, marks of the writing direction, line breaks. */
const hard = `=cmd|'/c calc'!A0 & <b>"x"</b> \u0007\u0000\ufffe\ud83d \u202ertl\u202c \u{1f469}\u200d\u{1f469} ${'\n'.repeat(9)}\u2028 日本語 ]]> 港口`
/** The order of child elements, by parent element. Strict programs check this order (ECMA-376, part
 *  1, transitional). */
const orders: Readonly<Record<string, string>> = {
  'p:presentation':
    'p:sldMasterIdLst p:notesMasterIdLst p:handoutMasterIdLst p:sldIdLst p:sldSz p:notesSz p:embeddedFontLst p:defaultTextStyle p:extLst',
  'p:sldMaster': 'p:cSld p:clrMap p:sldLayoutIdLst p:transition p:timing p:hf p:txStyles p:extLst',
  'p:cSld': 'p:bg p:spTree p:custDataLst p:controls p:extLst',
  'p:sp': 'p:nvSpPr p:spPr p:style p:txBody',
  'p:pic': 'p:nvPicPr p:blipFill p:spPr',
  'p:graphicFrame': 'p:nvGraphicFramePr p:xfrm a:graphic',
  'p:txBody': 'a:bodyPr a:lstStyle a:p',
  'p:spPr': 'a:xfrm a:custGeom a:prstGeom a:noFill a:solidFill a:gradFill a:blipFill a:ln a:effectLst',
  'a:p': 'a:pPr a:r a:br a:fld a:endParaRPr',
  'a:r': 'a:rPr a:t',
  'a:pPr': 'a:lnSpc a:spcBef a:spcAft a:buClr a:buSzPct a:buFont a:buNone a:buAutoNum a:buChar a:tabLst a:defRPr',
  'a:rPr': 'a:ln a:noFill a:solidFill a:effectLst a:highlight a:latin a:ea a:cs a:sym a:hlinkClick',
  'a:defRPr': 'a:ln a:solidFill a:latin a:ea a:cs',
  'a:tbl': 'a:tblPr a:tblGrid a:tr',
  'a:tc': 'a:txBody a:tcPr',
  'a:tcPr': 'a:lnL a:lnR a:lnT a:lnB a:noFill a:solidFill',
  'c:chartSpace': 'c:date1904 c:lang c:roundedCorners c:chart c:spPr c:txPr c:externalData',
  'c:chart': 'c:title c:autoTitleDeleted c:plotArea c:legend c:plotVisOnly c:dispBlanksAs',
  'c:plotArea': 'c:layout c:barChart c:lineChart c:pieChart c:catAx c:valAx c:spPr',
  'c:barChart': 'c:barDir c:grouping c:varyColors c:ser c:dLbls c:gapWidth c:overlap c:serLines c:axId',
  'c:lineChart': 'c:grouping c:varyColors c:ser c:dLbls c:dropLines c:hiLowLines c:upDownBars c:marker c:smooth c:axId',
  'c:pieChart': 'c:varyColors c:ser c:dLbls c:firstSliceAng',
  'c:ser': 'c:idx c:order c:tx c:spPr c:invertIfNegative c:explosion c:marker c:dPt c:dLbls c:cat c:val c:smooth',
  'c:dLbls':
    'c:dLbl c:numFmt c:spPr c:txPr c:dLblPos c:showLegendKey c:showVal c:showCatName c:showSerName c:showPercent c:showBubbleSize c:separator c:showLeaderLines',
  'c:catAx':
    'c:axId c:scaling c:delete c:axPos c:majorGridlines c:title c:numFmt c:majorTickMark c:minorTickMark c:tickLblPos c:spPr c:txPr c:crossAx c:crosses c:auto c:lblAlgn c:lblOffset c:noMultiLvlLbl',
  'c:valAx':
    'c:axId c:scaling c:delete c:axPos c:majorGridlines c:title c:numFmt c:majorTickMark c:minorTickMark c:tickLblPos c:spPr c:txPr c:crossAx c:crosses c:crossBetween c:majorUnit',
  'c:legend': 'c:legendPos c:legendEntry c:layout c:overlay c:spPr c:txPr',
  worksheet: 'sheetPr dimension sheetViews sheetFormatPr cols sheetData pageMargins tableParts',
}
const needed: Readonly<Record<string, readonly string[]>> = {
  'p:presentation': ['p:notesSz'],
  'c:lineChart': ['c:grouping'],
  'c:barChart': ['c:barDir'],
  'p:txBody': ['a:bodyPr', 'a:p'],
}

let parts: Map<string, Buffer>
let first: string | undefined

before(async () => {
  const [theme] = themes
  assert.ok(theme)
  const slides = [
    ...sampleSlides,
    { layout: 'points' as const, title: hard, points: [`Lead: ${hard}`, hard, ''], notes: hard, source: hard },
    {
      layout: 'chart' as const,
      title: hard,
      points: [hard],
      chart: {
        kind: 'bar' as const,
        labels: ['=1+1', hard, ''],
        series: [{ name: '=SUM(A1)', values: [0, -1.25, 1e15] }],
        unit: '"<&>\u0007',
      },
    },
    { layout: 'table' as const, title: 'T', points: [], table: { head: [hard, ''], rows: [[hard, '=1+1']] } },
  ]
  const laid = await layOutWritten({ title: hard, language: 'en-GB', slides }, theme)
  // Drawing pages with the text `hard` must not fail either.
  await pagePngs(laid.pages.slice(-3), laid, 64)
  const bytes = await writePptx(laid.pages, laid)
  parts = unzip(bytes)
  first = [...parts.keys()][0]
})

test('every part is XML of legal characters, with all required elements in the order of the standard', () => {
  for (const [name, bytes] of allXml()) {
    const xml = bytes.toString('utf8')
    assert.doesNotMatch(xml, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u, name)
    assert.ok(!bytes.includes('\ufffd') || xml.includes('\ufffd'), name)
    for (const each of problemsIn(xml)) assert.fail(`${name}: ${each}`)
  }
})

test('the content type list is the first part, has a type for each part, and lists no missing part', () => {
  assert.equal(first, '[Content_Types].xml')
  const types = text('[Content_Types].xml')
  const overrides = [...types.matchAll(/PartName="\/([^"]+)"/g)].map(([, name = '']) => name)
  assert.equal(new Set(overrides).size, overrides.length)
  assert.deepEqual(
    overrides.filter(name => !parts.has(name)),
    [],
  )
  const extensions = new Map(
    [...types.matchAll(/Extension="([^"]+)" ContentType="([^"]+)"/g)].map(([, name = '', type = '']) => [name, type]),
  )
  const signs: Readonly<Record<string, string>> = { 'image/jpeg': 'ffd8', 'image/png': '8950' }
  for (const [name, bytes] of parts) {
    const type = extensions.get(name.split('.').at(-1) ?? '')
    assert.ok(name === '[Content_Types].xml' || overrides.includes(name) || (type !== undefined && type !== 'application/xml'), name)
    if (name.includes('/media/')) assert.equal(bytes.toString('hex', 0, 2), signs[type ?? ''], name)
  }
})

test('relationship ids are unique and lead to parts, and every id that a part uses exists', () => {
  for (const [name, bytes] of parts) {
    if (!name.endsWith('.rels')) continue
    const links = [...bytes.toString('utf8').matchAll(/<Relationship\b[^>]*?\/>/g)].map(([link]) => link)
    const ids = links.map(link => /Id="([^"]+)"/.exec(link)?.[1])
    assert.equal(new Set(ids).size, ids.length, name)
    const owner = name.replace('_rels/', '').replace(/\.rels$/, '')
    for (const link of links) {
      const target = /Target="([^"]+)"/.exec(link)?.[1] ?? ''
      assert.ok(
        parts.has(target.startsWith('/') ? target.slice(1) : posix.normalize(posix.join(posix.dirname(owner), target))),
        `${name} ${link}`,
      )
    }
    if (owner !== '')
      for (const [, id] of text(owner).matchAll(/ r:(?:id|embed|link)="([^"]+)"/g)) assert.ok(ids.includes(id), `${owner} ${id}`)
  }
})

test('ids of slides, masters, layouts and shapes are legal and unique; each master has a theme', () => {
  const numbers = (name: string, tag: string) =>
    [...text(name).matchAll(new RegExp(`<${tag} id="(\\d+)"`, 'g'))].map(([, id]) => Number(id))
  const slides = numbers('ppt/presentation.xml', 'p:sldId')
  assert.ok(slides.length > 17 && slides.every(id => id >= 256 && id < 2 ** 31) && new Set(slides).size === slides.length)
  const masters = [...numbers('ppt/presentation.xml', 'p:sldMasterId'), ...numbers('ppt/slideMasters/slideMaster1.xml', 'p:sldLayoutId')]
  assert.ok(masters.every(id => id >= 2 ** 31) && new Set(masters).size === masters.length)
  for (const [name, bytes] of allXml()) {
    const ids = [...bytes.toString('utf8').matchAll(/<p:cNvPr id="(\d+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, name)
  }
  const themesUsed = [...parts.keys()].filter(name => /Masters\/_rels/.test(name)).map(name => /theme\d+\.xml/.exec(text(name))?.[0])
  assert.equal(new Set(themesUsed).size, 2)
})

test('notes and slides refer to each other', () => {
  for (const name of [...parts.keys()].filter(each => /^ppt\/slides\/slide\d+\.xml$/.test(each))) {
    const number = /\d+/.exec(posix.basename(name))?.[0]
    assert.match(text(`ppt/slides/_rels/slide${number}.xml.rels`), new RegExp(`/notesSlide${number}\\.xml"`))
    assert.match(text(`ppt/notesSlides/_rels/notesSlide${number}.xml.rels`), new RegExp(`/slide${number}\\.xml"`))
  }
})

test('the workbook of a chart has its numbers, including zero, and its labels as text', () => {
  const name = [...parts.keys()].filter(each => each.endsWith('.xlsx')).at(-1) ?? ''
  const book = unzip(parts.get(name) ?? Buffer.alloc(0))
  const sheet = book.get('xl/worksheets/sheet1.xml')?.toString('utf8') ?? ''
  assert.deepEqual(
    [...sheet.matchAll(/<c r="(B[2-4])"><v>([^<]*)<\/v>/g)].map(([, cell, value]) => `${cell} ${value}`),
    ['B2 0', 'B3 -1.25', 'B4 1000000000000000'],
  )
  assert.ok(!sheet.includes('<f>'))
  assert.match(book.get('xl/sharedStrings.xml')?.toString('utf8') ?? '', />=SUM\(A1\)<.*>=1\+1</)
  for (const target of ['xl/workbook.xml', 'xl/styles.xml']) assert.ok(book.has(target), target)
})

test('the properties name the deck, and no other program as the author', () => {
  assert.match(text('docProps/core.xml'), /<dc:title>=cmd\|.*&lt;b&gt;.*<\/dc:title>/)
  for (const name of ['docProps/core.xml', 'docProps/app.xml']) assert.doesNotMatch(text(name), /pptxgen/i)
})

function text(name: string): string {
  const part = parts.get(name)
  assert.ok(part, name)
  return part.toString('utf8')
}

/** Returns the XML parts of the deck, and of the workbooks in it. */
function allXml(): [string, Buffer][] {
  const own = [...parts].filter(([name]) => /\.(xml|rels)$/.test(name))
  const books = [...parts].filter(([name]) => name.endsWith('.xlsx')).flatMap(([, bytes]) => [...unzip(bytes)])
  return [...own, ...books.filter(([name]) => name.includes('sheet1.xml') || name.includes('sharedStrings'))]
}

/** Yields a message for each element of an XML text that is not closed, stands in the wrong order,
 *  or lacks a needed child. */
function* problemsIn(xml: string): Generator<string> {
  const open: { tag: string; members: string[] }[] = [{ tag: '', members: [] }]
  if (/&(?!amp;|lt;|gt;|quot;|apos;|#\d+;|#x[0-9a-f]+;)/i.test(xml)) yield 'a bare &'
  for (const [all, close, tag = '', attributes = '', self] of xml.matchAll(
    /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/g,
  )) {
    const names = [...attributes.matchAll(/([\w:.-]+)=/g)].map(([, name]) => name)
    if (new Set(names).size !== names.length) yield `an attribute twice in ${all}`
    if (close) {
      const { tag: opened, members } = open.pop() ?? { tag: '', members: [] }
      if (opened !== tag) yield `</${tag}> closes <${opened}>`
      yield* problemsOf(tag, members)
      continue
    }
    open.at(-1)?.members.push(tag)
    if (self) yield* problemsOf(tag, [])
    else open.push({ tag, members: [] })
  }
  if (open.length !== 1) yield `<${open.at(-1)?.tag}> is open`
}

function* problemsOf(tag: string, members: readonly string[]): Generator<string> {
  const order = orders[tag]?.split(' ')
  // Runs, line breaks and fields may come in any order within a paragraph.
  const places = members.map(each => (tag === 'a:p' && /^a:(?:r|br|fld)$/.test(each) ? 1 : (order?.indexOf(each) ?? 0)))
  const wrong = order ? places.findIndex((place, k) => place < 0 || place < (places[k - 1] ?? 0)) : -1
  if (wrong >= 0) yield `${members[wrong]} in ${tag} after ${members[wrong - 1]}`
  for (const each of needed[tag] ?? []) if (!members.includes(each)) yield `${tag} without ${each}`
  if ((tag === 'c:barChart' || tag === 'c:lineChart') && members.filter(each => each === 'c:axId').length !== 2) yield `axes of ${tag}`
}
