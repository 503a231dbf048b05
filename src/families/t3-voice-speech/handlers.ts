import { mediaTypeOf } from '@generation-gateway/kit/audio/encode.ts'
import { defined } from '@generation-gateway/kit/defined.ts'
import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { t3Voices, type VoiceFacts } from '@generation-gateway/kit/requests/voices.ts'
import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { Base64Of, BytesReply } from '../../contract/replies.ts'
import { runSpeech, soundReply } from '../shared/speech-run.ts'
import { subscriptionOf, userOf } from './account.ts'
import { estimatedAlignment } from './alignment.ts'
import { pronunciationsOf } from './dictionaries.ts'
import { dictionaryHandlers } from './dictionary-handlers.ts'
import { t3 } from './family.ts'
import { formatOf } from './formats.ts'
import { aliases, groupNames, groups, isEnglish } from './models.ts'
import { edgesOf, type Neighbours, spokenByCalls } from './neighbours.ts'
import type { modelList, voiceList } from './schema.ts'
import { secondsOf, timedLines, wholeSound } from './timed.ts'
import { searchVoices } from './voice-search.ts'

type SpeakInput = Input<(typeof t3)['operations']['speak']>
type Body = SpeakInput['body']

export const t3Entry = implement(t3, {
  speak: async (context, input) => {
    const submission = await submissionOf(context, input)
    const spoken = await runSpeech(context, submission)
    headOf(context, input.body, spoken.taskId)
    return soundReply(spoken, mediaTypeOf(submission.request.format))
  },
  speakTimed: async (context, input) => {
    const { taskId, audio, seconds } = await wholeSound(context, await submissionOf(context, input))
    headOf(context, input.body, taskId)
    context.warn(estimated)
    const alignment = estimatedAlignment(input.body.text, seconds)
    return { audio_base64: audio, alignment, normalized_alignment: alignment }
  },
  streamTimed: async (context, input) => {
    const spoken = await runSpeech(context, await submissionOf(context, input))
    headOf(context, input.body, spoken.taskId)
    context.warn(estimated)
    if (spoken.parts) return new BytesReply('application/x-ndjson', timedLines(spoken.parts, input.body.text))
    const alignment = estimatedAlignment(input.body.text, secondsOf(spoken.task))
    return { audio_base64: new Base64Of(spoken.file), alignment, normalized_alignment: alignment }
  },
  voices: async context => {
    const voices = voicesOf(context).map(presentVoice)
    return { voices, has_more: false as const, total_count: voices.length, next_page_token: null }
  },
  searchVoices: async (context, { query }) => {
    const { page, total, next } = searchVoices(voicesOf(context), query)
    return { voices: page.map(presentVoice), has_more: next !== undefined, total_count: total, next_page_token: next ?? null }
  },
  voice: async (context, { params }) => {
    const id = params.voice_id ?? ''
    const voice = voicesOf(context).find(each => each.id === id)
    if (voice) return presentVoice(voice)
    throw invalidField('voice_id', `There is no voice ${JSON.stringify(id.slice(0, 64))}.`, 'voice')
  },
  models: async () => [
    ...groupNames.flatMap(group => [group, ...groups[group].names].map(id => presentModel(id, group))),
    ...Object.entries(aliases).map(([id, group]) => presentModel(id, group)),
  ],
  user: userOf,
  subscription: async context => subscriptionOf(await context.keyUsage({})),
  ...dictionaryHandlers,
})

const estimated = 'alignment: the times are estimated from the length of the sound.'

function headOf(context: CallContext, { text }: Body, taskId: string): void {
  context.setHeader('character-cost', String([...text].length))
  context.setHeader('request-id', taskId)
}

async function submissionOf(
  context: CallContext<'accountTasks' | 'files' | 'section'>,
  { params, query, body }: Pick<SpeakInput, 'params' | 'query' | 'body'>,
) {
  const format = formatOf(query.output_format)
  const request: SpeechRequest = {
    text: body.text,
    voice: params.voice_id ?? '',
    speed: body.voice_settings?.speed ?? 1,
    volume: 0,
    format,
    ...plainFields(body),
    ...(await neighboursOf(context, body)),
    ...(await pronunciationsOf(context, body.pronunciation_dictionary_locators)),
  }
  const isPrivate = !query.enable_logging
  if (isPrivate) request.isPrivate = true
  const shown = isPrivate ? {} : { shown: edgesOf(body.text) }
  return { capability: 'speech.synthesize', request, ...shown } as const
}

function voicesOf(context: CallContext<'voices'>): VoiceFacts[] {
  return [...t3Voices, ...context.voices.ofEngines()]
}

function plainFields({ language_code: language, seed, voice_settings: settings }: Body): Partial<SpeechRequest> {
  const { stability, similarity_boost: similarity, style: exaggeration, use_speaker_boost: boost } = settings ?? {}
  const given = Object.entries({ stability, similarity, exaggeration, boost }).filter(([, value]) => value !== undefined)
  return {
    ...defined({ language, seed }),
    ...(given.length === 0 ? {} : { style: Object.fromEntries(given) }),
  }
}

type NeighbourFields = Pick<SpeechRequest, 'previousText' | 'nextText' | 'previousSounds' | 'nextSounds'>

/** Returns the sounds and texts that come before and after the text to speak. Ids of neighbouring
 *  calls take precedence over neighbouring texts (docs/vendors/elevenlabs.md#requests). */
async function neighboursOf(context: CallContext<'accountTasks'>, body: Body): Promise<NeighbourFields> {
  const { previous_request_ids: earlier = [], next_request_ids: later = [] } = body
  const [before, after] = await Promise.all([
    earlier.length > 0
      ? spokenByCalls(context, { ids: earlier, field: 'previous_request_ids', edge: 'ending' })
      : plainText(body.previous_text),
    later.length > 0 ? spokenByCalls(context, { ids: later, field: 'next_request_ids', edge: 'opening' }) : plainText(body.next_text),
  ])
  return {
    ...(before.text ? { previousText: before.text } : {}),
    ...(after.text ? { nextText: after.text } : {}),
    ...(before.sounds.length > 0 ? { previousSounds: before.sounds } : {}),
    ...(after.sounds.length > 0 ? { nextSounds: after.sounds } : {}),
  }
}

function plainText(text = ''): Neighbours {
  return { text, sounds: [] }
}

function presentVoice({ id, title, language, sex, age, manner }: VoiceFacts): Static<typeof voiceList>['voices'][number] {
  const labels = { accent: language, age, gender: sex }
  return { voice_id: id, name: title, category: 'premade', labels, description: manner, preview_url: null }
}

const english = { language_id: 'en', name: 'English' }
/** Languages that the built-in voices speak. */
const manyLanguages = [
  english,
  { language_id: 'es', name: 'Spanish' },
  { language_id: 'fr', name: 'French' },
  { language_id: 'it', name: 'Italian' },
  { language_id: 'pt', name: 'Portuguese' },
  { language_id: 'hi', name: 'Hindi' },
  { language_id: 'zh', name: 'Chinese' },
]

function presentModel(id: string, group: (typeof groupNames)[number]): Static<typeof modelList>[number] {
  const { title, characters } = groups[group]
  return {
    model_id: id,
    name: title,
    can_do_text_to_speech: true,
    can_do_voice_conversion: false,
    languages: isEnglish(group) ? [english] : manyLanguages,
    max_characters_request_free_user: characters,
    max_characters_request_subscribed_user: characters,
    maximum_text_length_per_request: characters,
  }
}
