/** Demos of speech: calls that speak a text, and calls that transcribe the spoken text. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Demo, type DemoCall, type DemoContext, demoOutput, type OutputJudge, saved, timeSince } from './demo.ts'
import { allOf } from './judge/judge.ts'
import { sound } from './judge/sound.ts'
import { hasWords, isSrt, says } from './judge/words.ts'
import { call, follow, poll, postJson } from './post.ts'

const narration =
  'The lighthouse on Gull Island was built in 1852. On a clear night its beam can be seen from 18 miles away. Every evening, at half past seven, the keeper climbs 214 steps to light it.'
/** Words in the spoken text that every speech recognizer should find. */
const words = 'lighthouse island was built 1852 clear night beam seen 18 miles evening keeper climbs 214 steps'.split(' ')

const cues = `1
00:00:00,500 --> 00:00:03,000
Here is the first picture.

2
00:00:04,000 --> 00:00:07,000
And this is the second one, four seconds in.
`

export const t1Demo: Demo = {
  family: 'T1',
  calls: [
    speech('t1-narration', 'A narration', {
      path: 'audio/speech',
      ending: 'mp3',
      body: { model: 'tts-1', voice: 'shimmer', input: narration },
    }),
    speech('t1-story', 'A story teller', {
      path: 'audio/speech',
      ending: 'mp3',
      body: { model: 'tts-1', voice: 'fable', input: 'Once upon a time, a fox and a crow shared the same tree.' },
    }),
  ],
}

export const t2Demo: Demo = {
  family: 'T2',
  calls: [
    {
      id: 't2-subtitles',
      title: 'Subtitles, each spoken at its time',
      make: async context => {
        const startedAt = performance.now()
        const headers = { 'content-type': 'application/x-subrip' }
        const answer = await call(context, '/v1/ai/default/tts-n/text-to-speech/m4a', { method: 'POST', headers, body: cues })
        const { statusUrl } = (await answer.json()) as { statusUrl: string }
        const result = await poll<Status, string>(context, statusUrl, ({ finished, succeeded, result: link, message }) => {
          if (!finished) return undefined
          if (!succeeded || link === undefined) throw new GatewayError('upstream_error', message)
          return link
        })
        const bytes = Buffer.from(await (await follow(result)).arrayBuffer())
        return spoken(context, 't2-subtitles.m4a', { bytes, text: cues, startedAt })
      },
      judge: sound({
        seconds: [6, 9],
        heard: [
          [0.5, 3],
          [4, 7],
        ],
      }),
    },
  ],
}

export const t3Demo: Demo = {
  family: 'T3',
  calls: [
    speech('t3-voice', 'The voice Adam', {
      path: 'tts-e/text-to-speech/pNInz6obpgDQGcFmaJgB',
      ending: 'mp3',
      body: { text: 'Ladies and gentlemen, we are about to land. Please fasten your seat belts.' },
    }),
  ],
}

export const r1Demo: Demo = {
  family: 'R1',
  calls: [
    transcription('r1-transcript', 'The narration, written down', {
      path: 'audio/transcriptions',
      fields: { model: 'gpt-4o-transcribe' },
      judge: hasWords(words),
    }),
    transcription('r1-subtitles', 'The narration as subtitles', {
      path: 'audio/transcriptions',
      fields: { model: 'whisper-1', response_format: 'srt' },
      judge: allOf(isSrt(15), hasWords(words)),
    }),
  ],
}

export const r5Demo: Demo = {
  family: 'R5',
  calls: [
    transcription('r5-translation', 'The narration in Spanish and French', {
      path: 'audio/realtime/translation',
      fields: { recognitionLanguages: 'en-US', targetLanguages: 'es,fr' },
      judge: allOf(hasWords(words), says(/^es: .*\bfaro\b.*1852/m, /^fr: .*\bphare\b.*1852/m)),
    }),
  ],
}

interface Status {
  finished: boolean
  succeeded: boolean
  result?: string
  message: string
}

interface SpeechDemo {
  path: string
  ending: string
  body: Record<string, unknown>
}

function speech(id: string, title: string, { path, ending, body }: SpeechDemo): DemoCall {
  return {
    ...{ id, title },
    make: async context => {
      const startedAt = performance.now()
      const answer = await postJson(context, `/v1/ai/default/${path}`, body)
      const bytes = Buffer.from(await answer.arrayBuffer())
      return spoken(context, `${id}.${ending}`, { bytes, text: String(body.input ?? body.text), startedAt })
    },
    judge: sound({ seconds: secondsOf(String(body.input ?? body.text)) }),
  }
}

/** Returns the shortest and longest allowed length in seconds for a spoken text, at 0.2 to 0.8 s
 *  per word. */
function secondsOf(text: string): [least: number, most: number] {
  const count = text.split(/\s+/).length
  return [count * 0.2, count * 0.8]
}

interface TranscriptionDemo {
  path: string
  fields: Record<string, string>
  judge: OutputJudge
}

/** Returns a call of the demo that transcribes the text which an earlier call has spoken. */
function transcription(id: string, title: string, { path, fields, judge }: TranscriptionDemo): DemoCall {
  return {
    ...{ id, title },
    uses: 't1-narration',
    make: async context => {
      const startedAt = performance.now()
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('file', new Blob([Buffer.from(await demoOutput(context, 't1-narration'), 'base64')]), 'narration.mp3')
      const answer = await call(context, `/v1/ai/default/${path}`, { method: 'POST', body: form })
      const text = textOf(await answer.text())
      const facts = `written down in ${timeSince(startedAt)}`
      return saved(context, `${id}.${fields.response_format ?? 'txt'}`, { bytes: Buffer.from(`${text}\n`), facts, text })
    },
    judge,
  }
}

/** Returns the transcribed text in a JSON or text answer. */
function textOf(answer: string): string {
  if (!answer.startsWith('{')) return answer.trim()
  // The cast is safe: the gateway's answers have the documented shape.
  const { text, translations = {} } = JSON.parse(answer) as { text: string; translations?: Record<string, string> }
  return [text, ...Object.entries(translations).map(([language, translated]) => `${language}: ${translated}`)].join('\n')
}

function spoken(context: DemoContext, file: string, { bytes, text, startedAt }: { bytes: Buffer; text: string; startedAt: number }) {
  const facts = `${Math.round(bytes.length / 1000)} kB in ${timeSince(startedAt)}`
  return saved(context, file, { bytes, facts, text })
}
