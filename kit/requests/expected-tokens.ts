/** Estimates the tokens of a request before a model has counted any: the input tokens of the whole
 *  body, and output tokens up to the limit in the body, or of a usual number when the body sets no
 *  limit. */

import { isObject, type Json, type JsonObject, listOf, objectOf } from '@generation-gateway/kit/json.ts'
import type { RelayProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { UsageUnits } from './capability.ts'
import { searchUnitsOf } from './retrieval/rerank.ts'
import { tokensIn } from './token-estimate.ts'
import { type CutText, contentMembers, fileTokens } from './usage/file-tokens.ts'
import { chatAllows, contentAllows, messagesAllow, responsesAllow } from './usage/searches.ts'
import { type ServiceTier, serviceTierOf, tierUnit } from './usage/service-tier.ts'

export interface ExpectedTokens {
  inputTokens: number
  outputTokens: number
  /** Units other than tokens in which the request is charged, such as search units; none when
   *  absent. */
  others?: readonly UsageUnits[]
  /** Further units that are held in quotas because the call may use them: tokens in a costly
   *  tier, and web searches. When the target reports none, they are not charged. None when
   *  absent. */
  held?: readonly UsageUnits[]
}

/** Expected number of output tokens when the caller sets no limit. Most answers are shorter, so the
 *  estimate rarely lets a request exceed its quota. */
const usualOutputTokens = 4_096
/** Largest number of output tokens of a legacy completion when the caller sets no limit: the
 *  default that OpenAI documents for `max_tokens`. */
const usualCompletionTokens = 16

/** Form of the body; `neutral` stands for a TextRequest. */
type Form = RelayProtocol | 'neutral'

interface Shape {
  /** Name of the member that lists the items of the conversation; absent when there is none. */
  items?: string
  /** Members of an item that contain lists of parts. Only the parts in these lists may be files. */
  parts?: readonly string[]
  /** Returns the name of the member of a part that contains a file; undefined for a part without a
   *  file. */
  fileIn?(part: JsonObject): string | undefined
  /** Returns the number of output tokens to expect for all answers together. For each answer,
   *  this is the limit in the body, or the usual number when the body has none. The body was
   *  checked against its schema before. */
  output(body: JsonObject): number
  /** Returns the tier that the body requests; undefined for the usual one. */
  tier?(body: JsonObject): ServiceTier | undefined
  /** Returns the number of searches of the web that the upstream may make. */
  searches?(body: JsonObject): number
  /** Returns the units other than tokens; `tokensOf` returns the tokens of a value in the body. */
  others?(body: JsonObject, tokensOf: (value: Json | undefined) => number): UsageUnits[]
}

const typed = ({ type }: JsonObject) => (typeof type === 'string' && Object.hasOwn(fileMembers, type) ? fileMembers[type] : undefined)
const namedTier = ({ service_tier: tier }: JsonObject) => serviceTierOf(tier)
const noOutput = { output: () => 0 }

const shapes: Record<Form, Shape> = {
  chat: {
    items: 'messages',
    parts: ['content'],
    fileIn: typed,
    output: ({ max_completion_tokens: most, max_tokens: old, n }) => limited(most, old) * (typeof n === 'number' ? n : 1),
    tier: namedTier,
    searches: chatAllows,
  },
  responses: {
    items: 'input',
    parts: ['content', 'output'],
    fileIn: typed,
    output: body => limited(body.max_output_tokens),
    tier: namedTier,
    searches: responsesAllow,
  },
  messages: {
    items: 'messages',
    parts: ['content'],
    // The source of a document may also be a text or a list of parts; then it is no file, and its
    // tokens are counted as text.
    fileIn: ({ source }) => (isObject(source) && (source.type === 'base64' || source.type === 'url') ? 'source' : undefined),
    output: body => limited(body.max_tokens),
    tier: ({ speed }) => (speed === 'fast' ? 'fast' : undefined),
    searches: messagesAllow,
  },
  'generate-content': {
    items: 'contents',
    parts: ['parts'],
    fileIn: part => contentMembers.find(name => isObject(part[name])),
    tier: ({ serviceTier, service_tier: tier }) => serviceTierOf(serviceTier ?? tier),
    searches: contentAllows,
    output: ({ generationConfig: config }) => limited(objectOf(config).maxOutputTokens) * Number(objectOf(config).candidateCount ?? 1),
  },
  completions: {
    output: ({ max_tokens: most, n, best_of: best, prompt }) => {
      const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1
      return (typeof most === 'number' ? most : usualCompletionTokens) * Math.max(Number(n ?? 1), Number(best ?? 1)) * prompts
    },
  },
  embeddings: noOutput,
  rerank: { ...noOutput, others: rerankUnits },
  moderations: noOutput,
  neutral: { items: 'items', parts: ['parts', 'output'], fileIn: typed, output: body => limited(body.maxOutputTokens) },
}

function rerankUnits(
  { query, documents, max_tokens_per_doc: most }: JsonObject,
  tokensOf: (value: Json | undefined) => number,
): UsageUnits[] {
  const tokens = listOf(documents).map(document => tokensOf(isObject(document) ? document.text : document))
  return [
    {
      unit: 'search_units',
      units: searchUnitsOf({ query: tokensOf(query), documents: tokens, most: typeof most === 'number' ? most : undefined }),
    },
  ]
}

/** Returns the largest of the limits that are numbers, because the upstream may follow any of them;
 *  the usual number of output tokens when no limit is a number. */
function limited(...limits: readonly (Json | undefined)[]): number {
  const numbers = limits.filter(value => typeof value === 'number')
  return numbers.length === 0 ? usualOutputTokens : Math.max(...numbers)
}

/** Members outside the conversation that models do not read. */
const unread = new Set(
  'model metadata user safety_identifier prompt_cache_key previous_response_id include logit_bias extras hops store stream stream_options'.split(
    ' ',
  ),
)

/** The name of the member that contains the file, by type of part. */
const fileMembers: Readonly<Record<string, string>> = {
  image_url: 'image_url',
  video_url: 'video_url',
  input_image: 'image_url',
  input_video: 'video_url',
  input_audio: 'input_audio',
  input_file: 'file_data',
  file: 'file',
  image: 'url',
  video: 'url',
  audio: 'data',
}
const base64Members = new Set(['data', 'file_data'])
const url = /^(?:data|https?):/i

/** Returns the numbers of tokens that a body will probably use. If long strings in the body were
 *  replaced by placeholders, `cutOf` returns facts about the original string of a placeholder, and
 *  undefined for any other string. */
export function expectedTokens(
  form: Form,
  conversation: JsonObject,
  cutOf: (text: string) => CutText | undefined = () => undefined,
): ExpectedTokens {
  const shape = shapes[form]
  const reading = new TokenCounter(shape, cutOf)
  const inputTokens = sumOfMembers(conversation, (name, value) => {
    if (name === shape.items) return reading.items(value)
    return unread.has(name) ? 0 : reading.all(value)
  })
  const others = shape.others?.(conversation, value => reading.all(value))
  const outputTokens = shape.output(conversation)
  const held = heldBeside(shape, conversation, inputTokens + outputTokens)
  return { inputTokens, outputTokens, ...(others ? { others } : {}), ...(held.length > 0 ? { held } : {}) }
}

/** Returns true when requests in this form are charged in units other than tokens. */
export function hasOtherUnits(form: Form): boolean {
  return shapes[form].others !== undefined
}

/** Returns the units that are reserved in addition to the tokens. Tokens in the cheap tier `flex`
 *  are not reserved separately, because a target may answer in its usual tier instead. */
function heldBeside(shape: Shape, body: JsonObject, tokens: number): UsageUnits[] {
  const tier = shape.tier?.(body)
  const searches = shape.searches?.(body) ?? 0
  return [
    ...(tier === undefined || tier === 'flex' ? [] : [{ unit: tierUnit(tier), units: tokens }]),
    ...(searches > 0 ? [{ unit: 'searches', units: searches }] : []),
  ]
}

class TokenCounter {
  readonly #parts: readonly string[]
  readonly #fileIn: (part: JsonObject) => string | undefined
  readonly #cutOf: (text: string) => CutText | undefined

  constructor({ parts = [], fileIn = () => undefined }: Shape, cutOf: (text: string) => CutText | undefined) {
    this.#parts = parts
    this.#fileIn = fileIn
    this.#cutOf = cutOf
  }

  items(value: Json | undefined): number {
    if (!Array.isArray(value)) return this.all(value)
    return sum(value, item => this.#item(item))
  }

  /** Returns the estimated number of tokens of a value: of all names, texts and numbers in it. */
  all(value: Json | undefined): number {
    if (typeof value === 'string') return this.#cutOf(value)?.tokens ?? tokensIn(value)
    if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1
    if (Array.isArray(value)) return sum(value, member => this.all(member))
    return sumOfMembers(value, (name, member) => tokensIn(name) + this.all(member))
  }

  #item(item: Json): number {
    if (!isObject(item)) return this.all(item)
    return sumOfMembers(item, (name, value) => 1 + this.#member(name, value))
  }

  #member(name: string, value: Json | undefined): number {
    return this.#parts.includes(name) && Array.isArray(value) ? sum(value, part => this.#part(part)) : this.all(value)
  }

  #part(part: Json): number {
    if (!isObject(part)) return this.all(part)
    const file = this.#fileIn(part)
    // A part without a file may itself contain parts, as the result of a tool does.
    if (file === undefined) return sumOfMembers(part, (name, value) => tokensIn(name) + this.#member(name, value))
    const others = sumOfMembers(part, (name, value) => (name === file ? this.#file(name, value) : this.all(value)))
    return fileTokens(part, file, this.#cutOf) + others
  }

  /** Returns the estimated number of tokens of the member that should contain a file. A file gives
   *  0 here, because `#part` adds its tokens with `fileTokens`. Any other value counts as text. */
  #file(name: string, value: Json | undefined): number {
    if (isObject(value)) return sumOfMembers(value, (inner, member) => this.#file(inner, member))
    const isFile = typeof value === 'string' && (base64Members.has(name) || url.test(value) || this.#cutOf(value) !== undefined)
    return isFile ? 0 : this.all(value)
  }
}

function sum<Member>(members: readonly Member[], of: (member: Member) => number): number {
  let total = 0
  for (const member of members) total += of(member)
  return total
}

/** Adds up a number for each member of an object. No list of the members is created, because
 *  that would take long for a hostile body with very many members. */
function sumOfMembers(object: JsonObject, of: (name: string, value: Json | undefined) => number): number {
  let total = 0
  for (const name in object) total += of(name, object[name])
  return total
}
