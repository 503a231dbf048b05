/** Runs a conversation once with a fake language model. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Done } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { driverTools } from '../../../../testing/driver-tools.ts'
import { textRequest } from '../../../../testing/fakes/fake-upstream-run.ts'
import { aiSdkDriver } from '../driver.ts'
import { type FakeLanguageModel, fakeLanguagePackage, type RecordedCall } from './fake-package.ts'
import { testSecret } from './run.ts'

interface ConversationOptions {
  request?: Partial<TextRequest>
  settings?: JsonObject
  signal?: AbortSignal
  allowPrivateUrls?: boolean
}

interface Conversation {
  /** The arguments of the first call of the model. */
  call: RecordedCall
  events: TextEvent[]
  report: Done['report']
  /** Warnings to the caller about fields that the model does not follow. */
  warnings: string[]
  /** Lines of the log, as JSON. */
  logged: string[]
}

/** Runs a conversation and returns what the caller and the log received. Throws the errors of the
 *  driver. */
export async function converse(
  model: FakeLanguageModel,
  { request, settings, signal = new AbortController().signal, allowPrivateUrls = true }: ConversationOptions = {},
): Promise<Conversation> {
  const { source, calls } = fakeLanguagePackage(model)
  const [events, warnings, logged]: [TextEvent[], string[], string[]] = [[], [], []]
  const write = (fields: JsonObject, message: string) => void logged.push(JSON.stringify({ ...fields, message }))
  const driver = aiSdkDriver(source).open(driverTools({ allowPrivateUrls, log: { info: write, warn: write } }))
  const scratch = await mkdtemp(join(tmpdir(), 'ai-sdk-text-'))
  try {
    const offer = driver.offers['text.respond'] ?? assert.fail('the driver offers no conversations')
    const parts = offer.run({
      ...{ id: 'job-1', request: textRequest(request), inputs: [], scratch, model: 'talk-1', attempt: 1, signal },
      settings: { package: 'fake-provider', api_key: testSecret, ...settings },
      progress: () => {},
      warn: (field, says) => void warnings.push(`${field}: ${says}`),
    })
    for await (const part of parts) {
      if (part.type === 'event') events.push(part.event)
      if (part.type !== 'outcome') continue
      assert.ok(part.outcome.state === 'done')
      return { call: calls[0] ?? assert.fail('the model was not called'), events, report: part.outcome.report, warnings, logged }
    }
    return assert.fail('the run ended without an outcome')
  } finally {
    await driver.close?.()
    await rm(scratch, { recursive: true })
  }
}

/** The parts of a stream with a short text. */
export const said = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'hi' },
  { type: 'text-end', id: '1' },
]
export const tokens = { inputTokens: { total: 9, cacheRead: 2, cacheWrite: 1 }, outputTokens: { total: 5, reasoning: 3 } }
/** The last part of a stream. */
export const end = { type: 'finish', finishReason: { unified: 'stop' }, usage: tokens }

/** Runs a conversation with a model whose answer is a short text, unless `model` has another
 *  one. */
export const run = (model: FakeLanguageModel, request: Partial<TextRequest> = {}, settings: JsonObject = {}) =>
  converse({ doStream: async () => [...said, end], ...model }, { request, settings })
