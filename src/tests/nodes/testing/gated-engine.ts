/** An engine whose runs wait for the test. Each node opens its own instance. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineEngine, type EngineSpec, engineQueue, noSettings, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { type Job, refusal } from '@generation-gateway/kit/requests/job.ts'
import { donePixel, onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import type { TestGateway } from '../../../testing/gateway.ts'

/** A run of the engine on one node. */
export interface GatedRun {
  prompt: string
  job: Job<ImageGenerateRequest>
  /** The engine's data folder on the node that runs it. */
  folder: string
  isAborted: boolean
  /** Lets a waiting run continue. */
  finish(): void
}

/** Returns the engine `gated`, and the list of all runs that have begun on any node. Words in
 *  the prompt decide what a run does. `hold`: it waits for `finish`. `preview`: it first yields
 *  a preview. `early`: it first yields a picture. `refuse`, `busy`, `crash`: it fails. */
export function gatedEngine({ unusable }: { unusable?: (folder: string) => string | undefined } = {}) {
  const runs: GatedRun[] = []
  const spec: EngineSpec = defineEngine({
    id: 'gated',
    title: 'Gated',
    kind: 'engine',
    settings: noSettings,
    capabilities: [],
    open: ({ dataDirectory: folder, cores }) => ({
      id: 'gated',
      title: 'Gated',
      queue: engineQueue('gated', { cores, accountSlots: 2 }),
      unusable: () => unusable?.(folder),
      offers: {
        'image.generate': streamed<ImageGenerateRequest, ImageEvent>(
          async function* (job) {
            const { prompt } = job.request
            const gate = Promise.withResolvers<void>()
            const run: GatedRun = { prompt, job, folder, isAborted: false, finish: gate.resolve }
            runs.push(run)
            job.signal.addEventListener('abort', () => {
              run.isAborted = true
              gate.reject(job.signal.reason)
            })
            gate.promise.catch(() => {})
            job.progress(0.5)
            if (prompt.includes('busy'))
              throw new GatewayError('engine_busy', 'The engine and its queue are full.', { retryAfterSeconds: 7 })
            if (prompt.includes('crash')) throw new Error('a fault of the engine')
            const words = Buffer.from(`preview of ${prompt}`)
            if (prompt.includes('preview')) yield preview(words)
            if (prompt.includes('early')) {
              const path = join(job.scratch, 'early.png')
              await writeFile(path, onePixelPng)
              yield { type: 'file', file: { path, mediaType: 'image/png', width: 1, height: 1 } }
            }
            if (prompt.includes('hold')) await gate.promise
            yield { type: 'outcome', outcome: await donePixel(job) }
          },
          {
            refuses: ({ request }) =>
              request.prompt.includes('refuse') ? refusal('prompt', 'the engine draws no such thing.') : undefined,
          },
        ),
      },
    }),
  })
  return {
    spec,
    runs,
    /** Returns the runs on this node, the latest last. */
    runsAt: ({ dataDir }: TestGateway): GatedRun[] => runs.filter(({ folder }) => folder.startsWith(dataDir)),
  }
}

function preview(bytes: Buffer): { type: 'event'; event: ImageEvent } {
  return { type: 'event', event: { type: 'preview', picture: 0, step: 0, mediaType: 'image/png', width: 1, height: 1, bytes } }
}
