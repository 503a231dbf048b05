import { localeOf } from '@generation-gateway/kit/languages.ts'
import { implement } from '../../contract/family.ts'
import { resultOf } from '../../core/records/task.ts'
import { localesIn, warnOfUnknownLocales } from '../shared/recognition-locales.ts'
import { recordingLength } from '../shared/recording-length.ts'
import { runToEnd } from '../shared/run-end.ts'
import { r4 } from './family.ts'

export const r4Entry = implement(r4, {
  recognize: async (context, { body, files }) => {
    const languages = localesIn(body.recognitionLanguages)
    const voiceActivity = { silenceMs: body.timeout }
    const request = {
      languages,
      candidates: true,
      temperature: 0,
      words: false,
      logprobs: false,
      profanity: 'masked',
      voiceActivity,
    } as const
    const task = await runToEnd(context, { capability: 'audio.transcribe', request, inputs: files })
    const { text, language, seconds, unheard } = resultOf(task, 'audio.transcribe')
    warnOfUnknownLocales(context, unheard)
    const [first = language] = languages
    return { text, language: text === '' ? first : (localeOf(language, languages) ?? language), ...recordingLength(seconds) }
  },
})
