/** Corrects errors in the PPTX files that the library `pptxgenjs` writes. */
import { mendWorkbook } from './workbook.ts'
import { unzip, zip } from './zip.ts'

const contentTypes = '[Content_Types].xml'
const notesTheme = 'ppt/theme/theme2.xml'

/** Colours of the template, all #rrggbb. */
export interface DeckColours {
  /** Colour of bullets. */
  accent: string
  ink: string
  paper: string
  muted: string
  panel: string
  /** Colours of the series of charts. */
  series: readonly string[]
}

/** Returns the same deck in a form that follows the standard (ECMA-376, transitional). Corrects the
 *  order of elements, duplicate paragraph properties, shape ids that repeat within a slide, missing
 *  themes of masters, workbooks that lack their chart's numbers, and wrong names and types of
 *  parts. Also adds accent-coloured bullets, the template's colours in the theme, and titles that
 *  presentation programs recognise. */
export function mendPptx(bytes: Buffer, colours: DeckColours): Buffer {
  const parts = unzip(bytes)
  const mend = (pattern: RegExp, mended: (xml: string) => string) => {
    for (const [name, part] of parts) if (pattern.test(name)) parts.set(name, Buffer.from(mended(part.toString('utf8'))))
  }
  nameJpegs(parts)
  mend(/^ppt\/slides\/slide\d+\.xml$/, xml => mendSlide(xml, colours.accent))
  mend(/^ppt\/charts\/chart\d+\.xml$/, mendChart)
  for (const [name, chart] of parts) {
    const book = name.replace(/^ppt\/charts\/chart(\d+)\.xml$/, 'ppt/embeddings/Microsoft_Excel_Worksheet$1.xlsx')
    const bytes = book === name ? undefined : parts.get(book)
    if (bytes) parts.set(book, mendWorkbook(bytes, chart.toString('utf8')))
  }
  mend(/^ppt\/presentation\.xml$/, mendPresentation)
  mend(/^ppt\/theme\/theme1\.xml$/, xml => withColours(xml, colours))
  mend(/^ppt\/(?:slideMasters\/slideMaster|slideLayouts\/slideLayout)\d+\.xml$/, withTitle)
  const theme = parts.get('ppt/theme/theme1.xml')
  if (theme) parts.set(notesTheme, theme)
  mend(/^ppt\/notesMasters\/_rels\//, xml => xml.replace('theme1.xml', 'theme2.xml'))
  mend(/^\[Content_Types\]\.xml$/, xml => mendTypes(xml, parts))
  // By convention, the list of content types is the first part.
  const types = parts.get(contentTypes)
  parts.delete(contentTypes)
  return zip(types ? new Map([[contentTypes, types], ...parts]) : parts)
}

/** Corrects the list of content types. The library lists a master for every slide, but the file has
 *  only one; it also lists file extensions that no part has. */
function mendTypes(xml: string, parts: ReadonlyMap<string, Buffer>): string {
  const extensions = new Set([...parts.keys()].map(name => name.slice(name.lastIndexOf('.') + 1)))
  const theme = `<Override PartName="/${notesTheme}" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/>`
  return xml
    .replace(/<Override PartName="\/([^"]+)"[^>]*\/>/g, (override, name: string) => (parts.has(name) ? override : ''))
    .replace(/<Default Extension="([^"]+)"[^>]*\/>/g, (usual, extension: string) => (extensions.has(extension) ? usual : ''))
    .replace('</Types>', `${theme}</Types>`)
}

/** Renames JPEG backgrounds to `.jpeg`: the library names every background `.png`. */
function nameJpegs(parts: Map<string, Buffer>): void {
  const renamed = [...parts.keys()].filter(name => /^ppt\/media\/.*\.png$/.test(name) && parts.get(name)?.readUInt16BE(0) === 0xffd8)
  for (const name of renamed) {
    const bytes = parts.get(name)
    parts.delete(name)
    if (bytes) parts.set(name.replace(/png$/, 'jpeg'), bytes)
  }
  for (const [name, part] of parts) {
    if (!name.endsWith('.rels')) continue
    const links = renamed.reduce(
      (xml, each) => xml.replaceAll(`${each.slice(4)}"`, `${each.slice(4).replace(/png$/, 'jpeg')}"`),
      part.toString('utf8'),
    )
    parts.set(name, Buffer.from(links))
  }
}

/** Corrects presentation.xml: the list of notes masters must come before the slides, and the notes
 *  page gets its usual size. */
