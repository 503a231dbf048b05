/** What is understood where a conversation goes. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { ServiceTarget } from '../upstream/service-settings.ts'

/** What a server understands beyond the common ground: `openai` all of it; `basic` chat as every server knows it; `ark` Volcengine's. */
export type Dialect = 'openai' | 'basic' | 'ark'

export interface TextFacts {
  dialect: Dialect
  protocols: readonly TextProtocol[]
  /** It keeps no responses; undefined: nobody has said. */
  isStateless: boolean | undefined
  /** Its answers are put in order before they go out. */
  normalizes?: boolean
  /** It refuses members that it does not know, so it gets none that a caller sent beside a call or a message. */
  refusesUnknown?: boolean
  /** Where a message has the text of its reasoning; null: nowhere. Absent: `reasoning_content`. */
  reasoningIn?: string | null
}

export type TextTarget = ServiceTarget & TextFacts

/** The facts of a target by its checked settings; the same object for the same settings. */
export type TargetOf = (settings: JsonObject) => TextTarget
