import { type ModerationCategory, moderationCategories, mostModerated } from '@generation-gateway/kit/requests/moderate.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional } from '../../contract/schemas.ts'

/** Largest number of characters of one text. */
const mostCharacters = 200_000

export type PartBody = { type: string; text?: string; image_url?: { url: string } }

export const moderationBody = Type.Object({
  input: Type.Unsafe<string | (string | PartBody)[]>({
    type: ['string', 'array'],
    maxLength: mostCharacters,
    minItems: 1,
    maxItems: mostModerated,
    items: {
      type: ['string', 'object'],
      maxLength: mostCharacters,
      required: ['type'],
      properties: {
        type: { type: 'string', enum: ['text', 'image_url'] },
        text: { type: 'string', maxLength: mostCharacters },
        image_url: {
          type: 'object',
          required: ['url'],
          properties: { url: { type: 'string', pattern: '^(?:https?:|data:image/)', mustBe: 'an http(s) URL or a data URL of a picture' } },
        },
      },
    },
    examples: ['The tide comes in at noon.'],
    description: `A text; up to ${mostModerated} texts, each with a result of its own; or up to ${mostModerated} parts of the types text and image_url, which get one result together.`,
  }),
  model: optional.string({ minLength: 1, maxLength: 200, description: 'Absent: the route of the endpoint, else the default model.' }),
})
export type ModerationBody = Static<typeof moderationBody>

/** Returns an object schema with one property per category. */
function byCategory<T>(property: object) {
  return Type.Unsafe<Record<ModerationCategory, T>>({
    type: 'object',
    required: [...moderationCategories],
    properties: Object.fromEntries(moderationCategories.map(name => [name, property])),
  })
}

const result = namedObject('Moderation', {
  flagged: Type.Boolean({ description: 'True when at least one category is true.' }),
  categories: byCategory<boolean>({ type: 'boolean' }),
  category_scores: byCategory<number>({ type: 'number', description: '0 to 1; not a probability.' }),
  category_applied_input_types: byCategory<('text' | 'image')[]>({ type: 'array', items: { type: 'string' } }),
})

export const moderationReply = namedObject('ModerationList', {
  id: Type.String({ description: 'Begins with modr-.' }),
  model: Type.String(),
  results: Type.Array(result, {
    description: 'One result for each text, in the order of the texts; a list of parts gets one result together.',
  }),
})
export type ModerationResult = Static<typeof result>
