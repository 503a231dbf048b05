import { defineEngine, streamed } from '@generation-gateway/kit/driver.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import { streamJob } from '@generation-gateway/kit/process/stream-job.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest, ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { type Job, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import Type from 'typebox'
import { mostSources } from './references/most-sources.ts'
import type { StudioJob } from './studio.ts'

const GiB = 1024 ** 3

/** The built-in image engine: a composed, lit, stylised illustration of what the prompt says. It draws illustrations, not photographs. */
export default defineEngine({
  id: 'studio',
  title: 'Studio, the built-in image engine',
  kind: 'engine',
  settings: Type.Object({}),
  capabilities: ['image.generate', 'image.edit'],
  open: ({ cores, priority, scratchDirectory, log }) => {
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: Math.max(1, cores),
      queueLimit: 16,
      jobTimeoutMs: 5 * 60_000,
      maxRssBytes: 1.5 * GiB,
      writable: [scratchDirectory],
      priority,
      onLog: message => log.warn({ engine: 'studio' }, message),
    })
    const run = (method: string, payload: StudioJob, { signal, progress }: Pick<Job<unknown>, 'signal' | 'progress'>) =>
      streamJob<ImageEvent>(pool, { method, payload, signal, progress })
    return {
      id: 'studio',
      title: 'Studio, the built-in image engine',
      queue: { name: 'engine:studio', slots: cores },
      offers: {
        'image.generate': streamed<ImageGenerateRequest, ImageEvent>(
          job => run('generate', { request: job.request, scratch: job.scratch }, job),
          {
            isRepeatable: true,
            follows: ['series'],
          },
        ),
        'image.edit': streamed<ImageEditRequest, ImageEvent>(
          job =>
            run('edit', { request: job.request, scratch: job.scratch, inputs: job.inputs.filter(({ role }) => role === 'image') }, job),
          { isRepeatable: true, follows: ['series'], refuses: ({ inputs }) => refusalOf(inputs) },
        ),
      },
      hold: () => {
        if (cores > 0) pool.warm()
      },
      close: () => pool.close(),
    }
  },
})

function refusalOf(inputs: readonly InputFacts[]): Refusal | undefined {
  const pictures = inputs.filter(({ role }) => role === 'image')
  const who = 'the built-in image engine'
  if (pictures.length < inputs.length) return refusal('mask', `${who} takes no mask.`)
  if (pictures.length === 0) return refusal('image', 'an edit needs a picture.')
  return pictures.length > mostSources
    ? refusal('image', `${who} takes at most ${mostSources} pictures, not ${pictures.length}.`)
    : undefined
}