function mendPresentation(xml: string): string {
  const [notes = ''] = /<p:notesMasterIdLst>.*?<\/p:notesMasterIdLst>/s.exec(xml) ?? []
  return xml
    .replace(notes, '')
    .replace('<p:sldIdLst>', `${notes}<p:sldIdLst>`)
    .replace(/<p:notesSz [^>]*\/>/, '<p:notesSz cx="6858000" cy="9144000"/>')
}

/** Corrects charts: bar and line charts must have exactly two axes, line charts a grouping, and the
 *  markers of a line must come before its labels. */
function mendChart(xml: string): string {
  return xml
    .replace('<c:roundedCorners val="1"/>', '<c:roundedCorners val="0"/>')
    .replace(/((?:<c:axId val="\d+"\/>\s*){2})<c:axId val="\d+"\/>/g, '$1')
    .replace(/<c:lineChart>.*<\/c:lineChart>/s, lines =>
      lines
        .replace(/<c:lineChart>(?!\s*<c:grouping)/, '<c:lineChart><c:grouping val="standard"/>')
        .replaceAll(/<c:invertIfNegative [^>]*\/>/g, '')
        .replaceAll(/(<c:dLbls>(?:(?!<\/c:dLbls>).)*<\/c:dLbls>)(<c:marker>.*?<\/c:marker>)/gs, '$2$1'),
    )
}

function withColours(xml: string, { ink, paper, muted, panel, series }: DeckColours): string {
  const accents = Array.from({ length: 6 }, (_accent, k) => [`accent${k + 1}`, series[k % series.length] ?? ink] as const)
  const wanted = [
    ...([
      ['dk1', ink],
      ['lt1', paper],
      ['dk2', muted],
      ['lt2', panel],
    ] as const),
    ...accents,
  ] // prettier-ignore
  return wanted.reduce(
    (theme, [name, colour]) =>
      theme.replace(new RegExp(`<a:${name}>.*?</a:${name}>`), `<a:${name}><a:srgbClr val="${colour.slice(1).toUpperCase()}"/></a:${name}>`),
    xml,
  )
}

/** Adds a title placeholder to a master or layout. The titles of the slides that use the master or
 *  layout belong to this placeholder. */
function withTitle(xml: string): string {
  const at = '<a:xfrm><a:off x="685800" y="457200"/><a:ext cx="10820095" cy="960120"/></a:xfrm>'
  const shape = `<p:spPr>${at}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>`
  const text = '<p:txBody><a:bodyPr anchor="ctr"><a:normAutofit/></a:bodyPr><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody>'
  const named =
    '<p:cNvPr id="2" name="Title"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr userDrawn="1"><p:ph type="title"/></p:nvPr>'
  return xml.replace('</p:grpSpPr></p:spTree>', `</p:grpSpPr><p:sp><p:nvSpPr>${named}</p:nvSpPr>${shape}${text}</p:sp></p:spTree>`)
}

function mendSlide(xml: string, accent: string): string {
  const colour = `<a:buClr><a:srgbClr val="${accent.slice(1).toUpperCase()}"/></a:buClr>`
  let shapes = 0
  return (
    xml
      // The library counts the ids of tables separately, so they repeat those of other shapes.
      .replace(/<p:cNvPr id="\d+"/g, () => `<p:cNvPr id="${++shapes}"`)
      // The library repeats the paragraph properties before each run; they are only allowed at the
      // start of the paragraph.
      .replace(/<a:p>.*?<\/a:p>/gs, paragraph => {
        let isFirst = true
        return paragraph.replace(/<a:pPr\b[^>]*?(?:\/>|>.*?<\/a:pPr>)/gs, properties => {
          const kept = isFirst ? properties : ''
          isFirst = false
          return kept
        })
      })
      .replace(/<a:buSzPct val="100000"\/><a:buChar/g, `${colour}<a:buSzPct val="100000"/><a:buChar`)
      .replace(
        /(<p:cNvPr id="\d+" name="Title"[^>]*?(?:\/>|>.*?<\/p:cNvPr>)<p:cNvSpPr\b[^>]*?)(?:\/>|>(.*?)<\/p:cNvSpPr>)<p:nvPr>\s*<\/p:nvPr>/gs,
        (_all, head: string) => `${head.replace(' txBox="1"', '')}/><p:nvPr><p:ph type="title"/></p:nvPr>`,
      )
  )
}
