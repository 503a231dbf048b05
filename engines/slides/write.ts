/** Handles a `slides.write` request, in the engine's child process. */
import { readFile, stat } from 'node:fs/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import { throttledGiveWay } from '@generation-gateway/kit/process/throttled-give-way.ts'
import type { Done, Failed, InputFile, Outcome } from '@generation-gateway/kit/requests/job.ts'
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { Slide, SlidesWriteRequest, SlidesWriteResult } from '@generation-gateway/kit/requests/slides.ts'
import { wordsOf } from './layouts/words.ts'
import { reviewDocument, reviewTitle } from './review.ts'
import { composeDeck } from './writer/compose.ts'
import { slidesOfDocument } from './writer/document-slides.ts'
import { languageOfText, primaryOf } from './writer/language-of.ts'
import { WordNet } from './writer/wordnet.ts'

export interface WriteJob {
  request: SlidesWriteRequest
  /** The document to base the deck on. */
  source?: InputFile
  /** Paths of the dictionary's noun files, when its pack is installed. */
  dictionary?: { index: string; data: string }
  /** Search records about the title. */
  found?: SearchRecord[]
  /** Sentences that are added to the comment of the result. */
  remarks?: string[]
}

export const fewestSlides = 3
export const mostSlides = 40
const mostSourceBytes = 2 * 2 ** 20
/** Largest number of headings of a document for which the deck gets an agenda. With more headings,
 *  the deck has no agenda. */
const mostHeads = 12
let nouns: WordNet | undefined

export async function writeSlides(job: WriteJob, call: Pick<EngineCall, 'giveWay'>): Promise<Outcome> {
  const { request, source, remarks = [] } = job
  const giveWay = throttledGiveWay(call.giveWay)
  const refused = await reviewTitle({ request }, { giveWay })
  if (refused) return refused
  const written = source ? await writeFrom(source, { request, giveWay }) : compose(job)
  if ('state' in written) return written
  return outcomeOf({ ...written, comment: [...remarks, written.comment].join(' ') })
}

/** Returns the outcome for a deck. */
export function outcomeOf(result: SlidesWriteResult): Done {
  // The type assertion is safe: slides are plain JSON, although their type does not say so.
  const report = { ...result, slides: result.slides.map(slide => ({ ...slide })) } as Done['report']
  return { state: 'done', files: [], report, usage: [{ unit: 'slides', units: result.slides.length }] }
}

/** Returns the reason why the built-in writer cannot write in the language of a request; undefined
 *  for English and Chinese. */
export function whyNotInLanguage({ title, language }: SlidesWriteRequest): string | undefined {
  const primary = primaryOf(language ?? languageOfText(title))
  if (primary === 'en' || primary === 'zh') return undefined
  return `the built-in writer makes up English and Chinese decks, and this is ${nameOf(primary)}; a target with a text model writes it, and a document handed in as source is laid out in any language.`
}

function compose({ request, dictionary, found = [] }: WriteJob): SlidesWriteResult {
  const { title, language = languageOfText(title), slides } = request
  const why = whyNotInLanguage(request)
  if (why !== undefined) throw new GatewayError('invalid_request', `language: ${why}`, { field: 'language' })
  if (dictionary) nouns ??= new WordNet(dictionary)
  const deck = composeDeck({
    title,
    language: primaryOf(language) === 'zh' ? 'zh' : 'en',
    ...(slides === undefined ? {} : { slides }),
    found,
    ...(nouns ? { nouns } : {}),
  })
  return { ...deck, language }
}

interface DocumentContext extends Pick<EngineCall, 'giveWay'> {
  request: SlidesWriteRequest
}

async function writeFrom({ path, mediaType }: InputFile, { request, giveWay }: DocumentContext): Promise<SlidesWriteResult | Failed> {
  if (!/^text\/(markdown|x-markdown|plain)/.test(mediaType))
    throw new GatewayError('unsupported_media_type', `source: it is ${mediaType}; Markdown and plain text can be laid out.`, {
      field: 'source',
    })
  const { size } = await stat(path)
  if (size > mostSourceBytes)
    throw new GatewayError('payload_too_large', `source: it has ${size} bytes; at most ${mostSourceBytes}.`, { field: 'source' })
  const text = await readFile(path, 'utf8')
  const refused = await reviewDocument(text, { giveWay })
  if (refused) return refused
  const found = slidesOfDocument(text, 'From the document that was handed in.')
  if (found.slides.length === 0) throw new GatewayError('invalid_input_file', 'source: there is no text in it.', { field: 'source' })
  const language = request.language ?? languageOfText(`${request.title} ${text.slice(0, 2000)}`)
  const slides = request.slides ?? mostSlides
  const besideAgenda = found.slides.slice(0, slides - 2)
  const heads = [...new Set(besideAgenda.filter(({ layout }) => layout !== 'chart').map(({ title }) => title))].filter(
    head => head !== request.title,
  )
  const hasAgenda = slides >= 8 && found.slides.length >= 6 && heads.length >= 3 && heads.length <= mostHeads
  const agenda: Slide = { layout: 'agenda', title: wordsOf(language).agenda, points: heads, notes: '' }
  const kept = hasAgenda ? besideAgenda : found.slides.slice(0, slides - 1)
  const left = found.slides.length - kept.length
  const title: Slide = {
    layout: 'title',
    title: request.title,
    points: [],
    ...(found.title !== undefined && found.title !== request.title ? { subtitle: found.title.slice(0, 300) } : {}),
  }
  const comment = `Every slide is in the words of the document.${left > 0 ? ` ${left} slides of its end were left out: slides is ${slides}.` : ''}`
  return { title: request.title, language, slides: [title, ...(hasAgenda ? [agenda] : []), ...kept], comment }
}

function nameOf(primary: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(primary) ?? primary
}
