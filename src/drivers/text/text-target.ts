/** Where a conversation goes, and what is understood there. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { UpstreamTarget } from '../upstream/upstream-target.ts'

/** What a server understands beyond the common ground: `openai` all of it; `basic` chat as every server knows it; `ark` Volcengine's. */
export type Dialect = 'openai' | 'basic' | 'ark'

export interface TextTarget {
  dialect: Dialect
  protocols: readonly TextProtocol[]
  /** It keeps no responses; undefined: nobody has said. */
  isStateless: boolean | undefined
  /** Undefined when the setting is absent: a relay then keeps to the limits of its request. Milliseconds. */
  firstByteMs: number | undefined
  idleMs: number | undefined
  /** Why it cannot be used, else where it is. */
  problem: string | undefined
  upstream: UpstreamTarget
}

/** The facts of a target by its checked settings; the same object for the same settings. */
export type TargetOf = (settings: JsonObject) => TextTarget

/** `work` with one answer for each settings object, worked out at the first look. */
export function remembered<Facts>(work: (settings: JsonObject) => Facts): (settings: JsonObject) => Facts {
  const known = new WeakMap<JsonObject, Facts>()
  return settings => {
    let facts = known.get(settings)
    if (facts === undefined) {
      facts = work(settings)
      known.set(settings, facts)
    }
    return facts
  }
}

/** The text of a setting without space around it, since files and variables often end with a line break; undefined for none. */
export function settingText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Milliseconds of a setting in seconds. */
export function settingMs(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}
