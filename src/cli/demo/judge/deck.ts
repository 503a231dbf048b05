import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import type { OutputJudge } from '../demo.ts'

export interface DeckExpectation {
  /** Text that the first slide must contain. */
  title: string
  leastSlides: number
}

/** Files that a PPTX archive must contain so that any program can open it. */
const neededParts = ['[Content_Types].xml', '_rels/.rels', 'ppt/presentation.xml', 'ppt/_rels/presentation.xml.rels']
const slideName = /^ppt\/slides\/slide(\d+)\.xml$/
const largestPart = 64 * 1024 * 1024

/** Returns a check of a PPTX file and of the PDF beside it. The archive can be opened, has the
 *  necessary files, and contains all slides that it lists, each with text. The PDF has one page
 *  for each slide. */
export function deck({ title, leastSlides }: DeckExpectation): OutputJudge {
  return async ({ file }, { output }) => {
    const parts = await partsOf(await readFile(join(output, file)))
    if (typeof parts === 'string') return parts
    const missing = neededParts.find(name => !parts.has(name))
    if (missing !== undefined) return `The deck has no part ${missing}.`
    const slides = [...parts].filter(([name]) => slideName.test(name))
    if (slides.length < leastSlides) return `The deck has ${slides.length} slides; at least ${leastSlides} were expected.`
    const listed = parts.get('ppt/presentation.xml')?.match(/<p:sldId\b/g)?.length ?? 0
    if (listed !== slides.length) return `The deck lists ${listed} slides and holds ${slides.length}.`
    const empty = slides.find(([, xml]) => textOf(xml) === '')
    if (empty) return `There is no text on ${empty[0]}.`
    const first = textOf(parts.get('ppt/slides/slide1.xml') ?? '')
    if (!first.includes(title)) return `The first slide says ${JSON.stringify(first.slice(0, 80))}; the title is ${JSON.stringify(title)}.`
    return judgePdf(await readFile(join(output, file.replace(/pptx$/, 'pdf')), 'latin1'), slides.length)
  }
}

function judgePdf(pdf: string, slides: number): string | undefined {
  if (!pdf.startsWith('%PDF-') || !/%%EOF\s*$/.test(pdf)) return 'The PDF is no whole PDF file.'
  const pages = pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0
  return pages === slides ? undefined : `The PDF has ${pages} pages; the deck has ${slides} slides.`
}

function textOf(xml: string): string {
  return [...xml.matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, text = '']) => text).join(' ')
}

/** Returns the text of each file in the archive, by name. When the archive is broken, returns a
 *  sentence that says why. */
async function partsOf(bytes: Buffer): Promise<Map<string, string> | string> {
  try {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (opened ? resolve(opened) : reject(error)))
    })
    return await readParts(zip)
  } catch (error) {
    return `The deck is no archive that opens: ${error instanceof Error ? error.message : error}`
  }
}

function readParts(zip: ZipFile): Promise<Map<string, string>> {
  const parts = new Map<string, string>()
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(parts))
    zip.on('entry', (entry: Entry) => {
      textOfEntry(zip, entry).then(text => {
        parts.set(entry.fileName, text)
        zip.readEntry()
      }, reject)
    })
    zip.readEntry()
  })
}

function textOfEntry(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > largestPart) return Promise.reject(new Error(`${entry.fileName} is larger than 64 MB`))
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(error)
      else buffer(stream).then(bytes => resolve(bytes.toString('utf8')), reject)
    })
  })
}
