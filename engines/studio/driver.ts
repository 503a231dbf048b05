import { defineEngine, once } from '@generation-gateway/kit/driver.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { onePicture, pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import type { Outcome, Refusal } from '@generation-gateway/kit/requests/job.ts'
import Type from 'typebox'
import type { StudioJob, StudioOutcome } from './studio.ts'

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
    const run = async (method: string, job: StudioJob, call: { signal: AbortSignal; progress(fraction: number): void }): Promise<Outcome> =>
      // The child's method answers with a StudioOutcome; the channel does not know it.
      (await pool.run({ method, payload: job, ...call })) as StudioOutcome
    return {
      id: 'studio',
      title: 'Studio, the built-in image engine',
      queue: { name: 'engine:studio', slots: cores },
      offers: {
        'image.generate': once<ImageGenerateRequest>(
          ({ request, scratch, signal, progress }) => run('generate', { request, scratch }, { signal, progress }),
          { isRepeatable: true },
        ),
        'image.edit': once<ImageEditRequest>(
          ({ request, inputs, scratch, signal, progress }) =>
            run('edit', { request, scratch, input: pictureOf(inputs) }, { signal, progress }),
          { isRepeatable: true, refuses: ({ inputs }) => refusalOf(inputs) },
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
  const found = onePicture(inputs, 'the built-in image engine')
  return 'refusal' in found ? found.refusal : undefined
}
