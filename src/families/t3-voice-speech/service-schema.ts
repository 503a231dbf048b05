/** Schemas of ElevenLabs' further operations in family T3, in the formats that its clients
 *  parse. */
import Type from 'typebox'
import type { Base64Of } from '../../contract/replies.ts'
import { namedObject, optional, orNull, words } from '../../contract/schemas.ts'
import { voiceList } from './schema.ts'

const seconds = (description: string) => Type.Array(Type.Number({ unit: 's' }), { description })

const alignment = namedObject(
  'VoiceAlignment',
  {
    characters: Type.Array(Type.String(), { description: 'Of the text, in its order.' }),
    character_start_times_seconds: seconds('When each begins.'),
    character_end_times_seconds: seconds('When each ends.'),
  },
  { description: 'Estimated: the length of the sound is shared out among the characters, which `x-gateway-warning` says.' },
)

export const timedSpeech = namedObject('TimedVoiceSpeech', {
  audio_base64: Type.Unsafe<Base64Of | string>({ type: 'string', description: 'The sound.' }),
  alignment,
  normalized_alignment: alignment,
})

const someWords = (description: string) => optional.string({ minLength: 1, maxLength: 200, description })

export const searchQuery = Type.Object({
  search: someWords('Words in name, description, language, sex or age.'),
  gender: someWords('`female` or `male`.'),
  age: someWords('Like `young`.'),
  language: someWords('Like `en`, or a locale; several with commas.'),
  accent: someWords('The locale, as in `labels`.'),
  category: someWords('All are `premade`.'),
  voice_type: someWords('All are `default`: for `personal`, `community`, `workspace` and `non-default` the list is empty.'),
  voice_ids: optional.string({ minLength: 1, maxLength: 4_000, description: 'Ids, with commas.' }),
  sort: optional.words(['name', 'created_at_unix']),
  sort_direction: optional.words(['asc', 'desc']),
  page_size: optional.integer({ minimum: 1, maximum: 100, description: 'Voices of a page; absent: all of them.' }),
  next_page_token: optional.string({
    pattern: '^[0-9]{1,6}$',
    mustBe: 'the next_page_token of a page',
    description: 'Of the page before.',
  }),
  include_total_count: Type.Boolean({ default: true, description: 'Changes nothing: the number is always there.' }),
})

const { voices } = voiceList.properties
export const voicePage = namedObject('VoicePage', {
  voices,
  has_more: Type.Boolean(),
  total_count: Type.Integer(),
  next_page_token: orNull<string>('string'),
})
export const oneVoice = namedObject('VoiceFacts', { ...voices.items.properties })

const price = namedObject('VoicePrice', { amount: Type.String(), currency: Type.String() })

const subscriptionFields = {
  tier: Type.String({ description: '`gateway`.' }),
  character_count: Type.Integer({ description: 'Characters used of the tightest quota of characters; without one those of 30 days.' }),
  character_limit: Type.Integer({ description: 'Of that quota; without one the largest number that clients read.' }),
  max_character_limit_extension: orNull<number>('integer'),
  max_credit_limit_extension: Type.Integer(),
  can_extend_character_limit: Type.Boolean(),
  allowed_to_extend_character_limit: Type.Boolean(),
  next_character_count_reset_unix: orNull<number>('integer'),
  voice_slots_used: Type.Integer(),
  professional_voice_slots_used: Type.Integer(),
  professional_voice_slots_used_in_workspace: Type.Integer(),
  voice_limit: Type.Integer(),
  voice_add_edit_counter: Type.Integer(),
  professional_voice_limit: Type.Integer(),
  can_extend_voice_limit: Type.Boolean(),
  can_use_instant_voice_cloning: Type.Boolean(),
  can_use_professional_voice_cloning: Type.Boolean(),
  current_overage: price,
  status: words(['active']),
  next_invoice: orNull<string>('string'),
  open_invoices: Type.Array(Type.String()),
  has_open_invoices: Type.Boolean(),
}
export const subscriptionReply = namedObject('VoiceSubscription', subscriptionFields)

export const userReply = namedObject('VoiceUser', {
  user_id: Type.String({ description: 'The account.' }),
  workspace_id: Type.String({ description: 'The account.' }),
  first_name: Type.String({ description: 'Name of the access key.' }),
  subscription: subscriptionReply,
  is_new_user: Type.Boolean(),
  can_use_delayed_payment_methods: Type.Boolean(),
  is_onboarding_completed: Type.Boolean(),
  is_onboarding_checklist_completed: Type.Boolean(),
  is_api_key_hashed: Type.Boolean(),
  seat_type: words(['workspace_member']),
  created_at: Type.Integer({ unit: 's', description: 'Always 0: the gateway does not report it.' }),
})
