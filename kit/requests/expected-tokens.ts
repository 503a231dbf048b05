/** Estimates the tokens of a conversation before any are counted: all tokens sent, plus answers of
 *  the greatest allowed length. */

import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { UsageUnits } from './capability.ts'
import { tokensIn } from './token-estimate.ts'

export interface ExpectedTokens {
  inputTokens: number
  outputTokens: number
  /** Units other than tokens, such as search units; none when absent. */
  others?: readonly UsageUnits[]
}

/** Expected output tokens when the caller sets no limit. Most answers are shorter, so that an
 *  answer rarely uses more than the quota has left. */
const usualOutputTokens = 4_096
/** Expected tokens of a file: what the models of large providers count for a picture, recording or
 *  document of usual size. */
const tokensOfFile = 1_000

/** Form of the body; `neutral` stands for a TextRequest. */
type Form = TextProtocol | 'neutral'

interface Shape {
  /** Name of the member that lists the items of the conversation. */
  items: string
  /** Members of an item that contain lists of parts. Only parts in these lists can be files. */
  parts: readonly string[]
  /** Members that limit the tokens of an answer; the first that is a number applies. The protocol's
   *  schema checks them; members of another protocol are ignored. */
  limits: readonly string[]
  /** Name of the member with the number of answers. */
  answers?: string
}

const shapes: Record<Form, Shape> = {
  chat: { items: 'messages', parts: ['content'], limits: ['max_completion_tokens', 'max_tokens'], answers: 'n' },
  responses: { items: 'input', parts: ['content', 'output'], limits: ['max_output_tokens'] },
  neutral: { items: 'items', parts: ['parts', 'output'], limits: ['maxOutputTokens'] },
}

/** Members outside the conversation that models do not read. */
const unread = new Set(
  'model metadata user safety_identifier prompt_cache_key previous_response_id include logit_bias extras hops store stream stream_options'.split(
    ' ',
  ),
)

/** By type of part: the member that holds the file. */
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

/** Returns the tokens that a body will probably use. Long strings may have been cut out of the
 *  body and replaced by placeholders: `tokensOfCut` returns the tokens of the original string
 *  for a placeholder, and undefined for any other string. */
export function expectedTokens(
  form: Form,
  conversation: JsonObject,
  tokensOfCut: (text: string) => number | undefined = () => undefined,
): ExpectedTokens {
  const { items, parts, limits, answers } = shapes[form]
  const reading = new TokenCounter(parts, tokensOfCut)
  let inputTokens = 0
  for (const [name, value] of Object.entries(conversation)) {
    if (name === items) inputTokens += reading.items(value)
    else if (!unread.has(name)) inputTokens += reading.all(value)
  }
  const most = limits.map(name => conversation[name]).find(value => typeof value === 'number') ?? usualOutputTokens
  const count = answers === undefined ? 1 : (conversation[answers] ?? 1)
  return { inputTokens, outputTokens: Number(most) * Number(count) }
}

class TokenCounter {
  readonly #parts: readonly string[]
  readonly #tokensOfCut: (text: string) => number | undefined

  constructor(parts: readonly string[], tokensOfCut: (text: string) => number | undefined) {
    this.#parts = parts
    this.#tokensOfCut = tokensOfCut
  }

  items(value: Json | undefined): number {
    if (!Array.isArray(value)) return this.all(value)
    return sum(value, item => this.#item(item))
  }

  /** Returns the tokens of a value with all names, texts and numbers in it. */
  all(value: Json | undefined): number {
    if (typeof value === 'string') return this.#tokensOfCut(value) ?? tokensIn(value)
    if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1
    if (Array.isArray(value)) return sum(value, member => this.all(member))
    return sum(Object.entries(value), ([name, member]) => tokensIn(name) + this.all(member))
  }

  #item(item: Json): number {
    if (!isObject(item)) return this.all(item)
    return sum(Object.entries(item), ([name, value]) => {
      const isParts = this.#parts.includes(name) && Array.isArray(value)
      return 1 + (isParts ? sum(value, part => this.#part(part)) : this.all(value))
    })
  }

  #part(part: Json): number {
    const file = isObject(part) ? fileMembers[String(part.type)] : undefined
    if (file === undefined || !isObject(part)) return this.all(part)
    return tokensOfFile + sum(Object.entries(part), ([name, value]) => (name === file ? this.#file(name, value) : this.all(value)))
  }

  /** Returns the tokens of the member that should hold a file: 0 for a file, because `#part`
   *  counts it with `tokensOfFile`; any other value counts as text. */
  #file(name: string, value: Json | undefined): number {
    if (isObject(value)) return sum(Object.entries(value), ([inner, member]) => this.#file(inner, member))
    const isFile = typeof value === 'string' && (base64Members.has(name) || url.test(value) || this.#tokensOfCut(value) !== undefined)
    return isFile ? 0 : this.all(value)
  }
}

function sum<Member>(members: readonly Member[], of: (member: Member) => number): number {
  let total = 0
  for (const member of members) total += of(member)
  return total
}
