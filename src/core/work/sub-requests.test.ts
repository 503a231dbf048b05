import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { once, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, Job } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { buildCatalogue, type CatalogueModel } from '../routing/catalogue.ts'
import { createRouter } from '../routing/router.ts'
import { createPollScheduler } from './poll-scheduler.ts'
import { createSubRequests } from './sub-requests.ts'

const scratch = await mkdtemp(join(tmpdir(), 'help-'))
const jobs: Job<unknown>[] = []

const painter: Driver = {
  id: 'painter',
  title: 'Painter',
  queue: { name: 'painter', slots: 1 },
  offers: {
    'image.generate': once<ImageGenerateRequest>(async job => {
      jobs.push(job)
      const path = join(job.scratch, 'a.png')
      await writeFile(path, job.request.prompt)
      return { state: 'done', files: [{ path, mediaType: 'image/png' }], report: { notDrawn: [] }, usage: [{ unit: 'images', units: 1 }] }
    }),
  },
}
const talker = (id: string, word: string | undefined): Driver => ({
  id,
  title: id,
  queue: { name: id, slots: 1 },
  offers: {
    'text.respond': streamed<TextRequest, TextEvent>(async function* (job) {
      jobs.push(job)
      if (word === undefined) throw new GatewayError('upstream_error', 'The upstream is down.')
      yield { type: 'event', event: { type: 'text', delta: word } }
      yield { type: 'outcome', outcome: { state: 'done', files: [], report: {}, usage: [{ unit: 'output_tokens', units: 1 }] } }
    }),
  },
})

const drivers = new Map([painter, talker('broken', undefined), talker('talker', 'Hello')].map(driver => [driver.id, driver]))
const target = (driver: string, order: number) => ({ id: `chat#${driver}`, driver, model: 'm', order, weight: 1, settings: {} })
const chat: CatalogueModel = {
  ...{ id: 'chat', title: 'Chat', families: ['chat'], capability: 'text.respond', source: 'yaml' },
  targets: [target('broken', 1), target('talker', 2)],
}
const catalogue = buildCatalogue(
  [{ id: 'F1', models: [{ id: 'pictures', title: 'Pictures', capability: 'image.generate' }] }],
  [{ id: 'painter', capabilities: ['image.generate'] }],
  [chat],
)
const deps = {
  ...{ catalogue: () => catalogue, router: createRouter(drivers, () => 0.5), polls: createPollScheduler(() => 0.5) },
}
const help = createSubRequests(deps, { id: 't1', request: { hops: 2 }, scratch, signal: new AbortController().signal })
const text: TextRequest = {
  ...{ items: [], tools: [], toolChoice: { mode: 'none' }, parallelToolCalls: true, format: { type: 'text' } },
  extras: { protocol: 'chat', fields: {} },
}
const picture: ImageGenerateRequest = {
  ...{ prompt: 'A boat', count: 1, width: 64, height: 64, seed: '1', expandPrompt: false, safetyTolerance: 2, format: 'png' },
}

test('a text sub-request fails over when the first target is down, and its usage is part of the report', async () => {
  const said = await help({ capability: 'text.respond', request: text, model: 'configured' })
  assert.deepEqual([said?.model, said?.usage], ['chat', [{ unit: 'output_tokens', units: 1 }]])
  assert.deepEqual(said?.report.output, [{ type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] }])
})

test('a picture is a file in the folder of the job; sub-requests have their own names and the hops of the job', async () => {
  const drawn = await help({ capability: 'image.generate', request: picture, model: 'built-in' })
  const path = drawn?.files[0]?.path ?? ''
  assert.ok(path.startsWith(scratch))
  assert.equal(await readFile(path, 'utf8'), 'A boat')
  const ids = new Set(jobs.map(({ id }) => id))
  assert.equal(ids.size, 2)
  assert.ok(jobs.every(({ request }) => Object(request).hops === 2))
})

test('a sub-request without a model has no result, and a wrong name is an error', async () => {
  assert.equal(await help({ capability: 'text.respond', request: text, model: 'built-in' }), undefined)
  assert.equal(await help({ capability: 'image.generate', request: picture, model: 'configured' }), undefined)
  await assert.rejects(help({ capability: 'text.respond', request: text, model: { id: 'pictures' } }), {
    code: 'model_not_found',
    message: /no model pictures of text.respond/,
  })
})

test('an aborted sub-request does not end its job', async () => {
  await assert.rejects(help({ capability: 'text.respond', request: text, model: { id: 'chat' }, signal: AbortSignal.abort() }), {
    name: 'AbortError',
  })
})
