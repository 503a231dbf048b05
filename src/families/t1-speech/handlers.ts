import { mediaTypeOf } from '@generation-gateway/kit/audio/encode.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { tokensIn } from '@generation-gateway/kit/requests/token-estimate.ts'
import { t1Voices, t3Voices } from '@generation-gateway/kit/requests/voices.ts'
import type { Static } from 'typebox'
import type { CallContext, Submission } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { Base64Of, type ReplyFrame, StreamedReply } from '../../contract/replies.ts'
import { resultOf, type Task } from '../../core/records/task.ts'
import { runSpeech, type SpeechRun, type SpeechRunPart, soundReply } from '../shared/speech-run.ts'
import { formats, type speechEvent, t1 } from './family.ts'

type Body = Input<(typeof t1)['operations']['speak']>['body']
type SpeechEventData = Static<typeof speechEvent>
type Usage = Extract<SpeechEventData, { type: 'speech.audio.done' }>['usage']

/** Number of tokens that `gpt-4o-mini-tts` counts for a second of generated sound. */
const outputTokensPerSecond = 1250 / 60

export const t1Entry = implement(t1, {
  speak: async (context, { body }) => {
    const submission = { capability: 'speech.synthesize', request: requestOf(context, body) } as const
    // Both kinds of answer start when the first sound has arrived, so an earlier failure can still
    // be reported with an HTTP status.
    if (body.stream_format === 'sse') return new StreamedReply(framesOf(context, body, submission))
    return soundReply(await runSpeech(context, submission), mediaTypeOf(formats[body.response_format]))
  },
  voices: async context => {
    const known = [...t1Voices, ...context.voices.ofEngines(), ...t3Voices].map(({ id, title }) => ({ id, name: title }))
    const ids = new Set(known.map(({ id }) => id))
    const further = new Set(context.voices.ofTargets().flatMap(({ name }) => (ids.has(name) ? [] : [name])))
    return { voices: [...known, ...[...further].map(name => ({ id: name, name }))] }
  },
  models: async context => ({
    models: context.models
      .list()
      .filter(({ families }) => families.includes(t1.id))
      .map(({ id, title }) => ({ id, name: title })),
  }),
})

function requestOf(context: CallContext, { input, voice, speed, instructions, response_format: word }: Body): SpeechRequest {
  const request: SpeechRequest = {
    text: input,
    voice: typeof voice === 'string' ? voice : voice.id,
    speed,
    volume: 0,
    format: formats[word],
  }
  if (instructions !== undefined && instructions !== '') request.instructions = instructions
  if (context.model.group === 'tts-1-hd') request.quality = 'best'
  return request
}

async function* framesOf(
  context: CallContext<'accountTasks'>,
  body: Body,
  submission: Submission<'speech.synthesize'>,
): AsyncGenerator<ReplyFrame> {
  const { parts, file, task }: SpeechRun & { task?: Task } = await runSpeech(context, submission)
  const done = async (ended: Task): Promise<ReplyFrame> => {
    const data: SpeechEventData = { type: 'speech.audio.done', usage: await usageOf(context, body, ended) }
    return { data }
  }
  if (file && task) {
    yield { data: { type: 'speech.audio.delta', audio: new Base64Of(file) } }
    yield await done(task)
  }
  for await (const part of parts ?? []) yield part.type === 'sound' ? deltaOf(part) : await done(part.task)
  yield { data: '[DONE]' }
}

function deltaOf({ bytes }: Extract<SpeechRunPart, { type: 'sound' }>): ReplyFrame {
  const data: SpeechEventData = { type: 'speech.audio.delta', audio: Buffer.from(bytes).toString('base64') }
  return { data }
}

async function usageOf(context: CallContext<'accountTasks'>, { input }: Body, task: Task): Promise<Usage> {
  const { lines } = await context.accountTasks.usage(task.id)
  const counted = (wanted: string) => lines.find(({ unit }) => unit === wanted)?.units
  const input_tokens = counted('input_tokens') ?? tokensIn(input)
  const output_tokens = counted('output_tokens') ?? Math.round(resultOf(task, 'speech.synthesize').seconds * outputTokensPerSecond)
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
}
