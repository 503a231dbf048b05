/** Settings of a target: which provider package serves it, what its factory is given, and how requests are put to its model. */

import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { remembered, settingMs, settingText } from '../text/text-target.ts'
import { objectOf } from '../upstream/read-json.ts'
import { targetProblem } from '../upstream/upstream-target.ts'

/** Names of the npm registry and nothing else: no path, no URL, no `node:` module. */
const packageName = '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$'
const hostName = '^[a-z0-9.-]+(:[0-9]+)?$'

export const settingsSchema = Type.Object(
  {
    package: Type.String({
      pattern: packageName,
      maxLength: 214,
      description: 'npm package of an AI SDK provider, added to the gateway with npm install. Its code runs inside the gateway.',
    }),
    export: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_$][A-Za-z0-9_$]*$',
        description: "Name of the package's factory. Default: the one export whose name begins with create.",
      }),
    ),
    api_key: Type.Optional(
      Type.String({
        secret: true,
        description: 'Key of the service. Default: what the package reads from its own environment variable.',
      }),
    ),
    api_key_as: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9]*$',
        description: "Name of the factory's option for the key: apiToken for @ai-sdk/replicate. Default: apiKey.",
      }),
    ),
    base_url: Type.Optional(Type.String({ description: "baseURL of the factory. Default: the package's own." })),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), {
        secret: true,
        description: 'Further headers of every request to the service; their values count as secret.',
      }),
    ),
    options: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        secret: true,
        description: 'Further options of the factory (name, region, project, ...); texts in them count as secret.',
      }),
    ),
    provider_options: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: 'providerOptions of every call, by provider: { fal: { guidanceScale: 4 } }.',
      }),
    ),
    size_as: Type.Optional(
      Type.Enum(['size', 'aspect_ratio'], { description: 'How the model takes a width and height: 1024x768 or 4:3. Default: size.' }),
    ),
    seed: Type.Optional(Type.Boolean({ description: 'Whether the model takes a seed. Default: true.' })),
    api_hosts: Type.Optional(
      Type.Array(Type.String({ pattern: hostName }), {
        description:
          'Further hosts of the service that get its credential (another region, a queue). Default: the host of the first request alone.',
      }),
    ),
    timeout_seconds: Type.Optional(
      Type.Number({ minimum: 1, maximum: 3600, description: 'Longest wait for an answer, and between two parts of it. Default 300.' }),
    ),
  },
  { additionalProperties: false },
)

export interface TargetFacts {
  package: string
  /** Undefined: found by its name. */
  factory: string | undefined
  /** What the factory is given beside `fetch`. */
  factoryOptions: Readonly<JsonObject>
  /** Origin of `base_url`. */
  baseOrigin: string | undefined
  apiHosts: readonly string[]
  providerOptions: Readonly<JsonObject>
  sizeAs: 'size' | 'aspect_ratio'
  takesSeed: boolean
  /** Never shown, also when the service or the package repeats them. */
  secrets: readonly string[]
  waitMs: number
  /** Why it cannot be used. */
  problem: string | undefined
}

const defaultWaitMs = 300_000
/** Shorter values are words ("true"), and hiding them would garble messages. */
const shortestSecret = 6

/** The facts of a target; worked out at the first look at these very settings. */
export const factsOf = remembered(work)

/** Settings were checked by the schema when the file was read. */
function work(settings: JsonObject): TargetFacts {
  const apiKey = settingText(settings.api_key)
  const baseUrl = settingText(settings.base_url)
  const headers = objectOf(settings.headers)
  const headerTexts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const problem = targetProblem(baseUrl ?? 'https://localhost', apiKey, headerTexts)
  return {
    package: String(settings.package),
    factory: settingText(settings.export),
    factoryOptions: {
      ...objectOf(settings.options),
      ...(apiKey === undefined ? {} : { [settingText(settings.api_key_as) ?? 'apiKey']: apiKey }),
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl.replace(/\/+$/, '') }),
      ...(settings.headers === undefined ? {} : { headers }),
    },
    baseOrigin: baseUrl === undefined ? undefined : URL.parse(baseUrl)?.origin,
    apiHosts: Array.isArray(settings.api_hosts) ? settings.api_hosts.map(String) : [],
    providerOptions: objectOf(settings.provider_options),
    sizeAs: settings.size_as === 'aspect_ratio' ? 'aspect_ratio' : 'size',
    takesSeed: settings.seed !== false,
    secrets: [apiKey ?? '', ...textsIn(headers), ...textsIn(settings.options)].filter(text => text.length >= shortestSecret),
    waitMs: settingMs(settings.timeout_seconds) ?? defaultWaitMs,
    problem: problem === undefined ? undefined : `Settings of the driver ai-sdk: ${problem}`,
  }
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
