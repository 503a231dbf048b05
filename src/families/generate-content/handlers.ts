import type { CallContext } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import { BytesReply, type ReplyFrame, StreamedReply } from '../../contract/replies.ts'
import { runAnswers } from '../shared/answer-runs.ts'
import { newAnswer, piecesOf, wholeOf } from './answer.ts'
import { generateContent } from './family.ts'
import { arrayOf } from './json-array.ts'
import { modelNamed, modelPage } from './models.ts'
import type { ContentAnswer } from './reply-schema.ts'
import type { ContentBody, CountBody } from './schema.ts'
import { toTextRequest } from './to-request.ts'

export const generateContentEntry = implement(generateContent, {
  generate: async (context, { body }) => wholeOf(answer(context, body)),
  streamEvents: async (context, { body }) => new StreamedReply(framesOf(answer(context, body))),
  stream: async (context, { body }) => new BytesReply('application/json', arrayOf(answer(context, body), context.requestId)),
  countTokens: async (context, { body }) => ({ totalTokens: await context.countInput(countedRequest(body)) }),
  models: async (context, { query }) => modelPage(context, query),
  model: async (context, { params }) => modelNamed(context, params.model ?? ''),
})

/** Runs the conversation. Throws `invalid_request` at once for a body that cannot be translated. */
function answer(context: CallContext<'respond'>, body: ContentBody): AsyncIterable<ContentAnswer> {
  const request = toTextRequest(body)
  const described = newAnswer(body, context.model.id)
  return piecesOf(described, runAnswers(context, request, described.count))
}

async function* framesOf(pieces: AsyncIterable<ContentAnswer>): AsyncGenerator<ReplyFrame> {
  for await (const data of pieces) yield { data }
}

function countedRequest(body: CountBody) {
  const { generateContentRequest: request } = body
  return request ? toTextRequest(request, ['generateContentRequest']) : toTextRequest(body)
}
