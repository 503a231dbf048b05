/** Lets a text model of the gateway write the deck, if there is a model and its result is good
 *  enough. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { Job, RunSubRequest } from '@generation-gateway/kit/requests/job.ts'
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { SlidesWriteRequest, SlidesWriteResult } from '@generation-gateway/kit/requests/slides.ts'
import type { TextItem, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { readSlides, slidesPrompt } from '../slides-prompt.ts'
import { problemOfDeck } from './check-deck.ts'

/** Longest time for the model, in ms: a small model on a CPU is slow, and the whole task has half
 *  an hour. */
const longestMs = 10 * 60_000
const tokensOfSlide = 400

/** The deck; or, when the model's deck cannot be used, a sentence with the reason (`why`). `usage`
 *  is what the model reported. */
type ModelDeck = { usage: UsageUnits[] } & ({ deck: SlidesWriteResult } | { why: string })

interface ModelDeckRequest {
  request: SlidesWriteRequest
  model: { id: string } | 'configured'
  /** Search results for the title. */
  found: readonly SearchRecord[]
}

/** Returns the model's deck, or the reason why it cannot be used; undefined when the gateway has no
 *  text model. Throws only when `signal` has cancelled the job. */
export async function deckByModel(
  help: RunSubRequest,
  { request, model, found }: ModelDeckRequest,
  { signal }: Pick<Job<unknown>, 'signal'>,
): Promise<ModelDeck | undefined> {
  let name = typeof model === 'string' ? 'A text model' : model.id
  try {
    const answer = await help({
      capability: 'text.respond',
      request: textRequest(request, found),
      model,
      signal: AbortSignal.timeout(longestMs),
    })
    if (!answer) return undefined
    name = answer.model
    const { usage } = answer
    try {
      const deck = readSlides(textOf(answer.report.output), request)
      const problem = problemOfDeck(deck, request)
      if (problem !== undefined) return { usage, why: `What ${name} wrote was not used: ${problem}.` }
      return { usage, deck: { ...deck, comment: deck.comment?.replace(/^Written by a text model/, `Written by ${name}`) ?? '' } }
    } catch (error) {
      return { usage, why: `What ${name} wrote was not used: ${sentenceOf(error)}` }
    }
  } catch (error) {
    signal.throwIfAborted()
    return { usage: [], why: `${name} could not be asked: ${sentenceOf(error)}` }
  }
}

function textRequest(request: SlidesWriteRequest, found: readonly SearchRecord[]): TextRequest {
  const { system, user, schema } = slidesPrompt(request, { found })
  const message = (role: 'system' | 'user', text: string): TextItem => ({ type: 'message', role, parts: [{ type: 'text', text }] })
  return {
    items: [message('system', system), message('user', user)],
    ...{ tools: [], toolChoice: { mode: 'none' }, parallelToolCalls: true },
    format: { type: 'json_schema', name: 'presentation', schema },
    maxOutputTokens: 1000 + tokensOfSlide * (request.slides ?? 12),
    extras: { protocol: 'chat', fields: {} },
  }
}

/** Returns the text of the model's answer; the generic report type does not describe the items in
 *  `output`. */
function textOf(output: unknown): string {
  const items = (Array.isArray(output) ? output : []) as TextItem[]
  return items
    .flatMap(item => (item.type === 'message' ? item.parts.flatMap(part => (part.type === 'text' ? [part.text] : [])) : []))
    .join('')
}

function sentenceOf(error: unknown): string {
  if (error instanceof GatewayError) return error.message
  return error instanceof Error && error.name === 'TimeoutError'
    ? `it took more than ${longestMs / 60_000} minutes.`
    : 'something went wrong.'
}
