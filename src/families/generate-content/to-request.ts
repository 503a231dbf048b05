/** Translates the body of a request for content into the neutral request. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ReasoningEffort, TextFormat, TextItem, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { othersIn } from '../shared/left-out.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import { effortOf } from '../shared/thinking-effort.ts'
import { itemsOf, textsOf } from './contents.ts'
import { jsonSchemaOf } from './json-schema.ts'
import type { Conversation } from './schema.ts'
import { choiceOf, toolsOf } from './tools.ts'

type Config = NonNullable<Conversation['generationConfig']>

/** Largest number of stop texts of a neutral request. */
const mostStops = 4

/** Fields that are translated into the neutral request. All others are forwarded only to an
 *  upstream that speaks this protocol. */
const translated = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'model'])
const translatedConfig: ReadonlySet<string> = new Set([
  ...(['candidateCount', 'maxOutputTokens', 'stopSequences', 'temperature', 'topP', 'topK', 'seed', 'presencePenalty'] as const),
  ...(['frequencyPenalty', 'responseLogprobs', 'logprobs', 'responseMimeType', 'responseSchema', 'responseJsonSchema'] as const),
  ...(['responseModalities', 'thinkingConfig'] as const),
] satisfies (keyof Config)[])

/** Returns the neutral request. `path` is the path of the conversation in the body. Throws
 *  `invalid_request`, which names the path (`contents[2].parts[0].inlineData`) of a value that
 *  cannot be translated. */
export function toTextRequest(body: Conversation, path: Path = []): TextRequest {
  const config = body.generationConfig ?? {}
  refuseUnoffered(body, config, path)
  const { stopSequences: stops = [] } = config
  const at = [...path, 'generationConfig']
  if (stops.length > mostStops)
    throw refusal([...at, 'stopSequences'], `has ${stops.length} texts; this model takes at most ${mostStops}.`, 'unsupported')
  const tools = toolsOf(body, path)
  return {
    items: [...systemOf(body, path), ...itemsOf(body.contents ?? [], [...path, 'contents'])],
    tools,
    toolChoice: choiceOf(body, tools, path),
    parallelToolCalls: true,
    format: formatOf(config, at),
    ...defined({
      maxOutputTokens: config.maxOutputTokens,
      temperature: config.temperature,
      topP: config.topP,
      topK: config.topK,
      stop: stops.length > 0 ? stops : undefined,
      seed: config.seed,
      frequencyPenalty: config.frequencyPenalty,
      presencePenalty: config.presencePenalty,
      topLogprobs: config.responseLogprobs ? (config.logprobs ?? 0) : undefined,
      reasoning: reasoningOf(config, [...at, 'thinkingConfig']),
    }),
    extras: { protocol: 'generate-content', fields: extrasOf(body) },
  }
}

function refuseUnoffered(body: object, config: Config, path: Path): void {
  const cached: unknown = Reflect.get(body, 'cachedContent')
  if (typeof cached === 'string' && cached !== '') throw refusal([...path, 'cachedContent'], 'is not offered by this model.', 'unsupported')
  const at = [...path, 'generationConfig']
  if (Reflect.get(config, 'speechConfig') !== undefined)
    throw refusal([...at, 'speechConfig'], 'is not offered by this model.', 'unsupported')
  const kind = config.responseModalities?.find(each => !/^(text|modality_unspecified)$/i.test(each))
  if (kind !== undefined)
    throw refusal(
      [...at, 'responseModalities'],
      `has ${JSON.stringify(kind.slice(0, 100))}; this model answers with TEXT only.`,
      'unsupported',
    )
}

function systemOf({ systemInstruction: content }: Conversation, path: Path): TextItem[] {
  const parts = content ? textsOf(content, [...path, 'systemInstruction']) : []
  return parts.length === 0 ? [] : [{ type: 'message', role: 'system', parts }]
}

function formatOf({ responseMimeType: type = '', responseSchema, responseJsonSchema }: Config, path: Path): TextFormat {
  if (type === '' || type === 'text/plain') return { type: 'text' }
  if (type !== 'application/json')
    throw refusal(
      [...path, 'responseMimeType'],
      `is ${JSON.stringify(type.slice(0, 100))}; this model takes text/plain and application/json.`,
      'unsupported',
    )
  const schema = responseJsonSchema ?? (responseSchema && jsonSchemaOf(responseSchema))
  return schema === undefined ? { type: 'json_object' } : { type: 'json_schema', name: 'answer', schema }
}

const levels: Readonly<Record<string, ReasoningEffort>> = { MINIMAL: 'minimal', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' }

function reasoningOf({ thinkingConfig }: Config, path: Path): TextRequest['reasoning'] {
  if (thinkingConfig === undefined) return undefined
  const { thinkingBudget: budget = -1, thinkingLevel: level = '', includeThoughts } = thinkingConfig
  const named = level.toUpperCase()
  const isKnown = level === '' || named === 'THINKING_LEVEL_UNSPECIFIED' || Object.hasOwn(levels, named)
  if (!isKnown)
    throw refusal(
      [...path, 'thinkingLevel'],
      `is ${JSON.stringify(level.slice(0, 100))}; it must be MINIMAL, LOW, MEDIUM or HIGH.`,
      'unsupported',
    )
  const effort = levels[named] ?? (budget < 0 ? undefined : effortOf(budget))
  const reasoning = defined({ effort, budgetTokens: budget < 0 ? undefined : budget, summary: includeThoughts ? 'auto' : undefined })
  return Object.keys(reasoning).length === 0 ? undefined : reasoning
}

/** Returns the fields that have no place in the neutral request. */
function extrasOf(body: Conversation): JsonObject {
  const fields = filledIn(othersIn(body, translated))
  const config = filledIn(othersIn(body.generationConfig ?? {}, translatedConfig))
  if (Object.keys(config).length > 0) fields.generationConfig = config
  return fields
}

/** Removes the members that are empty lists, because they request nothing. */
function filledIn(object: JsonObject): JsonObject {
  for (const name in object) if (isEmpty(object[name])) delete object[name]
  return object
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
