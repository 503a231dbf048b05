/** Settings of a target: where the server is, which workflow it runs, and where in it the parts of a request go. */
import { resolve } from 'node:path'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { remembered, settingMs, settingText } from '../text/text-target.ts'
import { objectOf } from '../upstream/read-json.ts'
import { targetProblem, type UpstreamTarget, upstreamTarget } from '../upstream/upstream-target.ts'

/** Parts of a request that a workflow can have an input for. `model` is the target's `model`. */
export const inputNames = ['prompt', 'negative_prompt', 'seed', 'width', 'height', 'batch_size', 'image', 'model'] as const
export type InputName = (typeof inputNames)[number]

const place = Type.String({ minLength: 3, maxLength: 300 })

export const settingsSchema = Type.Object(
  {
    base_url: Type.String({ description: 'Where the ComfyUI server is: http://127.0.0.1:8188, or with the path it lies under.' }),
    workflow: Type.String({
      minLength: 1,
      description:
        'File of the workflow, saved by "Export (API)". Read again when it changes. A relative path counts from the working directory.',
    }),
    inputs: Type.Optional(
      Type.Object(Object.fromEntries(inputNames.map(name => [name, Type.Optional(place)])), {
        additionalProperties: false,
        description: 'Part of a request -> "<node id or title>.<input>". Default: found by the titles of the nodes.',
      }),
    ),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Values that replace those of the file in every run: "<node id or title>.<input>" -> value.',
      }),
    ),
    output: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Id or title of the node whose pictures count. Default: every SaveImage node.',
      }),
    ),
    api_key: Type.Optional(Type.String({ secret: true, description: 'Sent as a bearer token, for a proxy before the server.' })),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), {
        secret: true,
        description: 'Further headers of every request; their values count as secret.',
      }),
    ),
    timeout_seconds: Type.Optional(
      Type.Number({ minimum: 1, maximum: 3600, description: 'Longest wait for the first byte of an answer. Default 60.' }),
    ),
    idle_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: 3600, description: 'Longest wait between two parts. Default 60.' })),
  },
  { additionalProperties: false },
)

export interface TargetFacts {
  upstream: UpstreamTarget
  /** Absolute path. */
  workflow: string
  /** Undefined: found by titles. */
  inputs: Partial<Record<InputName, string>> | undefined
  values: Readonly<Record<string, Json>>
  output: string | undefined
  firstByteMs: number
  idleMs: number
  /** Why it cannot be used. */
  problem: string | undefined
}

const nowhere = upstreamTarget('http://localhost')
const defaultWaitMs = 60_000

/** The facts of a target; worked out at the first look at these very settings. */
export const factsOf = remembered(work)

/** Settings were checked by the schema when the file was read. */
function work(settings: JsonObject): TargetFacts {
  const baseUrl = settingText(settings.base_url) ?? ''
  const apiKey = settingText(settings.api_key)
  const headers = textsOf(settings.headers)
  const problem = targetProblem(baseUrl, apiKey, headers)
  return {
    upstream: problem === undefined ? upstreamTarget(baseUrl, { headers, ...(apiKey === undefined ? {} : { apiKey }) }) : nowhere,
    workflow: resolve(settingText(settings.workflow) ?? ''),
    inputs: settings.inputs === undefined ? undefined : textsOf(settings.inputs),
    values: valuesOf(settings.values),
    output: settingText(settings.output),
    firstByteMs: settingMs(settings.timeout_seconds) ?? defaultWaitMs,
    idleMs: settingMs(settings.idle_seconds) ?? defaultWaitMs,
    problem: problem === undefined ? undefined : `Settings of the driver comfyui: ${problem}`,
  }
}

function textsOf(value: Json | undefined): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, text] of Object.entries(objectOf(value))) if (typeof text === 'string') texts[name] = text
  return texts
}

function valuesOf(value: Json | undefined): Record<string, Json> {
  const values: Record<string, Json> = {}
  for (const [name, each] of Object.entries(objectOf(value))) if (each !== undefined) values[name] = each
  return values
}
