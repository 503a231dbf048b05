import { implement } from '../../contract/family.ts'
import { StreamedReply } from '../../contract/replies.ts'
import { runRequests } from '../shared/answer-runs.ts'
import { completionOf, framesOf, newAnswer } from './answer.ts'
import { completions } from './family.ts'
import { leftOutSentence, toRequests } from './to-requests.ts'

export const completionsEntry = implement(completions, {
  async create(context, { body }) {
    const requests = toRequests(body)
    const leftOut = leftOutSentence(body)
    if (leftOut !== undefined) context.warn(leftOut)
    const answer = newAnswer(body, context.model.id, context.now())
    const events = runRequests(context, requests)
    if (body.stream) return new StreamedReply(framesOf(answer, events, requests.length))
    const onUnranked = () => context.warn('best_of: the model gives no log probabilities; the first answers are returned.')
    return completionOf(answer, events, { runs: requests.length, onUnranked })
  },
})
