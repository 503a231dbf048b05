/** Bodies and answers of family M (docs/interface/sound.md#m). The lengths of texts and the members
 *  of answers are those of docs/vendors/mureka.md#request-fields, #answers. */
import Type from 'typebox'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { modelField, namedModelField, notFollowedField, promptField } from '../shared/common-fields.ts'
import { purposeNames, purposes, uploadLimits } from './purposes.ts'

/** Unit of times in this dialect: milliseconds. */
const ms = { unit: 'ms' } as const

const uploaded = (purpose: string) => optional.string({ minLength: 1, maxLength: 200, description: `Id of an upload for \`${purpose}\`.` })

const pieces = {
  n: Type.Integer({ minimum: 1, maximum: 3, default: 2, description: 'Pieces to make.' }),
  prompt: optional.string({
    maxLength: 1024,
    examples: ['slow folk, cello and acoustic guitar'],
    description: 'Style, in words; empty: as absent.',
  }),
  instrumental_id: uploaded('instrumental'),
}

const stream = {
  stream: Type.Boolean({
    default: false,
    description: 'The query then has a `stream_url` while the music is made. Only at the paths of their own.',
  }),
}

const song = {
  lyrics: promptField('What is sung. Sections begin with a line in brackets: `[Verse]`, `[Chorus]`.', {
    maxLength: 3000,
    examples: ['[Verse]\nA light above the bay\nIt calls the boats to stay'],
  }),
  model: Type.Optional(namedModelField('A song model; absent: the route of the endpoint, else `MaaS_Mus_v7.5_generate`.')),
  ...pieces,
  reference_id: uploaded('reference'),
  vocal_id: uploaded('vocal'),
  melody_id: uploaded('melody'),
}

const instrumental = {
  ...pieces,
  model: modelField('A model for instrumentals; absent: the route of the endpoint, else `MaaS_Mus_v7.5_generate`.'),
}

/** The field `stream`, which exists at the separate paths but not in calls with `?action=`. For
 *  calls with `?action=` the field is declared as well, so that it is refused instead of
 *  ignored. */
const noStream = { stream: optional.boolean({ description: 'Not in the action form.' }) }

export const bodies = {
  song: Type.Object({ ...song, ...stream }),
  instrumental: Type.Object({ ...instrumental, ...stream }),
  songByAction: Type.Object({ ...song, ...noStream }),
  instrumentalByAction: Type.Object({ ...instrumental, ...noStream }),
  upload: Type.Object({
    file: Type.String({ minLength: 1, file: { role: 'audio', ...uploadLimits }, description: 'The file.' }),
    purpose: words(purposeNames, {
      description: `What it is for: ${purposeNames.map(name => `\`${name}\`, ${purposes[name].says}`).join('; ')}.`,
    }),
  }),
}

/** The fields of a song or an instrumental. */
export type MusicBody = Partial<Type.Static<typeof bodies.song>>

const states = ['preparing', 'queued', 'running', 'streaming', 'succeeded', 'failed', 'timeouted', 'cancelled'] as const
export type MusicState = (typeof states)[number]

const line = namedObject('MusicLine', {
  start: Type.Integer(ms),
  end: Type.Integer(ms),
  text: Type.String({ description: 'As it is sung.' }),
})

const section = namedObject('MusicSection', {
  section_type: Type.String({ description: 'As the lyrics call it, in lower case: `verse`, `chorus`, ...; `verse` where they do not.' }),
  start: Type.Integer(ms),
  end: Type.Integer(ms),
  lines: Type.Array(line),
})

const choice = namedObject('MusicChoice', {
  index: Type.Integer({ description: 'From 0.' }),
  id: Type.String(),
  url: Type.String({ format: 'http-url', description: 'Signed link to the MP3, valid for 24 hours; every query gives a fresh one.' }),
  flac_url: optional.string({ format: 'http-url', description: 'The same without loss, where the target gives it.' }),
  cover_url: optional.string({ format: 'http-url', source: 'ours', description: 'A picture for it, where the target gives one.' }),
  duration: Type.Integer({ ...ms, description: 'Length of the piece.' }),
  lyrics_sections: optional.array(section, { description: 'When each line is sung, of songs.' }),
  not_sung: optional.array(Type.String(), {
    source: 'ours',
    description: 'Lines of the lyrics that were not sung, because the backing or the limit of ten minutes ended before them.',
  }),
  style: optional.string({ source: 'ours', description: 'The style in which the piece was made.' }),
  seed: optional.integer({ source: 'ours' }),
})

const listening = namedObject('MusicStream', {
  index: Type.Integer({ description: 'The piece, from 0.' }),
  url: Type.String({ format: 'http-url' }),
})

export const task = namedObject('MusicTask', {
  id: Type.String(),
  taskId: Type.String({ description: 'The same, as newer models of the dialect call it.' }),
  created_at: Type.Integer({ unit: 's', description: 'Unix time.' }),
  finished_at: optional.integer({ unit: 's', description: 'Unix time, once it has ended.' }),
  model: Type.String(),
  status: words(states, {
    description:
      '`streaming` only with `stream: true`, at the node that makes it; `running` at another. `succeeded`, `failed`, `timeouted` and `cancelled` are final.',
  }),
  failed_reason: optional.string({ description: 'Why it failed.' }),
  stream_url: optional.string({
    format: 'http-url',
    description:
      'With `stream: true`, from the first sound on: signed link to the MP3 of the first piece, which plays while it is made and is a file afterwards.',
  }),
  streams: optional.array(listening, { source: 'ours', description: 'The same of each piece that has begun.' }),
  choices: optional.array(choice, { description: 'The pieces, once it has ended.' }),
  not_followed: Type.Optional(notFollowedField('Fields that the model did not follow: `prompt`, `melody_id`, ...')),
  trace_id: Type.String({ description: 'Id of this call, for questions to support.' }),
})
export type MusicTask = Type.Static<typeof task>
export type MusicChoice = Type.Static<typeof choice>
export type MusicSection = Type.Static<typeof section>

export const upload = namedObject('MusicFile', {
  id: Type.String({ description: 'For `reference_id`, `vocal_id`, `melody_id` or `instrumental_id`, by its purpose.' }),
  bytes: Type.Integer({ unit: 'bytes' }),
  created_at: Type.Integer({ unit: 's', description: 'Unix time. It is kept for 30 days.' }),
  filename: Type.String({ description: 'As it was uploaded; empty when it had none.' }),
  purpose: words(purposeNames),
  trace_id: Type.String(),
})
export type MusicFile = Type.Static<typeof upload>
