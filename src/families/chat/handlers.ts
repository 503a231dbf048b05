import { defined } from '@generation-gateway/kit/defined.ts'
import { implement } from '../../contract/family.ts'
import { StreamedReply } from '../../contract/replies.ts'
import { runAnswers } from '../shared/answer-runs.ts'
import { newAnswer } from './answer.ts'
import { chunksOf } from './chunks.ts'
import { completionOf } from './completion.ts'
import { chat } from './family.ts'
import { listOf, messagePage } from './stored/messages.ts'
import { notStored, readStored, replaceMetadata, shownCompletion, stored } from './stored/stored.ts'
import { toTextRequest } from './to-request.ts'

export const chatEntry = implement(chat, {
  async create(context, { body }) {
    const request = toTextRequest(body)
    const answer = newAnswer(body, context.model.id)
    const run = runAnswers(context, request, answer.count)
    const events = body.store === true ? stored(context, { body, answer }, run) : run
    return body.stream ? new StreamedReply(chunksOf(answer, events)) : completionOf(answer, events)
  },

  async list(context, { query }) {
    const { after, limit, order, model } = query
    const metadata = pairsOf(query)
    const { records, hasMore } = await context.completions.list({ limit, order, metadata, ...defined({ after, model }) })
    return listOf(records.map(shownCompletion), hasMore)
  },

  get: async (context, { params }) => shownCompletion((await readStored(context, idOf(params))).record),

  messages: async (context, { params, query }) => messagePage(await readStored(context, idOf(params)), query),

  update: async (context, { params, body }) => replaceMetadata(context, await readStored(context, idOf(params)), body.metadata ?? {}),

  async delete(context, { params }) {
    const id = idOf(params)
    if (!(await context.completions.remove(id))) throw notStored(id)
    return { id, object: 'chat.completion.deleted', deleted: true } as const
  },
})

function idOf(params: Record<string, string>): string {
  return params.completion_id ?? ''
}

const pairName = /^metadata\[(.+)\]$/s

/** Returns the metadata that a query requests by `metadata[name]=value`, as values by name. */
function pairsOf(query: object): Record<string, string> {
  const pairs = Object.entries(query).flatMap(([key, value]) => {
    const name = pairName.exec(key)?.[1]
    return name === undefined ? [] : [[name, String(value)] as const]
  })
  return Object.fromEntries(pairs)
}
