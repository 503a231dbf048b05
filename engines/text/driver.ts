import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { readAs } from '@generation-gateway/kit/check-json.ts'
import { type DriverTools, defineEngine, engineQueue, parkedBecause, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Done } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import Type, { type Static } from 'typebox'
import { textModels } from './built-in-models.ts'
import { createTextHost } from './host.ts'
import type { ModelSettings } from './messages.ts'
import { textPacks } from './packs.ts'
import { refuseUnsupported } from './refuse.ts'
import type { Sampling } from './sampling.ts'

const packFile = 'model.gguf'
/** Sampling parameters for packs whose model files have none. The parameters of the small
 *  Qwen2.5-Coder models come from the generation_config.json of these models, the parameters of
 *  SmolLM2 from its model card. When tools may be called, the small Qwen models answer best without
 *  randomness (0006, "Calls under `auto`"). */
const smallQwen: Partial<Sampling> = { temperature: 0.7, temperatureWithTools: 0, topP: 0.8, topK: 20, repeatPenalty: 1.1 }
const packModels: Readonly<Record<string, { name: string; sampling: Partial<Sampling> }>> = {
  'text-0.5b': { name: 'Qwen2.5-Coder-0.5B-Instruct', sampling: smallQwen },
  'text-135m': { name: 'SmolLM2-135M-Instruct', sampling: { temperature: 0.2, topP: 0.9 } },
  'text-1.5b': { name: 'Qwen2.5-Coder-1.5B-Instruct', sampling: smallQwen },
}
const parked = parkedBecause('text')

const settings = Type.Object(
  {
    file: Type.Optional(
      Type.String({ minLength: 1, description: 'Path of a GGUF file; without it the model of the pack that the target names.' }),
    ),
    context: Type.Optional(
      Type.Integer({
        minimum: 256,
        maximum: 131_072,
        description: 'Tokens of one conversation, answer included; else what the model was trained for, at most 16384.',
      }),
    ),
    threads: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: 'Threads of one model; else one less than the processes an engine may run, at least 1.',
      }),
    ),
    sampling: Type.Optional(
      Type.Object(
        {
          temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
          top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
          top_k: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, description: '0 draws from all tokens.' })),
          min_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
          repetition_penalty: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10, description: '1 is none.' })),
        },
        {
          additionalProperties: false,
          description: 'What a caller leaves open; else what the file recommends, or the makers of such models.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)

/** The built-in text engine: language models in GGUF files, run by llama.cpp in a child process.
 *  Measurements: docs/decisions/0006-text-engine.md. */
export default defineEngine({
  id: 'text',
  title: 'Built-in language models',
  kind: 'engine',
  settings,
  capabilities: ['text.respond'],
  models: textModels,
  packs: textPacks,
  open: tools => {
    const host = createTextHost({
      children: 2,
      requestLimit: 20,
      idleMs: 10 * 60_000,
      priority: tools.priority,
      onLog: message => tools.log.warn({ engine: 'text' }, message),
    })
    const run = streamed<TextRequest, TextEvent>(async function* ({ account, request, model, settings, signal }) {
      if (tools.cores <= 0) throw new GatewayError('capability_unavailable', parked)
      refuseUnsupported(request)
      for await (const event of host.respond(modelOf(tools, settings, model), request, { account, signal })) {
        if (event.type === 'done') yield { type: 'outcome', outcome: doneText(event.result) }
        else yield { type: 'event', event }
      }
    })
    return {
      id: 'text',
      title: 'Built-in language models',
      queue: engineQueue('text', { cores: tools.cores, accountSlots: 4 }),
      offers: { 'text.respond': run },
      countInput: async ({ account, request, model, settings, signal }) => {
        if (tools.cores <= 0) return undefined
        refuseUnsupported(request)
        return host.count(modelOf(tools, settings, model), request, { account, signal })
      },
      unusable: (settings, model) => whyUnusable(tools, settings, model),
      hold: targets => {
        if (tools.cores > 0) host.hold(targets.map(({ settings, model }) => modelOf(tools, settings, model)))
      },
      close: () => host.close(),
    }
  },
})

function whyUnusable({ packs }: DriverTools, given: JsonObject, model: string): string | undefined {
  const { file } = readAs(settings, given, 'settings')
  if (file !== undefined) return existsSync(file) ? undefined : `There is no model file at ${file} (settings.file of the target ${model}).`
  if (packModels[model] === undefined) {
    return `The built-in text engine has no model ${model}; name one of ${Object.keys(packModels).join(', ')}, or give settings.file the path of a GGUF file.`
  }
  return packs.file(model, packFile) === undefined ? packs.howToGet(model) : undefined
}

/** Returns the settings of the model. Throws `capability_unavailable` with the way to install
 *  missing parts. */
function modelOf(tools: DriverTools, given: JsonObject, model: string): ModelSettings {
  // One core stays free for the gateway. llama.cpp's threads keep their cores busy even while they
  // wait (measured in decision 0006). With a thread on every core, no core would be left for the
  // gateway.
  const { file, context, threads = Math.max(1, tools.cores - 1), sampling = {} } = readAs(settings, given, 'settings')
  const known = file === undefined ? packModels[model] : undefined
  const why = whyUnusable(tools, given, model)
  const path = file ?? tools.packs.file(model, packFile)
  if (why !== undefined || path === undefined) throw new GatewayError('capability_unavailable', why ?? tools.packs.howToGet(model))
  return {
    file: path,
    name: known?.name ?? basename(path),
    threads,
    sampling: { ...known?.sampling, ...chosenSampling(sampling) },
    ...(context === undefined ? {} : { context }),
  }
}

function chosenSampling({
  temperature,
  top_p,
  top_k,
  min_p,
  repetition_penalty,
}: NonNullable<Static<typeof settings>['sampling']>): Partial<Sampling> {
  return {
    ...(temperature === undefined ? {} : { temperature, temperatureWithTools: temperature }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(top_k === undefined ? {} : { topK: top_k }),
    ...(min_p === undefined ? {} : { minP: min_p }),
    ...(repetition_penalty === undefined ? {} : { repeatPenalty: repetition_penalty }),
  }
}

function doneText(result: TextResult): Done {
  return {
    state: 'done',
    files: [],
    report: { ...result },
    usage: [
      { unit: 'input_tokens', units: result.usage.inputTokens },
      { unit: 'output_tokens', units: result.usage.outputTokens },
    ],
  }
}
