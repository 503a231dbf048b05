/** Schemas of the messages that gateways exchange. */
import { inputRoles } from '@generation-gateway/kit/requests/field-names.ts'
import { gatewayVersions } from '@generation-gateway/kit/requests/schemas/gateway-version.ts'
import { requestSchemas } from '@generation-gateway/kit/requests/schemas/index.ts'
import { MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { namedObject, optional, orNull, words } from '../../contract/schemas.ts'
import { type TaskCapability, taskStates } from '../../core/records/task.ts'
import { inputImageLimits, namedModelField } from '../shared/common-fields.ts'
import { soundTypes } from '../shared/sound-fields.ts'

/** Size in bytes of the largest file that any family accepts: a video of family K. */
const mostFileBytes = 200 * MiB
const mostFiles = 16
/** Largest total size in bytes of all files of one request: twice the limit of a single file. */
export const mostFilesBytes = 2 * mostFileBytes

const taskCapabilities = Object.keys(requestSchemas) as TaskCapability[]

const version = Type.Unsafe<number>({
  ...{ type: 'integer', enum: [...gatewayVersions] },
  description: 'The version in which the request is written: one of those that `describeGateway` names.',
})

const fileTypes = [...new Set([...inputImageLimits.mediaTypes, 'video/mp2t', 'video/mpeg', ...soundTypes.all, 'audio/midi'])]

export const runBody = Type.Object({
  version,
  capability: words(taskCapabilities, { description: 'What is to be done.' }),
  model: namedModelField('A model or alias of any family that the access key may use.'),
  request: Type.Object({}, { additionalProperties: true, description: 'The neutral request of the capability, without unknown fields.' }),
  roles: Type.Array(words(inputRoles), {
    maxItems: mostFiles,
    default: [],
    description: 'What each of the files is for, in their order.',
  }),
  files: Type.Array(
    Type.String({ minLength: 1, file: { role: 'image', mediaTypes: fileTypes, maxBytes: mostFileBytes }, description: 'A file.' }),
    { maxItems: mostFiles, default: [], description: 'The input files.' },
  ),
  stream: optional.boolean({ description: 'The caller waits: events come as they are made, and a caller who leaves ends the run.' }),
})

const output = namedObject('RunOutput', {
  role: Type.String(),
  index: Type.Integer(),
  media_type: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  width: optional.integer(),
  height: optional.integer(),
  duration_seconds: optional.number(),
  frames_per_second: optional.number(),
  channels: optional.integer(),
  url: Type.String({ description: 'Signed link, valid for an hour.' }),
})

export const run = namedObject('GatewayRun', {
  id: Type.String(),
  object: Type.Literal('gateway.run'),
  capability: Type.String(),
  model: Type.String(),
  state: Type.Enum([...taskStates]),
  progress: Type.Integer({ description: '0 to 100; never falls.' }),
  error: Type.Union([
    namedObject('RunError', {
      code: Type.String(),
      message: Type.String(),
      field: optional.string({ description: 'The neutral name of the field at fault.' }),
      reasons: Type.Array(Type.String()),
    }),
    Type.Null(),
  ]),
  outputs: Type.Array(output),
  begun: Type.Array(Type.Integer(), { description: 'Outputs that can be read while they are made, by their index.' }),
  result: orNull<Record<string, unknown>>('object', {
    description: 'The neutral result of the capability; null until it has succeeded.',
  }),
  usage: Type.Array(namedObject('RunUsage', { unit: Type.String(), units: Type.Number() }), {
    description: 'What was counted at its end.',
  }),
  may_be_charged: Type.Boolean({
    description: 'Whether the run has ended and may still cost more than its usage, because it is not known what it cost upstream.',
  }),
})

export const streamEvent = namedObject('GatewayRunEvent', {
  type: words(['start', 'event', 'output', 'end']),
  id: optional.string({ description: 'Of `start`: the id of the run.' }),
  event: optional.object({}, { additionalProperties: true, description: 'Of `event`: the neutral event; its `bytes` are base64.' }),
  output: Type.Optional(output),
  run: Type.Optional(run),
})

const fieldLimit = namedObject('GatewayFieldLimit', {
  field: Type.String(),
  max_length: optional.number({ description: 'Characters.' }),
  minimum: optional.number(),
  maximum: optional.number(),
})

const inputLimit = namedObject('GatewayInputLimit', {
  role: Type.String(),
  most: Type.Integer(),
  media_types: Type.Array(Type.String()),
  max_bytes: Type.Integer(),
})

const offeredModel = namedObject('GatewayModel', {
  id: Type.String(),
  title: Type.String(),
  capability: Type.String(),
  families: Type.Array(Type.String()),
  group: optional.string(),
  unusable: optional.string({ description: 'Why it cannot be used at the moment.' }),
  limits: Type.Array(fieldLimit),
  inputs: Type.Array(inputLimit),
})

export const offers = namedObject('GatewayOffers', {
  object: Type.Literal('gateway'),
  versions: Type.Array(Type.Integer(), { description: 'Newest first.' }),
  models: Type.Array(offeredModel),
  voices: Type.Array(namedObject('GatewayVoice', { id: Type.String(), maker: Type.String(), language: optional.string() })),
})

const word = optional.string({ minLength: 1, maxLength: 100 })

export const templateQuery = Type.Object({
  model: namedModelField('A model that makes presentations.'),
  page: Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  ...{ category: word, style: word, colour: word, scene: word },
})

export const templateList = namedObject('GatewayTemplates', {
  total: Type.Integer(),
  list: Type.Array(
    namedObject('GatewayTemplate', {
      id: Type.Integer(),
      ...{ title: word, category: word, style: word },
      colour: optional.object({ name: Type.String(), hex: Type.String() }, { name: 'GatewayTemplateColour' }),
      scenes: optional.array(Type.String()),
      cover: Type.String({ description: 'Link to a picture of it.' }),
    }),
  ),
})
