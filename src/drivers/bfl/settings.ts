import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { remembered, settingMs, settingText } from '../text/text-target.ts'
import { baseUrlProblem, headerProblem, type UpstreamTarget, upstreamTarget } from '../upstream/upstream-target.ts'
import { type GroupName, groupNames, groupOfModel, groups, type ModelGroup } from './models.ts'

/** All hosts of the vendor's API lie under it. */
export const vendorDomain = 'bfl.ai'
const defaultBaseUrl = `https://api.${vendorDomain}`
const defaultFirstByteMs = 60_000

export const settingsSchema = Type.Object(
  {
    base_url: Type.Optional(
      Type.String({
        description: `The vendor's API, with or without /v1. Default: ${defaultBaseUrl}; https://api.eu.${vendorDomain} and https://api.us.${vendorDomain} keep the data in a region.`,
      }),
    ),
    api_key: Type.String({ secret: true, description: 'A key of the vendor, sent as x-key.' }),
    model_group: Type.Optional(
      Type.Enum([...groupNames], { description: 'What the model takes. Only for a model whose name the driver does not know.' }),
    ),
    timeout_seconds: Type.Optional(
      Type.Number({ minimum: 1, maximum: 600, description: 'Longest wait for an answer to a submit or a look. Default 60.' }),
    ),
  },
  { additionalProperties: false },
)

export interface TargetFacts {
  upstream: UpstreamTarget
  firstByteMs: number
  modelGroup: GroupName | undefined
  /** Why it cannot be used. */
  problem: string | undefined
}

const nowhere = upstreamTarget('http://localhost')

/** The facts of a target; worked out at the first look at these very settings. */
export const factsOf = remembered(work)

/** What the target's model takes, or why the target cannot be used, in a sentence. */
export function groupOf(settings: JsonObject, model: string): ModelGroup | string {
  const { problem, modelGroup } = factsOf(settings)
  if (problem !== undefined) return problem
  const name = modelGroup ?? groupOfModel(model)
  return name === undefined ? `The driver bfl does not know the model ${model}; say with model_group what it takes.` : groups[name]
}

/** Settings were checked by the schema when the file was read. */
function work(settings: JsonObject): TargetFacts {
  const baseUrl = settingText(settings.base_url) ?? defaultBaseUrl
  const apiKey = settingText(settings.api_key) ?? ''
  const problem = baseUrlProblem(baseUrl) ?? (apiKey === '' ? 'api_key is empty.' : undefined) ?? headerProblem('x-key', apiKey)
  return {
    upstream: problem === undefined ? apiOf(upstreamTarget(baseUrl, { headers: { 'x-key': apiKey } })) : nowhere,
    firstByteMs: settingMs(settings.timeout_seconds) ?? defaultFirstByteMs,
    modelGroup: groupNames.find(name => name === settings.model_group),
    problem: problem === undefined ? undefined : `Settings of the driver bfl: ${problem}`,
  }
}

function apiOf(target: UpstreamTarget): UpstreamTarget {
  return { ...target, path: `${target.path.replace(/\/v1$/, '')}/v1` }
}
