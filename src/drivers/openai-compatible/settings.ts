/** Settings of a target, and what follows from them once: nothing here is worked out per request. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import Type from 'typebox'
import { type Dialect, remembered, settingMs, settingText, type TextTarget } from '../text/text-target.ts'
import { firstHop } from '../upstream/hops.ts'
import { targetProblem, type UpstreamTarget, upstreamTarget } from '../upstream/upstream-target.ts'
import { imageSettings } from './image-settings.ts'

export const settingsSchema = Type.Object(
  {
    base_url: Type.String({ description: 'Where the service is, up to and with its version: https://host/v1.' }),
    api_key: Type.Optional(Type.String({ secret: true, description: 'Sent as a bearer token.' })),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), {
        secret: true,
        description: 'Further headers of every request; their values count as secret.',
      }),
    ),
    dialect: Type.Optional(
      Type.Enum(['openai', 'basic', 'ark'], {
        description: 'What the service understands. Default: openai at api.openai.com, ark at volces.com, else basic.',
      }),
    ),
    protocols: Type.Optional(
      Type.Array(Type.Enum(['chat', 'responses']), {
        description: "Protocols the service speaks. Default: what the model's family says; none for a model that only draws.",
      }),
    ),
    stateless: Type.Optional(
      Type.Boolean({
        description:
          'True for a service that answers POST /responses and keeps nothing: stored responses are then kept here. Default: false at api.openai.com; any other service is asked once.',
      }),
    ),
    timeout_seconds: Type.Optional(
      Type.Number({ minimum: 1, maximum: 3600, description: 'Longest wait for the first byte. Default 600.' }),
    ),
    idle_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: 3600, description: 'Longest wait between two parts. Default 120.' })),
    organization: Type.Optional(Type.String({ description: 'Sent as openai-organization.' })),
    project: Type.Optional(Type.String({ description: 'Sent as openai-project.' })),
    image: Type.Optional(imageSettings),
  },
  { additionalProperties: false },
)

const openaiHost = 'api.openai.com'
const nowhere: UpstreamTarget = upstreamTarget('http://localhost')

/** The facts of a target; worked out at the first look at these very settings. */
export const factsOf = remembered(work)

function work(settings: JsonObject): TextTarget {
  const baseUrl = settingText(settings.base_url) ?? ''
  const apiKey = settingText(settings.api_key)
  const headers = headersOf(settings.headers)
  const problem = targetProblem(baseUrl, apiKey, headers)
  const open = { ...firstHop, 'openai-organization': settingText(settings.organization), 'openai-project': settingText(settings.project) }
  return {
    dialect: dialectOf(settings.dialect, baseUrl),
    protocols: protocolsOf(settings.protocols),
    isStateless: statelessOf(settings.stateless, baseUrl),
    firstByteMs: settingMs(settings.timeout_seconds),
    idleMs: settingMs(settings.idle_seconds),
    problem: problem === undefined ? undefined : `Settings of the driver openai-compatible: ${problem}`,
    upstream: problem === undefined ? upstreamTarget(baseUrl, { headers, open, ...(apiKey === undefined ? {} : { apiKey }) }) : nowhere,
  }
}

function dialectOf(setting: unknown, baseUrl: string): Dialect {
  if (setting === 'openai' || setting === 'basic' || setting === 'ark') return setting
  const host = URL.parse(baseUrl)?.hostname ?? ''
  if (host === openaiHost) return 'openai'
  return host === 'volces.com' || host.endsWith('.volces.com') ? 'ark' : 'basic'
}

function statelessOf(setting: unknown, baseUrl: string): boolean | undefined {
  if (typeof setting === 'boolean') return setting
  return URL.parse(baseUrl)?.hostname === openaiHost ? false : undefined
}

function protocolsOf(setting: unknown): TextProtocol[] {
  const named = Array.isArray(setting) ? setting.filter(name => name === 'chat' || name === 'responses') : []
  return named.length === 0 ? ['chat'] : named
}

function headersOf(setting: unknown): Record<string, string> {
  if (typeof setting !== 'object' || setting === null) return {}
  return Object.fromEntries(Object.entries(setting).map(([name, value]) => [name, String(value)]))
}
