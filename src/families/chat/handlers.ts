import { implement } from '../../contract/family.ts'
import { StreamedReply } from '../../contract/replies.ts'
import { runAnswers } from '../shared/answer-runs.ts'
import { newAnswer } from './answer.ts'
import { chunksOf } from './chunks.ts'
import { completionOf } from './completion.ts'
import { chat } from './family.ts'
import { toTextRequest } from './to-request.ts'

export const chatEntry = implement(chat, {
  async create(context, { body }) {
    const request = toTextRequest(body)
    const answer = newAnswer(body, context.model.id)
    const events = runAnswers(context, request, answer.count)
    return body.stream ? new StreamedReply(chunksOf(answer, events)) : completionOf(answer, events)
  },
})
