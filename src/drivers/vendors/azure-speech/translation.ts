/** Translates the speech in a recording in two steps: fast transcription, then the Translator
 *  (`POST /translate`, version 3.0). Azure's own speech translation is not used, because it needs a
 *  WebSocket and gives the same words. */

import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import {
  type Done,
  type Job,
  type JobFacts,
  type OnceOffer,
  type Outcome,
  type Refusal,
  refusal,
} from '@generation-gateway/kit/requests/job.ts'
import type { TranscriptResult, TranscriptSegment, TranslateRequest, TranslateResult } from '@generation-gateway/kit/requests/transcript.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import { jsonBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { refuses, transcribe } from './recognition.ts'
import { owner, settings } from './settings.ts'

/** Limits of one Translator request: characters times target languages, number of texts, number of
 *  target languages. */
const mostCharacters = 50_000
const mostTexts = 1_000
const mostTargets = 20
const maxAnswerBytes = 16 * 1024 * 1024
/** Languages for which the Translator needs another code than the caller's. */
const targetCodes: Readonly<Record<string, string>> = { zh: 'zh-Hans', sr: 'sr-Latn', no: 'nb' }

/** Returns the offer with which the driver serves `audio.translate`. Each step is sent only once,
 *  because it is paid and Azure has no idempotency key. */
export function translations(tools: ServiceTools): OnceOffer<TranslateRequest> {
  return once<TranslateRequest>(job => translate(tools, job), { refuses: refusesTranslation })
}

function refusesTranslation(jobFacts: JobFacts<TranslateRequest>): Refusal | undefined {
  const { length } = jobFacts.request.targets
  if (length > mostTargets) return refusal('targets', `are ${length}; ${owner} translates into at most ${mostTargets} at once.`)
  return refuses(jobFacts)
}

async function translate(tools: ServiceTools, job: Job<TranslateRequest>): Promise<Outcome> {
  const heard = (await transcribe(tools, job)) ?? emptyTranscript(job)
  if (heard.state !== 'done') return heard
  // The cast is safe: the report of a transcription always has this type.
  const report = heard.report as TranscriptResult
  try {
    const translatedSegments = await translated(tools, job, report)
    const result: TranslateResult = {
      ...report,
      translations: Object.fromEntries(Object.entries(translatedSegments).map(([target, parts]) => [target, joined(parts, target)])),
      translatedSegments,
    }
    return { ...heard, report: { ...result } }
  } catch (error) {
    // The transcription was paid, so a failed translation may still be charged.
    if (error instanceof GatewayError) return failedAfterPay(error.code, error.message)
    throw error
  }
}

/** Returns the transcript of a recording without speech. */
function emptyTranscript({ request: { languages } }: Job<TranslateRequest>): Done {
  const report: TranscriptResult = { text: '', language: languages[0] ?? 'und', seconds: 0, segments: [] }
  return { state: 'done', files: [], report: { ...report }, usage: [{ unit: 'seconds', units: 0 }] }
}

async function translated(
  tools: ServiceTools,
  job: Job<TranslateRequest>,
  { segments, language }: TranscriptResult,
): Promise<Record<string, TranscriptSegment[]>> {
  const { targets } = job.request
  const said = segments.filter(({ text }) => text.trim() !== '')
  const found = targets.map((): TranscriptSegment[] => [])
  for (const batch of batchesOf(said, Math.floor(mostCharacters / Math.max(1, targets.length)))) {
    const answers = await ask(tools, job, { batch, language })
    for (const [at, { startSeconds, endSeconds }] of batch.entries())
      for (const [target, parts] of found.entries()) parts.push({ text: answers[at]?.[target] ?? '', startSeconds, endSeconds })
  }
  return Object.fromEntries(targets.map((target, at) => [target, found[at] ?? []]))
}

function batchesOf(segments: readonly TranscriptSegment[], most: number): TranscriptSegment[][] {
  const batches: TranscriptSegment[][] = []
  let characters = most
  for (const segment of segments) {
    const { length } = segment.text
    if (characters + length > most || batches.at(-1)?.length === mostTexts) {
      batches.push([])
      characters = 0
    }
    characters += length
    batches.at(-1)?.push(segment)
  }
  return batches
}

/** Requests the translations of a batch of segments. Returns for each segment its translated
 *  texts, in the order of the target languages. */
function ask(
  { submits }: ServiceTools,
  job: Job<TranslateRequest>,
  { batch, language }: { batch: readonly TranscriptSegment[]; language: string },
): Promise<string[][]> {
  const { targets } = job.request
  const { translating: upstream, waits } = settings.targetOf(job.settings)
  const query = new URLSearchParams([['api-version', '3.0'], ...fromOf(language), ...targets.map(to => ['to', targetCodes[to] ?? to])])
  return submitPaid({
    ...{ submits, job, target: { upstream, waits }, path: `/translate?${query}`, owner },
    body: jsonBody(batch.map(({ text }) => ({ Text: text }))),
    read: async answer => {
      const texts = objectsOf(await answer.json(maxAnswerBytes)).map(({ translations: made }) =>
        objectsOf(made).flatMap(({ text }) => textOf(text) ?? []),
      )
      if (texts.length !== batch.length || texts.some(each => each.length !== targets.length))
        throw new GatewayError('upstream_error', `The answer of ${owner} lacks translations.`)
      return texts
    },
  })
}

/** Returns the query parameter with the source language in the Translator's notation; empty when
 *  the language is unknown, so that the Translator detects it. */
function fromOf(locale: string): [string, string][] {
  // `Intl.Locale` throws for many other tags, so it gets only the language, script and region.
  const [known] = /^(?!und)[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?=-|$)/i.exec(locale) ?? []
  if (known === undefined) return []
  const { language, script } = new Intl.Locale(known).maximize()
  return [['from', language === 'zh' && script !== undefined ? `zh-${script}` : (targetCodes[language] ?? language)]]
}

/** Returns the texts joined into one. The texts are joined without spaces in languages that are
 *  written without spaces between words. */
function joined(parts: readonly TranscriptSegment[], target: string): string {
  return parts.map(({ text }) => text).join(/^(?:zh|ja|th|lo|km|my|yue)\b/.test(target) ? '' : ' ')
}
