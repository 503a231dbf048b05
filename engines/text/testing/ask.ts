/** Helpers for tests: they send requests to the text engine and put the answers together. */

import assert from 'node:assert/strict'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import type { Done, Driver, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest, TextResult, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import driverSpec from '../driver.ts'
import type { ModelSettings } from '../messages.ts'
import { textPacks } from '../packs.ts'

export const capital = 'What is the capital of France?'

export const weather: TextTool = {
  kind: 'function',
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 30 }, unit: { enum: ['celsius', 'fahrenheit'] } },
    required: ['city', 'unit'],
    additionalProperties: false,
  },
}
export const note: TextTool = { kind: 'custom', name: 'note', description: 'Writes a note' }

/** Returns a request with one user message. The temperature is 0, unless `more` sets another. */
export function request(text: string, more: Partial<TextRequest> = {}): TextRequest {
  return {
    items: [{ type: 'message', role: 'user', parts: [{ type: 'text', text }] }],
    tools: [],
    toolChoice: { mode: 'auto' },
    parallelToolCalls: true,
    format: { type: 'text' },
    temperature: 0,
    extras: { protocol: 'chat', fields: {} },
    ...more,
  }
}

const pack = textPacks.find(({ id }) => id === 'text-135m')!
const packs = packFilesIn(packsDirectory(process.env), textPacks)

/** Test options that skip a test when the model's pack is not installed. */
export const needsModel = needPack(pack)

/** Returns the settings of the test model, with one thread, so that the other cores stay free. */
export function testModel(more: Partial<ModelSettings> = {}): ModelSettings {
  const file = packs.file(pack.id, 'model.gguf')
  if (file === undefined) throw new Error(packs.howToGet(pack.id))
  return { file, name: 'SmolLM2-135M-Instruct', threads: 1, ...more }
}

export function openDriver(cores = 1): Driver {
  const log = { info: () => undefined, warn: () => undefined }
  const folders = { scratchDirectory: '/nonexistent', dataDirectory: '/nonexistent' }
  return driverSpec.open({ packs, ...folders, cores, allowPrivateUrls: false, outbound: directOutbound, inspection: inlineInspection, log })
}

interface Answer {
  text: string
  deltas: string[]
  calls: { name: string; kind: string; callId: string; input: string }[]
  events: TextEvent[]
  result: TextResult
  usage: Done['usage']
}

type AskOptions = { settings?: JsonObject; signal?: AbortSignal; model?: string }

export async function ask(driver: Driver, what: TextRequest, more: AskOptions = {}): Promise<Answer> {
  const events: TextEvent[] = []
  let done: Done | undefined
  for await (const event of stream(driver, what, more)) {
    if (event.type === 'event') events.push(event.event)
    else if (event.type === 'outcome' && event.outcome.state === 'done') done = event.outcome
  }
  if (!done) throw new Error('the answer has no outcome')
  const { finish, usage } = done.report as TextResult // The driver reports this type.
  return { ...putTogether(events), events, result: { finish, usage }, usage: done.usage }
}

/** Returns the name of the first tool that the model calls. The answer is not read further. */
export async function firstCall(driver: Driver, what: TextRequest): Promise<string | undefined> {
  return (await untilCall(driver, what)).tool
}

/** Returns the first tool that the model calls and the text before the call. The answer is not read
 *  further. */
export async function untilCall(
  driver: Driver,
  what: TextRequest,
  more: AskOptions = {},
): Promise<{ tool: string | undefined; text: string }> {
  let text = ''
  for await (const event of stream(driver, what, more)) {
    if (event.type !== 'event') continue
    if (event.event.type === 'call') return { tool: event.event.name, text }
    if (event.event.type === 'text') text += event.event.delta
  }
  return { tool: undefined, text }
}

function stream(
  driver: Driver,
  what: TextRequest,
  { settings = {}, signal = new AbortController().signal, model = pack.id }: AskOptions,
): AsyncIterable<StreamEvent<TextEvent>> {
  const offer = driver.offers['text.respond']
  if (!offer) throw new Error('the driver answers no conversations')
  const place = { id: 'test', inputs: [], scratch: '/nonexistent', attempt: 1, progress: () => undefined }
  return offer.run({ ...place, request: what, model, settings, signal })
}

export function putTogether(events: readonly TextEvent[]): Pick<Answer, 'text' | 'deltas' | 'calls'> {
  const deltas: string[] = []
  const calls: Answer['calls'] = []
  for (const event of events) {
    if (event.type === 'text') deltas.push(event.delta)
    else if (event.type === 'call') calls.push({ name: event.name, kind: event.kind, callId: event.callId, input: '' })
    else if (event.type === 'call-input') {
      const call = calls[event.index]
      if (call) call.input += event.delta
    }
  }
  return { text: deltas.join(''), deltas, calls }
}

/** Returns a function that checks an error: its code must be `code`, and its message must match
 *  `message`. */
export function refusal(code: string, message: RegExp): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof GatewayError)
    assert.equal(error.code, code)
    assert.match(error.message, message)
    return true
  }
}
