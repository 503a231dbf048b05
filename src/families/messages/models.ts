/** Lists models in the form that Anthropic's clients read. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { nameList, nearText } from '@generation-gateway/kit/near-names.ts'
import { isConversation } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { CallContext } from '../../contract/context.ts'
import type { ModelSummary } from '../../contract/needs/models.ts'
import type { ModelInfo } from './reply-schema.ts'

interface Page {
  limit: number
  after_id?: string
  before_id?: string
}

/** Returns a page of the models for conversations that the key may use. Throws `invalid_cursor`
 *  when `after_id` or `before_id` names none of these models. */
export function modelPage(context: CallContext<'models'>, { limit, after_id: after, before_id: before }: Page) {
  const all = context.models.list().filter(({ families }) => families.some(isConversation))
  const start = after === undefined ? 0 : placeOf(all, after, 'after_id') + 1
  const end = before === undefined ? all.length : placeOf(all, before, 'before_id')
  const isBackward = before !== undefined && after === undefined
  const within = all.slice(start, end)
  const page = isBackward ? within.slice(-limit) : within.slice(0, limit)
  return {
    data: page.map(present),
    has_more: page.length < within.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

/** Returns one model. Throws `model_not_found`. */
export function modelNamed(context: CallContext<'models'>, name: string): ModelInfo {
  const found = context.models.named(name)
  if (found?.families.some(isConversation)) return present(found)
  const near = nearText(nameList(context.models.list().map(({ id }) => id)).near(name))
  const message = `There is no model ${JSON.stringify(name.slice(0, 100))} for this access key${near === undefined ? '' : `; ${near}`}.`
  throw new GatewayError('model_not_found', message, { field: 'model' })
}

function placeOf(models: readonly ModelSummary[], id: string, field: string): number {
  const place = models.findIndex(model => model.id === id)
  if (place >= 0) return place
  throw new GatewayError('invalid_cursor', `${field} is ${JSON.stringify(id.slice(0, 100))}, which is not a model of this key.`, { field })
}

function present({ id, title, createdAt }: ModelSummary): ModelInfo {
  return {
    type: 'model',
    id,
    display_name: title,
    created_at: new Date(createdAt).toISOString(),
    lifecycle: 'active',
    capabilities: null,
    max_input_tokens: null,
    max_tokens: null,
    line: null,
    deprecated_at: null,
    retires_at: null,
  }
}
