/** What the library that writes a PPTX leaves undone in it. */
import { unzip, zip } from './zip.ts'

/** The same deck with one set of properties to a paragraph, bullets in the accent (#rrggbb), and titles that programs know for titles. */
export function mendPptx(bytes: Buffer, accent: string): Buffer {
  const parts = unzip(bytes)
  for (const [name, part] of parts)
    if (/^ppt\/slides\/slide\d+\.xml$/.test(name)) parts.set(name, Buffer.from(mendSlide(part.toString('utf8'), accent)))
  return zip(parts)
}

function mendSlide(xml: string, accent: string): string {
  const colour = `<a:buClr><a:srgbClr val="${accent.slice(1).toUpperCase()}"/></a:buClr>`
  return (
    xml
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
