/** An operation of the probe family whose body has limits at every depth: in objects, lists,
 *  names and unions. */
import Type from 'typebox'
import { operation } from '../contract/family.ts'
import { namedObject, optional, words } from '../contract/schemas.ts'

const side = Type.Integer({ minimum: 500, maximum: 4096, unit: 'px' })
const point = Type.Object({ x: Type.Integer({ minimum: 0 }), y: Type.Integer({ minimum: 0 }) })

const area = Type.Object({
  width: side,
  height: side,
  points: optional.array(Type.Integer({ minimum: 0, maximum: 4096 }), { minItems: 6, maxItems: 12 }),
})

const shape = Type.Union([
  Type.Object({ type: Type.Literal('circle'), radius: Type.Number({ minimum: 0.5, maximum: 2 }), center: point }),
  Type.Object({
    type: Type.Literal('label'),
    text: Type.String({ minLength: 2, maxLength: 5 }),
    fonts: Type.Array(words(['serif', 'sans']), { maxItems: 2 }),
  }),
])

const body = Type.Object({
  mask: Type.Object({ areas: Type.Array(area, { minItems: 1, maxItems: 3 }) }, { description: 'The part to draw again.' }),
  shapes: optional.array(shape, { maxItems: 2 }),
  strength: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 5 }), words(['auto']), Type.Null()])),
  voice_settings: optional.object(
    {
      stability: Type.Number({ minimum: 0, maximum: 1, default: 0.5 }),
      style: optional.orNull<number>('number', { minimum: 0, maximum: 1 }),
    },
    { additionalProperties: false, source: 'ours' },
  ),
  weights: Type.Optional(Type.Record(Type.String(), Type.Number({ minimum: -1, maximum: 1 }))),
  callback: optional.object({
    url: Type.String({ format: 'http-url', maxLength: 200, mustBe: 'an http or https URL' }),
    attempts: Type.Unsafe<number>({ type: 'integer', enum: [1, 3, 5] }),
  }),
})

/** The input that the handler received. */
export const seen = namedObject('ProbeSeen', {
  body: Type.Unknown(),
  files: Type.Array(Type.Object({ role: Type.String(), field: Type.String(), width: optional.integer() })),
})

export const nested = operation({
  operationId: 'checkProbeNested',
  method: 'POST',
  path: '/v1/ai/{endpoint}/probe/nested',
  summary: 'Limits at any depth',
  source: 'ours',
  body: { schema: body },
  reply: { schema: seen },
  examples: [],
})
