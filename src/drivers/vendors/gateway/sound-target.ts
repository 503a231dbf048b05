/** Another gateway as a request with sound is sent to it, and which of its families has the model. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { nextHop } from '@generation-gateway/kit/requests/hops.ts'
import { targetFor } from '../../shared/upstream/hops.ts'
import type { Waits } from '../../shared/upstream/service-settings.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { settings } from './settings.ts'
import type { HearingFamily, SpeechFamily } from './sound-settings.ts'

/** As refusals call it. */
export const gatewayName = 'another gateway'

interface Asked {
  settings: JsonObject
  request: { hops?: number }
}

/** Its endpoint, with the count of gateways that the request has passed. Voices have the same names there. */
export function soundTarget({ settings: given, request: { hops } }: Asked): { upstream: UpstreamTarget; waits: Waits } {
  const { upstream, waits } = settings.targetOf(given)
  return { upstream: withHeaders(upstream, nextHop(hops)), waits }
}

/** The target with further headers, in the place of its own of these names. */
export function withHeaders(target: UpstreamTarget, headers: Readonly<Record<string, string>>): UpstreamTarget {
  const own = targetFor(target, { headers })
  const further = Object.entries(headers).flat()
  return { ...own, headers: [...own.headers, ...further], withBody: [...own.withBody, ...further] }
}

/** By the setting of the target, else by the gateway model of the name. */
export function speechFamilyOf({ model, settings: given }: { model: string; settings: JsonObject }): SpeechFamily {
  const { speech } = settings.targetOf(given)
  if (speech !== undefined) return speech
  if (/^(tts_|eleven_)/.test(model)) return 'T3'
  return model === 'MaaS_Speech_N' ? 'T2' : 'T1'
}

const hearing: Readonly<Record<string, HearingFamily>> = {
  'fast-transcription': 'R3',
  'short-recognition': 'R4',
  'speech-translation': 'R5',
}

export function hearingFamilyOf({ model, settings: given }: { model: string; settings: JsonObject }): HearingFamily {
  return settings.targetOf(given).recognition ?? (Object.hasOwn(hearing, model) ? hearing[model] : undefined) ?? 'R1'
}
