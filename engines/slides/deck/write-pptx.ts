/** Writes pages as a PPTX with editable texts, charts and tables. */
import PptxGen from 'pptxgenjs'
import {
  type Box,
  type ChartItem,
  type Ground,
  type Item,
  type Page,
  pageHeight,
  pageWidth,
  pointsPerInch,
  type TableItem,
  type TextItem,
} from '../model/page.ts'
import { isIdeographic, namedEastAsianFont, namedFonts } from '../type/faces.ts'
import type { Run } from '../type/measure.ts'
import { decimalsOf, formatOf, hasRoomForValues, scaleOf } from './chart-numbers.ts'
import { type DeckColours, mendPptx } from './repair-pptx.ts'

/** Name of the program in the file's properties. */
const program = 'Generation Gateway'

interface DeckFacts {
  title: string
  /** Language as a BCP 47 tag. */
  language: string
  /** JPEG bytes for each kind of background. */
  grounds: ReadonlyMap<Ground, Buffer>
  colours: DeckColours
  /** Called and awaited between two pages, so that other work of the process can run. */
  giveWay?(): Promise<void>
}

// The package's type declarations put the class in `default`, but at run time the module itself is
// the class.
const Presentation = PptxGen as unknown as typeof PptxGen.default
type Deck = InstanceType<typeof PptxGen.default>
type Slide = ReturnType<Deck['addSlide']>
type Texts = Extract<Parameters<Slide['addText']>[0], unknown[]>
type Options = NonNullable<Parameters<Slide['addText']>[1]>

/** Returns the bytes of a PPTX file with these pages. */
export async function writePptx(pages: readonly Page[], facts: DeckFacts): Promise<Buffer> {
  const deck = new Presentation()
  deck.defineLayout({ name: 'wide', width: pageWidth, height: pageHeight })
  deck.layout = 'wide'
  deck.title = facts.title
  // If the subject is missing, the library writes its own name into the file.
  deck.subject = facts.title
  deck.author = program
  deck.company = program
  deck.theme = { headFontFace: namedFonts.sans, bodyFontFace: namedFonts.sans }
  for (const [ground, bytes] of facts.grounds) deck.defineSlideMaster({ title: ground, background: { data: dataOf(bytes, 'image/jpeg') } })
  for (const page of pages) {
    await facts.giveWay?.()
    const slide = deck.addSlide({ masterName: page.ground })
    for (const item of page.items) addItem(slide, item, facts.language)
    if (page.notes !== '') slide.addNotes(page.notes)
  }
  await facts.giveWay?.()
  const written = await deck.write({ outputType: 'nodebuffer' })
  if (!Buffer.isBuffer(written)) throw new TypeError('the presentation was not written as a buffer')
  await facts.giveWay?.()
  return mendPptx(written, facts.colours)
}

function addItem(slide: Slide, item: Item, language: string): void {
  switch (item.kind) {
    case 'text':
      if (item.paragraphs.length > 0) slide.addText(textsOf(item, language), { ...boxOf(item.box), ...frameOf(item) })
      return
    case 'shape': {
      const { shape, box, fill, opacity = 1, radius = 0, line } = item
      slide.addShape(shape === 'ellipse' ? 'ellipse' : shape === 'rounded' ? 'roundRect' : 'rect', {
        ...boxOf(box),
        fill: { color: hex(fill), transparency: Math.round((1 - opacity) * 100) },
        ...(shape === 'rounded' ? { rectRadius: radius } : {}),
        ...(line ? { line: { color: hex(line.colour), width: line.points } } : {}),
      })
      return
    }
    case 'picture':
      slide.addImage({ data: dataOf(item.bytes, item.mediaType), altText: item.alt, ...boxOf(item.box) })
      return
    case 'chart':
      addChart(slide, item)
      return
    case 'table':
      addTable(slide, item, language)
      return
  }
}

function textsOf(item: TextItem, language: string): Texts {
  return item.paragraphs.flatMap(({ runs, lines, bullet }, p) => {
    // PowerPoint breaks Chinese text between any two characters, so line breaks between words are
    // inserted into titles here.
    const isBroken = item.isTitle === true && lines.length > 1 && runs.some(({ text }) => /\p{sc=Han}/u.test(text))
    const broken = isBroken ? lines.map(({ pieces }) => pieces.flatMap(byScript).filter(({ text }) => text !== '')) : undefined
    const parts = broken?.flat() ?? runs.flatMap(byScript).filter(({ text }) => text !== '')
    const firsts = new Set(broken?.slice(1).map(([first]) => first))
    return parts.map((run, k): Texts[number] => ({
      text: run.text,
      options: {
        ...fontOf(run, item, language),
        align: item.align,
        lineSpacing: round(item.size * item.leading),
        ...(p > 0 && item.gap > 0 ? { paraSpaceBefore: round(item.gap) } : {}),
        ...(bullet && k === 0 ? { bullet: { characterCode: codeOf(bullet.sign), indent: round(bullet.indent * 72) } } : {}),
        ...(k === parts.length - 1 ? { breakLine: true } : {}),
        ...(firsts.has(run) ? { softBreakBefore: true } : {}),
      },
    }))
  })
}

