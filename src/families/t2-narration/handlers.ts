import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { namedVoices, type VoiceFacts } from '@generation-gateway/kit/requests/voices.ts'
import type { Static } from 'typebox'
import type { CallContext, Submission } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { FileReply } from '../../contract/replies.ts'
import { isFinal, resultOf, type Task } from '../../core/records/task.ts'
import { fileOf } from '../shared/speech-run.ts'
import { failureSentence, outputsOf } from '../shared/task-answers.ts'
import { passagesOf } from './directions.ts'
import { resultMs, speedRange, speeds, statusMs, t2, type Variant, variants, volumes } from './family.ts'
import { cuesOf } from './subtitles.ts'

type SpeakInput = Pick<Input<(typeof t2)['operations']['speakNow']>, 'params' | 'query' | 'body'>
type Status = Static<(typeof t2)['operations']['status']['reply']['schema']>

export const t2Entry = implement(t2, {
  speakNow: async (context, input) => {
    const { file, task } = await fileOf(context, narrationOf(context, input, 'short'))
    context.setHeader('x-duration-seconds', resultOf(task, 'speech.synthesize').seconds.toFixed(3))
    return new FileReply(file)
  },
  speakLater: async (context, input) => {
    const { id } = await context.submit(narrationOf(context, input, 'long'))
    return { statusUrl: context.signedUrl('status', { taskId: id }, statusMs), taskId: id }
  },
  status: async (context, { params }) => {
    const task = await context.task(params.taskId ?? '')
    context.setHeader('cache-control', 'no-store')
    if (!isFinal(task.state)) context.setHeader('retry-after', '5')
    return presentStatus(context, task)
  },
  voices: async context => [...namedVoices, ...context.voices.ofEngines()].map(presentVoice),
})

function narrationOf(
  context: CallContext<'voices'>,
  { params, query, body }: SpeakInput,
  variant: Variant,
): Submission<'speech.synthesize'> {
  const { deadlineMs } = variants[variant]
  const request: SpeechRequest = {
    ...spokenOf(context, body, variant),
    speed: speedOf(query['voice-speed']),
    volume: volumes[query['voice-volume']],
    format: { container: containerOf(params.responseFormat ?? '', variant) },
  }
  if (query.voice !== undefined) request.voice = voicesNamed(context)(query.voice)
  return { capability: 'speech.synthesize', request, deadlineMs }
}

/** Returns the text to speak, or its cues or passages. */
function spokenOf(
  context: CallContext<'voices'>,
  { text: sent, type }: SpeakInput['body'],
  variant: Variant,
): Pick<SpeechRequest, 'text' | 'cues' | 'passages'> {
  const { bytes: most, minutes } = variants[variant]
  // The form has only one value, without a name. Some clients nevertheless send a name, `text=`.
  const text = type === 'application/x-www-form-urlencoded' ? sent.replace(/^text=/, '') : sent
  const bytes = Buffer.byteLength(text)
  if (bytes > most) throw new GatewayError('payload_too_large', `The text has ${bytes} bytes; at most ${most} of the ${variant} variant.`)
  if (type === 'text/plain' || type === 'application/x-www-form-urlencoded') {
    const directed = passagesOf(text, voicesNamed(context))
    if (!directed) return { text }
    const { passages, silentSeconds } = directed
    if (silentSeconds <= minutes * 60) return { text: '', passages }
    const message = `The body has pauses of ${Math.ceil(silentSeconds)} s together; at most ${minutes * 60} s of the ${variant} variant.`
    throw invalidField('body', message, 'length')
  }
  const { cues, unread } = cuesOf(text, type === 'text/vtt' ? 'vtt' : 'srt')
  if (unread !== undefined) context.warn('body: the text before the first time is not read.')
  const endMs = cues.reduce((latest, cue) => Math.max(latest, cue.endMs), 0)
  if (endMs > minutes * 60_000)
    throw invalidField(
      'body',
      `The body has a cue that ends after ${Math.ceil(endMs / 1000)} s; at most ${minutes * 60} s of the ${variant} variant.`,
      'length',
    )
  return { text: '', cues }
}

function containerOf(word: string, variant: Variant): (typeof variants)['long']['formats'][number] {
  const { formats } = variants[variant]
  const container = formats.find(each => each === word)
  if (container) return container
  const message = `responseFormat is ${JSON.stringify(word.slice(0, 40))}; the ${variant} variant takes ${formats.join(', ')}.`
  throw invalidField('responseFormat', message, 'enum')
}

function speedOf(word: string): number {
  const speed = Object.hasOwn(speeds, word) ? (speeds[word] ?? 1) : Number(word)
  if (speed >= speedRange.least && speed <= speedRange.most) return speed
  const message = `voice-speed is ${word}; it must be fast, normal, slow or a number from ${speedRange.least} to ${speedRange.most}.`
  throw invalidField('voice-speed', message, 'range')
}

/** Returns a function that finds a voice by its id or title, in upper or lower case, and returns
 *  its id. The function returns an unknown name unchanged, because the target may know it. The map
 *  of names is built only once, because a text may name voices a hundred thousand times. */
function voicesNamed(context: CallContext<'voices'>): (requested: string) => string {
  const known = [...namedVoices, ...context.voices.ofEngines()].reverse()
  // An id takes precedence over a title, and the first of two equal titles counts.
  const ids = new Map([
    ...known.map(({ title, id }) => [title.toLowerCase(), id] as const),
    ...known.map(({ id }) => [id.toLowerCase(), id] as const),
  ])
  return requested => ids.get(requested.toLowerCase()) ?? requested
}

function presentStatus(context: CallContext, task: Task): Status {
  const isFinished = isFinal(task.state)
  const hasSucceeded = task.state === 'succeeded'
  const message = task.failure ? failureSentence(t2, task.failure) : ''
  const state = {
    finished: isFinished,
    succeeded: hasSucceeded,
    percent: hasSucceeded ? 100 : Math.min(99, Math.floor(task.progress)),
    message,
  }
  const [output] = outputsOf(task)
  if (!hasSucceeded || !output) return state
  const { seconds } = resultOf(task, 'speech.synthesize')
  return { ...state, result: context.link(output, resultMs), durationInSeconds: Math.round(seconds) }
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

function presentVoice({ id, title, language, sex, manner }: VoiceFacts) {
  return { name: id, title, language: languageNames.of(language) ?? language, languageCode: language, gender: sex, styles: [manner] }
}
