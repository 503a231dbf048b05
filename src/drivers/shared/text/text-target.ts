/** Facts about a target for conversations. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { ServiceTarget } from '../upstream/service-settings.ts'

/** The features that a server understands: `openai` means all of them, `basic` the subset that
 *  every compatible server supports, `ark` those of Volcengine's Ark. `native` is for protocols
 *  that only one vendor implements. It has no custom tools and no choice among several tools, but
 *  all other tool choices. */
export type Dialect = 'openai' | 'basic' | 'ark' | 'native'

export interface TextFacts {
  dialect: Dialect
  protocols: readonly TextProtocol[]
  /** True when the server stores no responses; undefined when this is unknown. */
  isStateless: boolean | undefined
  /** True when the server's answers are normalized before they are forwarded. */
  normalizes?: boolean
  /** True when the server refuses members that it does not know. Members that callers added to tool
   *  calls and messages are then not sent to it. */
  refusesUnknown?: boolean
  /** True when the server knows Anthropic's marks for its cache in chat (`cache_control` of
   *  parts and tools). Every target of Messages knows them. */
  takesCacheMarks?: boolean
  /** The member of a chat message in which the server expects the text of the reasoning; null
   *  when it accepts none. Default: `reasoning_content`, and null with `refusesUnknown`. */
  reasoningIn?: string | null
  /** True for Vertex AI. In a request for a count of tokens, Vertex AI accepts tools and
   *  instructions next to the contents; Google's Gemini API accepts them only inside
   *  `generateContentRequest`. */
  isVertex?: boolean
}

export type TextTarget = ServiceTarget & TextFacts

/** Returns the facts of a target, read from its checked settings. The same settings object gives
 *  the same facts object. */
export type TargetOf = (settings: JsonObject) => TextTarget
