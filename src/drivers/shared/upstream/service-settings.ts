/** Settings that targets of every service have, and what follows from them once: nothing here is worked out per request. */
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import Type, { type TObject, type TProperties } from 'typebox'
import { targetProblem, type UpstreamTarget, upstreamTarget } from './upstream-target.ts'

/** Longest wait for the first byte of an answer, and between two of its parts. Milliseconds. */
export interface Waits {
  firstByteMs: number
  idleMs: number
}

/** A target of a service, by its settings. */
export interface ServiceTarget {
  /** Where it is, and what every request to it carries. */
  upstream: UpstreamTarget
  waits: Waits
  /** As the settings say; undefined where they do not. Milliseconds. */
  firstByteMs: number | undefined
  idleMs: number | undefined
  /** Why it cannot be used. */
  problem: string | undefined
}

export interface ServiceSettings<Target extends ServiceTarget = ServiceTarget> {
  schema: TObject
  /** What follows from checked settings; the same object for the same settings. */
  targetOf(settings: JsonObject): Target
}

interface SettingsSpec<Own extends object> {
  /** Id of the driver, for sentences. */
  driver: string
  /** What `base_url` is. */
  baseUrl: string
  /** In place of a `base_url` that is absent; without it one is needed. */
  usualBaseUrl?: string
  /** What `api_key` is. */
  apiKey: string
  needsKey?: true
  /** The header that the key is sent in; absent: as a bearer token. */
  keyHeader?: string
  /** Where the settings do not say. */
  usualWaits: Waits
  /** Headers that are no secret. */
  openHeaders?(settings: JsonObject): Readonly<Record<string, string | undefined>>
  /** Settings of this driver alone. */
  own?: TProperties
  /** What follows from them, and what of the target is otherwise. */
  facts?(settings: JsonObject, target: ServiceTarget): Own & Partial<ServiceTarget>
}

const nowhere = upstreamTarget('http://localhost')

/** The shared settings with a driver's own. */
export function serviceSettings<Own extends object = object>(spec: SettingsSpec<Own>): ServiceSettings<ServiceTarget & Own> {
  const known = new WeakMap<JsonObject, ServiceTarget & Own>()
  return {
    schema: Type.Object({ ...sharedProperties(spec), ...spec.own }, { additionalProperties: false }),
    targetOf: settings => {
      let target = known.get(settings)
      if (target === undefined) {
        const shared = sharedTarget(spec, settings)
        // Without a function for them there are none.
        target = { ...shared, ...(spec.facts?.(settings, shared) as Own) }
        known.set(settings, target)
      }
      return target
    },
  }
}

/** The text of a setting without space around it, since files and variables often end with a line break; undefined for none. */
export function settingText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** The texts of a setting that is a map. */
export function settingTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(objectOf(value)).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])))
}

function sharedProperties<Own extends object>({ baseUrl, usualBaseUrl, apiKey, needsKey, usualWaits }: SettingsSpec<Own>): TProperties {
  const base = Type.String({ description: baseUrl })
  const key = Type.String({ secret: true, description: apiKey })
  const seconds = (what: string, usualMs: number) =>
    Type.Optional(Type.Number({ minimum: 1, maximum: 3600, description: `Longest wait ${what}. Default ${usualMs / 1000}.` }))
  return {
    base_url: usualBaseUrl === undefined ? base : Type.Optional(base),
    api_key: needsKey ? key : Type.Optional(key),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), {
        secret: true,
        description: 'Further headers of every request; their values count as secret.',
      }),
    ),
    timeout_seconds: seconds('for the first byte of an answer', usualWaits.firstByteMs),
    idle_seconds: seconds('between two parts of an answer', usualWaits.idleMs),
  }
}

/** Settings were checked by the schema when the file was read. */
function sharedTarget<Own extends object>(spec: SettingsSpec<Own>, settings: JsonObject): ServiceTarget {
  const { driver, usualBaseUrl = '', usualWaits, needsKey, keyHeader } = spec
  const baseUrl = settingText(settings.base_url) ?? usualBaseUrl
  const apiKey = settingText(settings.api_key)
  const headers = settingTexts(settings.headers)
  const lacking = needsKey && apiKey === undefined ? 'api_key is empty.' : undefined
  const problem = lacking ?? targetProblem(baseUrl, apiKey, headers)
  const named = keyHeader === undefined || apiKey === undefined ? headers : { ...headers, [keyHeader]: apiKey }
  const bearer = keyHeader === undefined && apiKey !== undefined ? { apiKey } : {}
  const open = spec.openHeaders?.(settings) ?? {}
  const firstByteMs = settingMs(settings.timeout_seconds)
  const idleMs = settingMs(settings.idle_seconds)
  return {
    upstream: problem === undefined ? upstreamTarget(baseUrl, { headers: named, open, ...bearer }) : nowhere,
    firstByteMs,
    idleMs,
    waits: { firstByteMs: firstByteMs ?? usualWaits.firstByteMs, idleMs: idleMs ?? usualWaits.idleMs },
    problem: problem === undefined ? undefined : `Settings of the driver ${driver}: ${problem}`,
  }
}

function settingMs(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}
