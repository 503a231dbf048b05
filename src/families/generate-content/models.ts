/** Lists models in the form that Google's clients read. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { nameList, nearText } from '@generation-gateway/kit/near-names.ts'
import { isConversation } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { CallContext } from '../../contract/context.ts'
import type { ModelSummary } from '../../contract/needs/models.ts'
import type { ModelInfo } from './reply-schema.ts'

interface Page {
  pageSize: number
  pageToken?: string
}

/** Returns a page of the models for conversations that the key may use. Throws `invalid_cursor`
 *  when `pageToken` names none of these models. */
export function modelPage(context: CallContext<'models'>, { pageSize, pageToken = '' }: Page) {
  const all = context.models.list().filter(isOffered)
  const start = pageToken === '' ? 0 : all.findIndex(({ id }) => tokenOf(id) === pageToken) + 1
  if (pageToken !== '' && start === 0)
    throw new GatewayError('invalid_cursor', `pageToken is ${JSON.stringify(pageToken.slice(0, 100))}, which no page had.`, {
      field: 'pageToken',
    })
  const page = all.slice(start, start + pageSize)
  const last = page.at(-1)
  return {
    models: page.map(present),
    ...(last && start + pageSize < all.length ? { nextPageToken: tokenOf(last.id) } : {}),
  }
}

/** Returns one model. Throws `model_not_found`. */
export function modelNamed(context: CallContext<'models'>, name: string): ModelInfo {
  const found = context.models.named(name)
  if (found && isOffered(found)) return present(found)
  const near = nearText(nameList(context.models.list().map(({ id }) => id)).near(name))
  const message = `There is no model ${JSON.stringify(name.slice(0, 100))} for this access key${near === undefined ? '' : `; ${near}`}.`
  throw new GatewayError('model_not_found', message, { field: 'model' })
}

/** Returns the token of the page that begins after this model. */
function tokenOf(id: string): string {
  return Buffer.from(id).toString('base64url')
}

function isOffered({ families }: ModelSummary): boolean {
  return families.some(isConversation)
}

function present({ id, title, unusable }: ModelSummary): ModelInfo {
  return {
    name: `models/${id}`,
    version: id,
    displayName: title,
    description: unusable ?? title,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  }
}
