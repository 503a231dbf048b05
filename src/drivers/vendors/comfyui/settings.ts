/** Settings of a target: the address of the server, the workflow file, and where the parts of a
 *  request are written in the workflow. */
import { resolve } from 'node:path'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { type ServiceTarget, serviceSettings, settingText, settingTexts } from '../../shared/upstream/service-settings.ts'

/** The parts of a request that can be written into a workflow. `model` is the `model` of the
 *  target. */
export const inputNames = ['prompt', 'negative_prompt', 'seed', 'width', 'height', 'batch_size', 'image', 'model'] as const
export type InputName = (typeof inputNames)[number]

interface WorkflowFacts {
  /** Absolute path of the workflow file. */
  workflow: string
  /** The operator's map from request parts to inputs of the workflow; undefined when the inputs are
   *  found by the titles of nodes. */
  inputs: Partial<Record<InputName, string>> | undefined
  values: Readonly<JsonObject>
  output: string | undefined
}

export type TargetFacts = ServiceTarget & WorkflowFacts

const place = Type.String({ minLength: 3, maxLength: 300 })

export const settings = serviceSettings<WorkflowFacts>({
  driver: 'comfyui',
  baseUrl: 'Where the ComfyUI server is: http://127.0.0.1:8188, or with the path it lies under.',
  apiKey: 'Sent as a bearer token, for a proxy before the server.',
  own: {
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
  },
  facts: ({ workflow, inputs, values, output }) => ({
    workflow: resolve(settingText(workflow) ?? ''),
    inputs: inputs === undefined ? undefined : settingTexts(inputs),
    values: objectOf(values),
    output: settingText(output),
  }),
})
