/** Renders the files of a `slides.render` request, in the engine's child process. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import { throttledGiveWay } from '@generation-gateway/kit/process/throttled-give-way.ts'
import type { InputFile, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { SlidesOutput, SlidesRenderRequest } from '@generation-gateway/kit/requests/slides.ts'
import { isReadable } from './deck/decode.ts'
import { type DeckLayout, layOutWritten } from './deck/make-deck.ts'
import { pagePngs, writePdf } from './deck/write-pdf.ts'
import { writePptx } from './deck/write-pptx.ts'
import { themeOf } from './templates/templates.ts'
import { missingCharacters } from './type/faces.ts'

export interface RenderJob {
  request: SlidesRenderRequest
  scratch: string
  /** Input files of the request with the role `picture`. */
  pictures: InputFile[]
}

const usualOutputs: readonly SlidesOutput[] = ['deck', 'document']
const deckType = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
/** Width of a page picture, pixels. */
const pageWidth = 1280

export async function renderSlides({ request, scratch, pictures }: RenderJob, call: EngineCall): Promise<Outcome> {
  const theme = themeOf(request.template)
  if (!theme)
    throw new GatewayError('invalid_request', `template: there is no template with the name ${request.template}.`, { field: 'template' })
  const giveWay = throttledGiveWay(call.giveWay)
  const encoded: Buffer[] = []
  for (const [k, picture] of pictures.entries()) {
    await giveWay()
    encoded.push(await readPicture(picture, k))
  }
  const laid = await layOutWritten(request, theme, { pictures: encoded, giveWay })
  call.progress(0.3)
  const outputs = new Set(request.outputs ?? usualOutputs)
  const missing = missingIn(request)
  const letters = missing.filter(character => !isSign(character))
  const isDrawable = letters.length === 0
  // When the only characters that the engine's fonts lack are emoji, PDF and pictures leave them
  // out. The PPTX keeps them, because the reader's program may have fonts for them.
  const drawn = isDrawable && missing.length > 0 ? await layOutWritten(withoutSigns(request), theme, { pictures: encoded, giveWay }) : laid
  const files: OutputFile[] = []
  const keep = async (name: string, role: SlidesOutput, bytes: Buffer, facts: Omit<OutputFile, 'path' | 'role'>) => {
    const path = join(scratch, name)
    await writeFile(path, bytes)
    files.push({ path, role, ...facts })
  }
  if (outputs.has('deck')) await keep('deck.pptx', 'deck', await writePptx(laid.pages, { ...laid, giveWay }), { mediaType: deckType })
  call.progress(0.6)
  if (outputs.has('document') && isDrawable)
    await keep('deck.pdf', 'document', await writePdf(drawn.pages, { ...drawn, giveWay }), { mediaType: 'application/pdf' })
  call.progress(0.8)
  if (outputs.has('page') && isDrawable) await keepPages({ ...drawn, giveWay }, keep)
  const comment = commentOn(missing, outputs)
  if (files.length === 0) throw new GatewayError('invalid_request', `outputs: ${comment}`, { field: 'outputs' })
  const report = { slides: laid.pages.length, ...(comment === undefined ? {} : { comment }) }
  return { state: 'done', files, report, usage: [{ unit: 'slides', units: request.slides.length }] }
}

async function keepPages(
  laid: DeckLayout & { giveWay(): Promise<void> },
  keep: (name: string, role: 'page', bytes: Buffer, facts: Omit<OutputFile, 'path' | 'role'>) => Promise<void>,
): Promise<void> {
  const height = Math.round((pageWidth * 9) / 16)
  for (const [k, png] of (await pagePngs(laid.pages, laid, pageWidth)).entries())
    await keep(`page-${String(k + 1).padStart(3, '0')}.png`, 'page', png, { mediaType: 'image/png', width: pageWidth, height })
}

/** Returns a comment about characters that PDF and pictures cannot show, because no font of the
 *  engine has them; undefined when there are none. The PPTX does not depend on the engine's fonts,
 *  because the program that opens the PPTX draws the text with fonts of its own. */
function commentOn(missing: readonly string[], outputs: ReadonlySet<SlidesOutput>): string | undefined {
  const left = [outputs.has('document') ? 'the PDF' : '', outputs.has('page') ? 'the pictures of the pages' : ''].filter(
    name => name !== '',
  )
  if (missing.length === 0 || left.length === 0) return undefined
  const letters = missing.filter(character => !isSign(character))
  if (letters.length === 0) {
    const signs = missing.filter(character => /\p{Emoji_Presentation}|\p{Extended_Pictographic}/u.test(character)).slice(0, 8)
    if (signs.length === 0) return undefined
    return `No font of the engine has ${signs.join(' ')}: ${left.join(' and ')} ${left.length === 1 && outputs.has('document') ? 'leaves' : 'leave'} ${signs.length === 1 ? 'it' : 'them'} out; the PPTX has ${signs.length === 1 ? 'it' : 'them'}.`
  }
  const some = letters.slice(0, 8).join(' ')
  return `${left.join(' and ')} could not be made: no font of the engine has ${some}${letters.length > 8 ? ' and more' : ''}. It has Latin, Greek, Cyrillic, Vietnamese, Chinese and most of Japanese; the PPTX names fonts of the program that opens it.`
}

function missingIn({ title, slides }: SlidesRenderRequest): string[] {
  const shown = slides.map(({ notes: _spoken, ...slide }) => slide)
  return missingCharacters(JSON.stringify([title, shown]).replace(/\\u[0-9a-f]{4}|\\[a-z"\\/]/g, ' '))
}

/** Matches the characters of emoji (with their joiners and modifiers) and invisible format
 *  characters. A text stays readable without them. */
const sign = /[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Variation_Selector}\p{Cf}]|\u20e3/u

function isSign(character: string): boolean {
  return sign.test(character)
}

/** Returns a copy of the value in which the strings have no emoji that the engine's fonts lack. */
function withoutSigns<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_name, each: unknown) => (typeof each === 'string' ? plainText(each) : each))
}

function plainText(text: string): string {
  const missing = new Set(missingCharacters(text).filter(isSign))
  if (missing.size === 0) return text
  return [...text]
    .filter(character => !missing.has(character))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
}

async function readPicture({ path }: InputFile, k: number): Promise<Buffer> {
  const { size } = await stat(path)
  const most = 40 * 2 ** 20
  if (size > most)
    throw new GatewayError('invalid_input_file', `picture: number ${k} has ${size} bytes; at most ${most}.`, { field: 'picture' })
  const bytes = await readFile(path)
  if (!(await isReadable(bytes)))
    throw new GatewayError('invalid_input_file', `picture: number ${k} cannot be read; JPEG, PNG, WebP, GIF and AVIF can.`, {
      field: 'picture',
    })
  return bytes
}
