import { localeOf } from '@generation-gateway/kit/languages.ts'
import { implement } from '../../contract/family.ts'
import { resultOf } from '../../core/records/task.ts'
import { localesIn, warnOfUnknownLocales } from '../shared/recognition-locales.ts'
import { recordingLength } from '../shared/recording-length.ts'
import { runToEnd } from '../shared/run-end.ts'
import { usualRecognition } from '../shared/usual-requests.ts'
import { r4 } from './family.ts'

export const r4Entry = implement(r4, {
  recognize: async (context, { body, files }) => {
    const languages = localesIn(body.recognitionLanguages)
    const request = { ...usualRecognition, languages, candidates: true as const, voiceActivity: { silenceMs: body.timeout } }
    const task = await runToEnd(context, { capability: 'audio.transcribe', request, inputs: files })
    const { text, language, seconds, unheard } = resultOf(task, 'audio.transcribe')
    warnOfUnknownLocales(context, unheard)
    const [first = language] = languages
    return { text, language: text === '' ? first : (localeOf(language, languages) ?? language), ...recordingLength(seconds) }
  },
})
