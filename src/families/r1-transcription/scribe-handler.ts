/** Serves transcriptions (R1) in the format of ElevenLabs. */
import { invalidField } from '@generation-gateway/kit/errors.ts'
import { spokenLanguage } from '@generation-gateway/kit/languages.ts'
import type { TranscribeRequest, TranscriptResult } from '@generation-gateway/kit/requests/transcript.ts'
import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import type { Input } from '../../contract/family.ts'
import { resultOf } from '../../core/records/task.ts'
import { runToEnd } from '../shared/run-end.ts'
import type { ScribeBody, scribe, scribeReply } from './scribe.ts'
import { rounded } from './segments.ts'

type Reply = Static<typeof scribeReply>
type Word = Reply['words'][number]

const usualSpeakers = 10

export async function transcribeScribe(context: CallContext, { query, body, files }: Input<typeof scribe>): Promise<Reply> {
  if (!query.enable_logging)
    throw invalidField('enable_logging', 'enable_logging is false; a transcription is a task, which is kept.', 'private')
  if (body.timestamps_granularity === 'character') context.warn('timestamps_granularity: there are times of words, none of characters.')
  const task = await runToEnd(context, { capability: 'audio.transcribe', request: requestOf(body), inputs: files })
  const result = resultOf(task, 'audio.transcribe')
  return {
    language_code: result.language,
    language_probability: 1,
    text: result.text,
    words: body.timestamps_granularity === 'none' ? [] : wordsOf(result, body.diarize),
    transcription_id: task.id,
    audio_duration_secs: rounded(result.seconds),
  }
}

function requestOf({
  language_code: language,
  keyterms = [],
  temperature = 0,
  diarize,
  num_speakers: most = usualSpeakers,
}: ScribeBody): TranscribeRequest {
  return {
    languages: language === undefined ? [] : [languageOf(language)],
    ...(keyterms.length > 0 ? { prompt: keyterms.join(', ') } : {}),
    temperature: Math.min(1, temperature),
    words: true,
    logprobs: false,
    profanity: 'kept',
    ...(diarize ? { speakers: { most: Math.max(2, most), names: [] } } : {}),
  }
}

/** Returns the code of a language in its canonical form: `en` for `eng`. An unknown code is
 *  returned unchanged. */
function languageOf(code: string): string {
  const [canonical = code] = canonicalOf(code)
  return spokenLanguage(canonical) === undefined ? code : canonical
}

function canonicalOf(code: string): string[] {
  try {
    return Intl.getCanonicalLocales(code.replaceAll('_', '-'))
  } catch {
    return []
  }
}

/** Returns the words and the spacing between them. */
function wordsOf({ segments }: TranscriptResult, diarize: boolean): Word[] {
  const speakers = [...new Set(segments.map(({ speaker }) => speaker))]
  const said = segments.flatMap(({ words = [], speaker }) =>
    words.map((word): Word => {
      const logprob = word.confidence === undefined || word.confidence <= 0 ? 0 : Math.log(word.confidence)
      const by = diarize ? { speaker_id: `speaker_${speakers.indexOf(speaker)}` } : {}
      return { text: word.text.trim(), start: rounded(word.startSeconds), end: rounded(word.endSeconds), type: 'word', ...by, logprob }
    }),
  )
  return said.flatMap((word, index) => {
    const next = said[index + 1]
    return next ? [word, { ...word, text: ' ', start: word.end, end: Math.max(word.end, next.start), type: 'spacing', logprob: 0 }] : [word]
  })
}