function fontOf(run: Run & { isEastAsian: boolean }, item: TextItem, language: string): Options {
  return {
    fontFace: run.isEastAsian ? namedEastAsianFont : namedFonts[run.face],
    fontSize: item.size,
    bold: run.weight === 700,
    italic: run.isItalic === true && !run.isEastAsian,
    color: hex(run.colour ?? item.colour),
    lang: run.isEastAsian && !/^(zh|ja|ko)/i.test(language) ? 'zh-CN' : language,
  }
}

function frameOf(item: TextItem): Options {
  return { margin: 0, valign: item.valign, align: item.align, fit: 'shrink', wrap: true, ...(item.isTitle ? { objectName: 'Title' } : {}) }
}

/** Splits a run into parts that are entirely Chinese or entirely not, because each part needs the
 *  name of its own font. */
function byScript(run: Run): (Run & { isEastAsian: boolean })[] {
  const parts: (Run & { isEastAsian: boolean })[] = []
  for (const character of run.text) {
    const last = parts.at(-1)
    const isEastAsian =
      character.trim() === ''
        ? (last?.isEastAsian ?? false)
        : isIdeographic(character) || (/[\u2018-\u201d\u2026\u2014]/.test(character) === true && last?.isEastAsian === true)
    if (last && last.isEastAsian === isEastAsian) last.text += character
    else parts.push({ ...run, text: character, isEastAsian })
  }
  return parts
}

function addChart(slide: Slide, item: ChartItem): void {
  const isPie = item.chart === 'pie'
  const series = isPie ? item.series.slice(0, 1) : item.series
  const ink = hex(item.ink)
  const numbers = series.flatMap(({ values }) => values)
  const { low, high, step } = scaleOf(numbers)
  const text = { color: ink, fontFace: namedFonts.sans, fontSize: item.size }
  slide.addChart(
    item.chart,
    series.map(({ name, values }) => ({ name, labels: item.labels, values })),
    {
      ...boxOf(item.box),
      chartColors: (isPie ? item.labels : series).map((_each, k) => hex(item.colours[k % item.colours.length] ?? item.ink)),
      showLegend: isPie || series.length > 1,
      legendPos: isPie ? 'r' : 'b',
      legendColor: ink,
      legendFontSize: item.size,
      legendFontFace: namedFonts.sans,
      catAxisLabelColor: ink,
      catAxisLabelFontSize: item.size,
      catAxisLabelFontFace: namedFonts.sans,
      valAxisLabelColor: ink,
      valAxisLabelFontSize: item.size,
      valAxisLabelFontFace: namedFonts.sans,
      valAxisLabelFormatCode: formatOf({ unit: item.unit, decimals: decimalsOf([low, step, high]) }),
      valAxisMinVal: low,
      valAxisMaxVal: high,
      valAxisMajorUnit: step,
      valGridLine: { color: hex(item.rule), size: 0.75 },
      catGridLine: { style: 'none' },
      valAxisLineShow: false,
      showValue: hasRoomForValues(item, (item.box.w - 0.8) * pointsPerInch),
      showPercent: isPie,
      dataLabelColor: isPie ? hex(item.paper) : ink,
      dataLabelFontSize: text.fontSize,
      dataLabelFontFace: text.fontFace,
      dataLabelFontBold: true,
      dataLabelFormatCode: isPie ? '0%' : formatOf({ decimals: decimalsOf(numbers) }),
      ...(item.chart === 'bar' ? { barDir: 'col' as const, barGapWidthPct: 52, dataLabelPosition: 'outEnd' as const } : {}),
      ...(item.chart === 'line' ? { lineSize: 2.5, lineDataSymbolSize: 8, dataLabelPosition: 't' as const } : {}),
      ...(isPie ? { dataBorder: { pt: 1.5, color: hex(item.paper) }, firstSliceAng: 0 } : {}),
    },
  )
}

function addTable(slide: Slide, item: TableItem, language: string): void {
  const rule = { type: 'solid' as const, color: hex(item.rule), pt: 0.9 }
  const none = { type: 'none' as const }
  slide.addTable(
    item.rows.map(row =>
      row.map(({ text, fill }) => ({
        text: textsOf(text, language).length > 0 ? (textsOf(text, language) as never) : '',
        options: {
          fill: { color: hex(fill) },
          valign: 'middle' as const,
          align: text.align,
          fontSize: text.size,
          fontFace: namedFonts.sans,
          color: hex(text.colour),
          border: [none, none, rule, none] as [typeof none, typeof none, typeof rule, typeof none],
          margin: [item.inset * 0.6, item.inset, item.inset * 0.6, item.inset] as [number, number, number, number],
        },
      })),
    ),
    { ...boxOf(item.box), colW: item.columnWidths.map(round), rowH: item.rowHeights.map(round) },
  )
}

function boxOf({ x, y, w, h }: Box): Box {
  return { x: round(x), y: round(y), w: round(w), h: round(h) }
}

function dataOf(bytes: Buffer, mediaType: string): string {
  return `${mediaType};base64,${bytes.toString('base64')}`
}

function hex(colour: string): string {
  return colour.slice(1).toUpperCase()
}

function codeOf(sign: string): string {
  return (sign.codePointAt(0) ?? 0x2022).toString(16).toUpperCase().padStart(4, '0')
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
