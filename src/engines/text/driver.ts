import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { type DriverTools, defineDriver, streamed } from '../../contract/driver.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Done } from '../../core/requests/job.ts'
import type { TextEvent, TextRequest, TextResult } from '../../core/requests/text.ts'
import type { JsonObject } from '../../core/task.ts'
import { createTextHost } from './host.ts'
import type { ModelSettings } from './messages.ts'
import { refuseUnsupported } from './refuse.ts'

const packFile = 'model.gguf'
const packNames: Readonly<Record<string, string>> = {
  'text-135m': 'SmolLM2-135M-Instruct',
  'text-1.5b': 'Qwen2.5-Coder-1.5B-Instruct',
}
const parked = 'The text engine is parked: this gateway runs its engines with 0 processes (GATEWAY_ENGINE_WORKERS).'

const settings = Type.Object(
  {
    file: Type.Optional(
      Type.String({ minLength: 1, description: 'Path of a GGUF file; without it the model of the pack that the target names.' }),
    ),
    context: Type.Optional(
      Type.Integer({
        minimum: 256,
        maximum: 131_072,
        description: 'Tokens of one conversation, answer included; else what the model was trained for, at most 8192.',
      }),
    ),
    threads: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: 'Threads of one model; else one less than the processes an engine may run, at least 1.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The built-in text engine: language models in GGUF files, run by llama.cpp in a child process. Figures: docs/decisions/0006-text-engine.md. */
export default defineDriver({
  id: 'text',
  title: 'Built-in language models',
  kind: 'engine',
  settings,
  hosts: [],
  capabilities: ['text.respond'],
  open: tools => {
    const host = createTextHost({
      children: 2,
      requestLimit: 20,
      idleMs: 10 * 60_000,
      priority: tools.priority,
      onLog: message => tools.log.warn({ engine: 'text' }, message),
    })
    const run = streamed<TextRequest, TextEvent>(async function* ({ request, model, settings, signal }) {
      if (tools.cores <= 0) throw new GatewayError('capability_unavailable', parked)
      refuseUnsupported(request)
      for await (const event of host.respond(modelOf(tools, settings, model), request, signal)) {
        if (event.type === 'done') yield { type: 'outcome', outcome: doneText(event.result) }
        else yield { type: 'event', event }
      }
    })
    return {
      id: 'text',
      title: 'Built-in language models',
      queue: { name: 'engine:text', slots: tools.cores > 0 ? 4 : 0 },
      offers: { 'text.respond': run },
      unusable: (settings, model) => whyUnusable(tools, settings, model),
      close: () => host.close(),
    }
  },
})

function whyUnusable({ packs }: DriverTools, given: JsonObject, model: string): string | undefined {
  const { file } = Value.Parse(settings, given)
  if (file !== undefined) return existsSync(file) ? undefined : `There is no model file at ${file} (settings.file of the target ${model}).`
  if (packNames[model] === undefined) {
    return `The built-in text engine has no model ${model}; name one of ${Object.keys(packNames).join(', ')}, or give settings.file the path of a GGUF file.`
  }
  return packs.file(model, packFile) === undefined ? packs.howToGet(model) : undefined
}

/** Throws `capability_unavailable` with the way to add what is missing. */
function modelOf(tools: DriverTools, given: JsonObject, model: string): ModelSettings {
  // Threads that wait spin, so one core stays free for the gateway itself: measured in decision 0006.
  const { file, context, threads = Math.max(1, tools.cores - 1) } = Value.Parse(settings, given)
  const why = whyUnusable(tools, given, model)
  const path = file ?? tools.packs.file(model, packFile)
  if (why !== undefined || path === undefined) throw new GatewayError('capability_unavailable', why ?? tools.packs.howToGet(model))
  return { file: path, name: packNames[model] ?? basename(path), threads, ...(context === undefined ? {} : { context }) }
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
