import { randomUUID } from 'node:crypto'
import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import {
  type ModeratedPart,
  type ModerateRequest,
  type ModerationVerdict,
  moderationCategories,
} from '@generation-gateway/kit/requests/moderate.ts'
import { implement } from '../../contract/family.ts'
import { moderations } from './family.ts'
import type { ModerationBody, ModerationResult, PartBody } from './schema.ts'

export const moderationsEntry = implement(moderations, {
  create: async (context, { body }) => {
    const verdicts: ModerationVerdict[] = []
    for await (const event of context.infer('text.moderate', toRequest(body))) {
      if (event.type === 'verdicts') verdicts.push(...event.verdicts)
    }
    return { id: `modr-${randomUUID().replaceAll('-', '')}`, model: context.model.id, results: verdicts.map(resultOf) }
  },
})

function toRequest({ input, model: _, ...extras }: ModerationBody): ModerateRequest {
  // The cast is safe: the body comes from JSON.parse, so all of its further members are JSON.
  const fields = extras as JsonObject
  return { inputs: inputsOf(input), ...(Object.keys(fields).length > 0 ? { extras: fields } : {}) }
}

function inputsOf(input: ModerationBody['input']): ModeratedPart[][] {
  if (typeof input === 'string') return [[{ type: 'text', text: input }]]
  const parts = input.map((each, index) => (typeof each === 'string' ? undefined : partOf(each, `input[${index}]`)))
  const known = parts.filter(part => part !== undefined)
  // The rules allow only lists whose members are all of the same kind.
  return known.length > 0 ? [known] : input.map(text => [{ type: 'text', text: String(text) }])
}

function partOf({ type, text, image_url: image }: PartBody, field: string): ModeratedPart {
  if (type === 'text') {
    if (text === undefined) throw invalidField(`${field}.text`, `${field}.text is required.`, 'required')
    return { type, text }
  }
  if (image === undefined) throw invalidField(`${field}.image_url`, `${field}.image_url is required.`, 'required')
  return { type: 'image', url: image.url }
}

/** Returns a result that has every category. A category that the target does not know has score 0
 *  and is not flagged. */
function resultOf({ isFlagged, categories }: ModerationVerdict): ModerationResult {
  const each = <T>(of: (category: ModerationVerdict['categories'][keyof ModerationVerdict['categories']]) => T) =>
    // The cast is safe: there is an entry for each category.
    Object.fromEntries(moderationCategories.map(name => [name, of(categories[name])])) as Record<(typeof moderationCategories)[number], T>
  return {
    flagged: isFlagged,
    categories: each(category => category?.isFlagged ?? false),
    category_scores: each(category => category?.score ?? 0),
    category_applied_input_types: each(category => category?.of ?? []),
  }
}
