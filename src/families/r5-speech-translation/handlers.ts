import { hash } from 'node:crypto'
import { localeOf } from '@generation-gateway/kit/languages.ts'
import type { TranslateRequest } from '@generation-gateway/kit/requests/transcript.ts'
import { type Input, implement } from '../../contract/family.ts'
import { resultOf } from '../../core/records/task.ts'
import { listed, localesIn, warnOfUnknownLocales } from '../shared/recognition-locales.ts'
import { recordingLength } from '../shared/recording-length.ts'
import { runToEnd } from '../shared/run-end.ts'
import { usualRecognition } from '../shared/usual-requests.ts'
import { mostSeconds, r5 } from './family.ts'
import { codeOf } from './targets.ts'

type Body = Input<(typeof r5)['operations']['translate']>['body']

export const r5Entry = implement(r5, {
  translate: async (context, { body, files }) => {
    const request = requestOf(body)
    const task = await runToEnd(context, { capability: 'audio.translate', request, inputs: files })
    const { text, language, seconds, translations, unheard } = resultOf(task, 'audio.translate')
    warnOfUnknownLocales(context, unheard)
    const says = files.find(({ role }) => role === 'audio')?.durationSeconds ?? 0
    // The length of the decoded sound is checked as well, because the header of the file may state
    // a shorter length.
    if (says > mostSeconds || (says < mostSeconds && seconds >= mostSeconds)) context.setHeader('x-audio-truncated', 'true')
    const [first = language] = request.languages
    return {
      text,
      translations: Object.fromEntries(listed(body.targetLanguages).map(target => [target, translations[codeOf(target) ?? target] ?? ''])),
      language: text === '' ? first : (localeOf(language, request.languages) ?? language),
      // The id is derived from the task, so a repeat of the request has the same id.
      resultId: hash('sha256', task.id).slice(0, 32),
      ...recordingLength(Math.min(seconds, mostSeconds)),
    }
  },
})

function requestOf(body: Body): TranslateRequest {
  const locales = localesIn(body.recognitionLanguages)
  const isReported = /^(true|1)$/i.test(body.hasRecognize)
  return {
    ...usualRecognition,
    languages: isReported ? locales : locales.slice(0, 1),
    candidates: true,
    targets: [...new Set(listed(body.targetLanguages).map(target => codeOf(target) ?? target))],
    voiceActivity: { silenceMs: body.SegmentationSilenceTimeoutMs },
    firstSeconds: mostSeconds,
  }
}
