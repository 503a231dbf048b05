import { implement } from '../../contract/family.ts'
import { StreamedReply } from '../../contract/replies.ts'
import { answerOf, framesOf } from './answer.ts'
import { messages } from './family.ts'
import { modelNamed, modelPage } from './models.ts'
import { toCountRequest, toTextRequest } from './to-request.ts'

export const messagesEntry = implement(messages, {
  async create(context, { body }) {
    const request = toTextRequest(body)
    const run = context.respond(request)
    return body.stream ? new StreamedReply(framesOf(body, context.model.id, run)) : answerOf(body, context.model.id, run)
  },
  async countTokens(context, { body }) {
    const { request, leftOut } = toCountRequest(body)
    if (leftOut.length > 0) context.warn(`tools: ${leftOut.join(', ')} not counted; this model has no hosted tools.`)
    return { input_tokens: await context.countInput(request) }
  },
  models: async (context, { query }) => modelPage(context, query),
  model: async (context, { params }) => modelNamed(context, params.model ?? ''),
})
