/** Settings that the targets of all services share. The facts derived from a settings object are
 *  computed once and reused by all requests. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { type RouteSettings, routeProblem, routeSettings, usualConnectMs, usualRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import Type, { type TObject, type TProperties } from 'typebox'
import { targetProblem, type UpstreamTarget, upstreamTarget } from './upstream-target.ts'

/** `firstByteMs` is the longest wait for the first byte of an answer; `idleMs` is the longest pause
 *  between two parts of the answer. Both in milliseconds. */
export interface Waits {
  firstByteMs: number
  idleMs: number
}

export interface ServiceAddress {
  /** The address of a service, and the headers of every request to it. */
  upstream: UpstreamTarget
  waits: Waits
}

/** A target of a service, derived from its settings. */
export interface ServiceTarget extends ServiceAddress {
  /** Time limits from the settings, in milliseconds; undefined when they are not set. */
  firstByteMs: number | undefined
  idleMs: number | undefined
  /** Reason why the target cannot be used; undefined when it can be used. */
  problem: string | undefined
}

export interface ServiceSettings<Target extends ServiceTarget = ServiceTarget> {
  schema: TObject
  /** Returns the target of checked settings; the same settings object gives the same target
   *  object. */
  targetOf(settings: JsonObject): Target
}

interface SettingsSpec<Own extends object> {
  /** Id of the driver, for messages. */
  driver: string
  /** Description of the setting `base_url`. When absent, the description states only the default
   *  address. */
  baseUrl?: string
  /** Default of `base_url`; without it the setting is mandatory. */
  usualBaseUrl?: string
  /** Version of the interface with which every path begins: `/v1`. The setting `base_url` may end
   *  with it or leave it out. */
  version?: string
  /** Description of the setting `api_key`. */
  apiKey: string
  needsKey?: true
  /** The header that carries the key. Default: `authorization` with a bearer token. */
  keyHeader?: string
  /** Default time limits; a minute each when absent. */
  usualWaits?: Waits
  /** Headers whose values are not secret. */
  openHeaders?(settings: JsonObject): Readonly<Record<string, string | undefined>>
  /** Settings that only this driver has. */
  own?: TProperties
  /** Returns facts derived from the driver's own settings. Members with the name of a
   *  `ServiceTarget` member replace that member. `problem` says what is wrong with the driver's own
   *  settings: `secret is empty.` */
  facts?(settings: JsonObject, target: ServiceTarget): Own & Partial<ServiceTarget>
}

const nowhere = upstreamTarget('http://localhost')
const minutes: Waits = { firstByteMs: 60_000, idleMs: 60_000 }

/** Returns the shared settings extended by those of the driver. */
export function serviceSettings<Own extends object = object>(spec: SettingsSpec<Own>): ServiceSettings<ServiceTarget & Own> {
  const known = new WeakMap<JsonObject, ServiceTarget & Own>()
  return {
    schema: Type.Object({ ...sharedProperties(spec), ...spec.own }, { additionalProperties: false }),
    targetOf: settings => {
      let target = known.get(settings)
      if (target === undefined) {
        const shared = sharedTarget(spec, settings)
        // The cast is safe: a driver without `facts` has no facts of its own.
        const own = (spec.facts?.(settings, shared) ?? {}) as Own & Partial<ServiceTarget>
        const problem = shared.problem ?? own.problem
        target = { ...shared, ...own, problem: problem && `Settings of the driver ${spec.driver}: ${problem}` }
        known.set(settings, target)
      }
      return target
    },
  }
}

/** Returns the text of a setting, trimmed because files and variables often end with a line break;
 *  undefined when it is empty. */
export function settingText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Returns the strings of a setting that is a map. */
export function settingTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(objectOf(value)).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])))
}

function sharedProperties<Own extends object>(spec: SettingsSpec<Own>): TProperties {
  const { usualBaseUrl, apiKey, needsKey, usualWaits = minutes } = spec
  const base = Type.String({ description: spec.baseUrl ?? `The vendor's API. Default: ${usualBaseUrl}.` })
  const key = Type.String({ secret: true, description: apiKey })
  const seconds = (what: string, usualMs: number) =>
    Type.Optional(Type.Number({ minimum: 1, maximum: 3600, description: `Longest wait ${what}. Default ${usualMs / 1000}.` }))
  return {
    base_url: usualBaseUrl === undefined ? base : Type.Optional(base),
    api_key: needsKey ? key : Type.Optional(key),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), {
        secret: true,
        description: 'More headers for every request; their values are treated as secrets.',
      }),
    ),
    timeout_seconds: seconds('for the first byte of an answer', usualWaits.firstByteMs),
    idle_seconds: seconds('between two parts of an answer', usualWaits.idleMs),
    connect_seconds: seconds('for a connection, that of a proxy included', usualConnectMs),
    total_seconds: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 86_400,
        description: 'Longest time of one request, from its start to the last byte of its answer. Default: only the other limits apply.',
      }),
    ),
    proxy: Type.Optional(
      Type.String({
        secret: true,
        description: 'URL of the http or https proxy of this target, or none for direct connections. Default: HTTPS_PROXY or HTTP_PROXY.',
      }),
    ),
    ca_file: Type.Optional(
      Type.String({ description: 'PEM file with certificate authorities that this target trusts in addition to the others.' }),
    ),
  }
}

/** Returns the members of a target that all services have. */
function sharedTarget<Own extends object>(spec: SettingsSpec<Own>, settings: JsonObject): ServiceTarget {
  const { usualBaseUrl = '', usualWaits = minutes, needsKey, keyHeader } = spec
  const baseUrl = settingText(settings.base_url) ?? usualBaseUrl
  const apiKey = settingText(settings.api_key)
  const headers = settingTexts(settings.headers)
  const lacking = needsKey && apiKey === undefined ? 'api_key is empty.' : undefined
  const route = routeOf(settings)
  const problem = lacking ?? targetProblem(baseUrl, apiKey, headers) ?? routeProblem(route)
  const named = keyHeader === undefined || apiKey === undefined ? headers : { ...headers, [keyHeader]: apiKey }
  const bearer = keyHeader === undefined ? defined({ apiKey }) : {}
  const open = spec.openHeaders?.(settings) ?? {}
  const firstByteMs = settingMs(settings.timeout_seconds)
  const idleMs = settingMs(settings.idle_seconds)
  const totalMs = settingMs(settings.total_seconds)
  const upstream = problem === undefined ? upstreamTarget(baseUrl, { headers: named, open, route, totalMs, ...bearer }) : nowhere
  return {
    upstream: spec.version === undefined ? upstream : versioned(upstream, spec.version),
    firstByteMs,
    idleMs,
    waits: { firstByteMs: firstByteMs ?? usualWaits.firstByteMs, idleMs: idleMs ?? usualWaits.idleMs },
    problem,
  }
}

function routeOf({ proxy, ca_file, connect_seconds }: JsonObject): RouteSettings {
  if (proxy === undefined && ca_file === undefined && connect_seconds === undefined) return usualRoute
  const own = { proxy: settingText(proxy), caFile: settingText(ca_file), connectMs: settingMs(connect_seconds) }
  return routeSettings(defined(own))
}

function versioned(target: UpstreamTarget, version: string): UpstreamTarget {
  return { ...target, path: target.path.endsWith(version) ? target.path : `${target.path}${version}` }
}

function settingMs(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}
