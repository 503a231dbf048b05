/** Decides about the fields of a caller's body that have no counterpart in the neutral request
 *  (`TextRequest.extras`): which of them a target with another protocol gets, and which are
 *  reported to the caller as left out. */
import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { LeftOutFields } from '../capability.ts'
import type { TextProtocol } from '../text-protocol.ts'

/** Fields of the caller's body that have no counterpart in the neutral request: fields such as
 *  `service_tier`, and unknown ones. They are sent unchanged to an upstream of the same protocol.
 *  `hosted` is the name of one of these fields that requests a tool which runs at the upstream;
 *  then only an upstream of the same protocol may serve the request. */
export type Extras = { protocol: TextProtocol; fields: JsonObject; hosted?: string }

/** Fields that are left out without a report, because the answer is the same without them: hints
 *  for caches, formats of the answer that the gateway itself applies, and fields that are also part
 *  of the neutral request. */
const silent: Record<TextProtocol, ReadonlySet<string>> = {
  chat: new Set(['prompt_cache_key', 'prompt_cache_retention', 'cache_control', 'modalities']),
  responses: new Set(['metadata', 'prompt_cache_key', 'prompt_cache_retention', 'caching']),
  messages: new Set(['cache_control']),
  'generate-content': new Set(),
}

/** Objects whose members are reported one by one. The listed members are not reported, because the
 *  neutral request contains them. */
const nested: Record<TextProtocol, Readonly<Record<string, ReadonlySet<string>>>> = {
  chat: {},
  responses: {},
  messages: {
    thinking: new Set(['type', 'budget_tokens', 'display']),
    output_config: new Set(['effort', 'format']),
  },
  'generate-content': { generationConfig: new Set() },
}

/** Values that only request what every target does anyway, so that their loss is not reported; by
 *  field. */
const usual: Readonly<Record<string, Json>> = { service_tier: 'auto', truncation: 'disabled' }

/** Returns the report about the fields that are lost at a target to which only the fields in
 *  `sent` are sent; undefined when none is lost. */
export function leftOutExtras(extras: Extras, sent: ReadonlySet<string> = new Set()): LeftOutFields | undefined {
  const names = unsentNames(extras, sent)
  if (names.length === 0) return undefined
  return { fields: { own: names }, says: names.length === 1 ? 'the model has no such setting.' : 'the model has no such settings.' }
}

/** Returns the full names of the fields that are not in `sent` and whose loss is reported. */
function unsentNames({ protocol, fields }: Extras, sent: ReadonlySet<string>): string[] {
  const names: string[] = []
  // The loop creates no list of the names, because a hostile body has 60,000 of them.
  for (const name in fields) {
    if (sent.has(name) || silent[protocol].has(name)) continue
    const value = fields[name]
    const known = Object.hasOwn(nested[protocol], name) ? nested[protocol][name] : undefined
    if (known === undefined) {
      if (!Object.hasOwn(usual, name) || usual[name] !== value) names.push(name)
    } else if (isObject(value)) for (const member in value) if (!known.has(member)) names.push(`${name}.${member}`)
  }
  return names
}

/** Fields that chat and Responses have in common. */
const ofOpenai = ['metadata', 'service_tier', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention']
/** Service tiers of chat and Responses, and those of Messages that mean the same. */
const tiers = [
  ['auto', 'auto'],
  ['default', 'standard_only'],
] as const

/** Returns those fields that have the same meaning in the protocol of the target `to`, with the
 *  names and values that they have in that protocol. `takesCacheMarks` is true for a target that
 *  knows Anthropic's cache marks. */
export function translatedExtras({ protocol, fields }: Extras, to: { protocol: TextProtocol; takesCacheMarks: boolean }): JsonObject {
  const found: JsonObject = {}
  const isOpenai = (each: TextProtocol) => each === 'chat' || each === 'responses'
  if (isOpenai(protocol) && isOpenai(to.protocol)) for (const name of ofOpenai) if (fields[name] !== undefined) found[name] = fields[name]
  if (isOpenai(protocol) && to.protocol === 'messages') addTier(found, tiers.find(([openai]) => openai === fields.service_tier)?.[1])
  if (protocol === 'messages' && isOpenai(to.protocol)) addTier(found, tiers.find(([, own]) => own === fields.service_tier)?.[0])
  const isMarked = (protocol === 'messages' && to.protocol === 'chat') || (protocol === 'chat' && to.protocol === 'messages')
  if (isMarked && to.takesCacheMarks && isObject(fields.cache_control)) found.cache_control = fields.cache_control
  return found
}

function addTier(found: JsonObject, tier: string | undefined): void {
  if (tier !== undefined) found.service_tier = tier
}
