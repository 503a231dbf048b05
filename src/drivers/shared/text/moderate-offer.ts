/** Runs `text.moderate` over OpenAI's `POST /moderations` (docs/vendors/openai-moderations.md). */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, listOf, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import type { StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import {
  type ModeratedPart,
  type ModerateEvent,
  type ModerateRequest,
  type ModerationVerdict,
  moderatedTokens,
  moderationCategories,
} from '@generation-gateway/kit/requests/moderate.ts'
import type { ServiceTarget } from '../upstream/service-settings.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { askModel } from './infer-upstream.ts'
import type { RelayedProtocol } from './protocols.ts'

export const moderationsProtocol: RelayedProtocol = {
  path: () => '/moderations',
  isAnswer: ({ results }) => objectsOf(results).some(({ flagged, categories }) => typeof flagged === 'boolean' || categories !== undefined),
  output: 'a result',
}

/** Returns the offer with which a driver serves `text.moderate`. Its runs throw the upstream's
 *  refusals, and `upstream_error` for an answer that lacks a result. When an input is anything
 *  other than a single text, one request is sent for each input, because OpenAI judges a list of
 *  parts as a single input. */
export function moderateOffer(
  upstream: Upstream,
  targetOf: (settings: JsonObject) => ServiceTarget,
): StreamedOffer<ModerateRequest, ModerateEvent> {
  return streamed<ModerateRequest, ModerateEvent>(async function* (job) {
    const { inputs, extras } = job.request
    const target = targetOf(job.settings)
    for (const { input, count } of requestsFor(inputs)) {
      const answer = await askModel(upstream, { protocol: moderationsProtocol, target, job, body: { ...extras, input, model: job.model } })
      const verdicts = objectsOf(answer.results).map(verdictOf)
      if (verdicts.length !== count)
        throw new GatewayError('upstream_error', `The upstream service sent ${verdicts.length} results for ${count} inputs.`)
      yield { type: 'event', event: { type: 'verdicts', verdicts } }
    }
    const inputTokens = moderatedTokens(inputs)
    const usage = [{ unit: 'input_tokens', units: inputTokens }]
    yield { type: 'outcome', outcome: { state: 'done', files: [], report: { usage: { inputTokens } }, usage } }
  })
}

/** Returns the member `input` of each request, with the number of results to expect. */
function requestsFor(inputs: ModerateRequest['inputs']): { input: JsonObject[] | string[]; count: number }[] {
  const texts = inputs.map(([first, ...others]) => (first?.type === 'text' && others.length === 0 ? first.text : undefined))
  const known = texts.filter(text => text !== undefined)
  if (known.length === texts.length) return [{ input: known, count: known.length }]
  return inputs.map(parts => ({ input: parts.map(wirePart), count: 1 }))
}

function wirePart(part: ModeratedPart): JsonObject {
  return part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image_url', image_url: { url: part.url } }
}

function verdictOf({ flagged, categories, category_scores, category_applied_input_types }: JsonObject): ModerationVerdict {
  const [flags, scores, types] = [objectOf(categories), objectOf(category_scores), objectOf(category_applied_input_types)]
  const known = moderationCategories.flatMap(name => {
    const [isFlagged, score] = [flags[name], scores[name]]
    if (typeof isFlagged !== 'boolean' || typeof score !== 'number') return []
    const of = listOf(types[name]).filter(type => type === 'text' || type === 'image')
    return [[name, { isFlagged, score, of: types[name] === undefined ? (['text'] as const).slice() : of }] as const]
  })
  const isFlagged = typeof flagged === 'boolean' ? flagged : known.some(([, category]) => category.isFlagged)
  return { isFlagged, categories: Object.fromEntries(known) }
}
