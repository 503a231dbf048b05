/** What the library that writes a PPTX leaves undone in it. */
import { unzip, zip } from './zip.ts'

const contentTypes = '[Content_Types].xml'

/** The same deck with one set of properties to a paragraph, bullets in the accent (#rrggbb), titles that programs know for titles, a number of its own for each shape of a slide, and no type for a part that is not there. */
export function mendPptx(bytes: Buffer, accent: string): Buffer {
  const parts = unzip(bytes)
  for (const [name, part] of parts)
    if (/^ppt\/slides\/slide\d+\.xml$/.test(name)) parts.set(name, Buffer.from(mendSlide(part.toString('utf8'), accent)))
  const types = parts.get(contentTypes)?.toString('utf8')
  if (types !== undefined) parts.set(contentTypes, Buffer.from(mendTypes(types, parts)))
  return zip(parts)
}

/** The library lists a master for every slide, and writes one. */
function mendTypes(xml: string, parts: ReadonlyMap<string, Buffer>): string {
  return xml.replace(/<Override PartName="\/([^"]+)"[^>]*\/>/g, (override, name: string) => (parts.has(name) ? override : ''))
}

function mendSlide(xml: string, accent: string): string {
  const colour = `<a:buClr><a:srgbClr val="${accent.slice(1).toUpperCase()}"/></a:buClr>`
  let shapes = 0
  return (
    xml
      // It counts tables by themselves, so that their numbers are those of other shapes.
      .replace(/<p:cNvPr id="\d+"/g, () => `<p:cNvPr id="${++shapes}"`)
      // The library repeats the properties of a paragraph before each of its runs; only the first place is allowed.
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
