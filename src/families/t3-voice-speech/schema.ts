import Type from 'typebox'
import { namedObject, optional, orNull, words } from '../../contract/schemas.ts'
import { namedModelField, promptField } from '../shared/common-fields.ts'
import { outputFormats } from './formats.ts'
import { groupNames, mostCharacters, toldLanguage, usualGroup } from './models.ts'

const part = (description: string) => optional.number({ minimum: 0, maximum: 1, description })
const neighbour = (where: string) => optional.string({ maxLength: mostCharacters, description: `What is said ${where} it, for the tone.` })
const neighbours = (where: string) =>
  optional.array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 3,
    description: `The \`request-id\` of up to three calls of the last two hours that spoke what stands ${where} it, in the order of the text. They go before the text of the same name; one that is not known is refused.`,
  })

export const speakBody = Type.Object({
  text: promptField('The text. At most 10,000 characters, of tts_turbo_v2 30,000, of tts_turbo_v2_5 40,000.', {
    maxLength: mostCharacters,
    examples: ['The first move is what sets everything in motion.'],
  }),
  model_id: Type.Optional(
    namedModelField(
      `${groupNames.map(name => `\`${name}\``).join(', ')}, or the service’s own name of one (\`eleven_...\`). Default ${usualGroup}.`,
    ),
  ),
  language_code: optional.string({
    pattern: '^[a-z]{2}$',
    mustBe: 'a code of ISO 639-1',
    groups: [toldLanguage],
    examples: ['en'],
    description: 'ISO 639-1.',
  }),
  voice_settings: optional.object({
    stability: part('How even the voice stays.'),
    similarity_boost: part('How near it keeps to the voice.'),
    style: part('How much of the voice’s style is exaggerated.'),
    use_speaker_boost: Type.Boolean({ default: true, description: 'Nearer to the speaker.' }),
    speed: optional.number({ minimum: 0.7, maximum: 1.2, source: 'ours', description: '1 is the usual pace.' }),
  }),
  pronunciation_dictionary_locators: optional.array(
    Type.Object({
      pronunciation_dictionary_id: Type.String({ minLength: 1, maxLength: 200 }),
      version_id: optional.string({ maxLength: 200, description: 'Ignored, since every dictionary has one version.' }),
    }),
    {
      maxItems: 3,
      description: 'Dictionaries of the account, or of the configuration file (`pronunciation_dictionaries`), the first wins.',
    },
  ),
  seed: optional.integer({ minimum: 0, maximum: 4_294_967_295, description: 'The same seed gives the same sound.' }),
  previous_text: neighbour('before'),
  next_text: neighbour('after'),
  previous_request_ids: neighbours('before'),
  next_request_ids: neighbours('after'),
})

export const speakQuery = Type.Object({
  enable_logging: Type.Boolean({ default: true, description: '`false`: nothing of the text or the sound is kept.' }),
  optimize_streaming_latency: optional.integer({
    minimum: 0,
    maximum: 4,
    description: 'Deprecated, and not looked at: sound is always sent as early as it can be. 0 is ours.',
  }),
  output_format: words(outputFormats, { default: 'mp3_44100_128', description: 'Codec, samples a second and kbit/s.' }),
})

export const voiceList = namedObject('VoiceList', {
  voices: Type.Array(
    Type.Object({
      voice_id: Type.String(),
      name: Type.String(),
      category: Type.Literal('premade'),
      labels: Type.Record(Type.String(), Type.String()),
      description: Type.String(),
      preview_url: orNull<string>('string'),
    }),
  ),
  has_more: Type.Literal(false),
  total_count: Type.Integer(),
  next_page_token: orNull<string>('string'),
})

export const modelList = Type.Array(
  Type.Object({
    model_id: Type.String(),
    name: Type.String(),
    can_do_text_to_speech: Type.Literal(true),
    can_do_voice_conversion: Type.Literal(false),
    languages: Type.Array(Type.Object({ language_id: Type.String(), name: Type.String() })),
    max_characters_request_free_user: Type.Integer(),
    max_characters_request_subscribed_user: Type.Integer(),
    maximum_text_length_per_request: Type.Integer(),
  }),
  { name: 'VoiceModelList' },
)

/** Pronunciation dictionaries by id. When several have an entry for a word, the first one
 *  applies. */
export const dictionaries = Type.Record(
  Type.String({ minLength: 1 }),
  Type.Array(
    Type.Object(
      { word: Type.String({ minLength: 1, maxLength: 200 }), say: Type.String({ minLength: 1, maxLength: 200 }) },
      { additionalProperties: false },
    ),
    { maxItems: 10_000 },
  ),
  { description: 'Words that T3 says another way, by the id of their dictionary: `{ brands: [{ word: nginx, say: "engine x" }] }`.' },
)
