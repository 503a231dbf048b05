import { defineEngine, engineQueue, engineSlots, noSettings, streamed } from '@generation-gateway/kit/driver.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import { streamJob } from '@generation-gateway/kit/process/stream-job.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest, ImageEvent, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import { onePicture } from '@generation-gateway/kit/requests/image-inputs.ts'
import { type Job, type JobFacts, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import { upscaledSize } from './limits.ts'
import { mostSources } from './references/most-sources.ts'
import { openJudges } from './safety/judges.ts'
import type { StudioJob } from './studio.ts'

const GiB = 1024 ** 3
const who = 'the built-in image engine'

/** The built-in image engine: composes, lights and styles an illustration of the prompt (no
 *  photographs). */
export default defineEngine({
  id: 'studio',
  title: 'Studio, the built-in image engine',
  kind: 'engine',
  settings: noSettings,
  capabilities: ['image.generate', 'image.edit', 'image.upscale', 'text.moderate'],
  models: [
    {
      id: 'prompt-rules',
      title: 'Rules for prompts, built in',
      capability: 'text.moderate',
      name: 'prompt-rules',
      notes: 'English and Chinese text; the rules judge what the text names. docs/decisions/0003-safety.md says what they miss.',
    },
  ],
  open: tools => {
    const { cores, priority, scratchDirectory, log } = tools
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: Math.max(1, cores),
      queueLimit: engineSlots,
      jobTimeoutMs: 5 * 60_000,
      maxRssBytes: 1.5 * GiB,
      writable: [scratchDirectory],
      priority,
      onLog: message => log.warn({ engine: 'studio' }, message),
    })
    const judges = openJudges(tools)
    const run = (
      method: string,
      payload: StudioJob,
      { account, signal, progress }: Pick<Job<unknown>, 'account' | 'signal' | 'progress'>,
    ) => streamJob<ImageEvent>(pool, { method, payload, account, workMs: workMs(payload), signal, progress })
    return {
      id: 'studio',
      title: 'Studio, the built-in image engine',
      queue: engineQueue('studio', { cores, accountSlots: 2 * cores }),
      offers: {
        'image.generate': streamed<ImageGenerateRequest, ImageEvent>(
          job => run('generate', { request: job.request, scratch: job.scratch }, job),
          {
            follows: ['watermark', 'markedCopy', 'series', 'promptMode'],
          },
        ),
        'image.edit': streamed<ImageEditRequest, ImageEvent>(
          job => run('edit', { request: job.request, scratch: job.scratch, inputs: picturesOf(job.inputs), mask: maskOf(job.inputs) }, job),
          { follows: ['watermark', 'markedCopy', 'series', 'regions'], refuses: refusesEdit },
        ),
        'image.upscale': streamed<ImageUpscaleRequest, ImageEvent>(
          job => run('upscale', { request: job.request, scratch: job.scratch, inputs: picturesOf(job.inputs) }, job),
          { refuses: refusesUpscale },
        ),
        'text.moderate': judges.offer,
      },
      hold: () => {
        if (cores > 0) pool.warm()
      },
      close: async () => {
        await Promise.all([pool.close(), judges.close()])
      },
    }
  },
})

/** Returns the estimated run time of a job in ms: for each resulting picture 300, plus 300 per
 *  megapixel. */
function workMs({ request, inputs = [] }: StudioJob): number {
  const [{ width = 1024, height = 1024 } = {}] = inputs
  const size = { width, height, ...request }
  const scale = 'factor' in request ? request.factor : 1
  const count = 'count' in request ? request.count : 'variants' in request ? (request.variants ?? 1) : 1
  return count * 300 * (1 + ((size.width ?? width) * (size.height ?? height) * scale ** 2) / 1e6)
}

function refusesUpscale({ request, inputs }: JobFacts<ImageUpscaleRequest>): Refusal | undefined {
  const found = onePicture(inputs, who)
  if ('refusal' in found) return found.refusal
  const { width, height } = found.picture
  if (width === undefined || height === undefined) return undefined
  const size = upscaledSize(request.factor, { width, height })
  return 'says' in size ? refusal('factor', size.says) : undefined
}

function refusesEdit({ request, inputs }: JobFacts<ImageEditRequest>): Refusal | undefined {
  const { regions } = request
  const pictures = picturesOf(inputs).length
  const masks = inputs.length - pictures
  if (pictures === 0) return refusal('image', 'an edit needs a picture.')
  if (masks > 1) return refusal('mask', `${who} takes one mask, not ${masks}.`)
  const most = regions || masks > 0 ? 1 : mostSources
  if (pictures > most)
    return refusal(
      'image',
      `${who} takes at most ${most === 1 ? 'one picture with a mask or regions' : `${most} pictures`}, not ${pictures}.`,
    )
  if (regions?.length === 0) return refusal('regions', 'there is none; leave it out to change the whole picture.')
  const broken = regions?.find(({ points }) => points.length < 6 || points.length % 2 === 1)
  return broken && refusal('regions', `a polygon has x and y of three points at least, not ${broken.points.length} numbers.`)
}

function picturesOf<Input extends InputFacts>(inputs: readonly Input[]): Input[] {
  return inputs.filter(({ role }) => role === 'image')
}

function maskOf<Input extends InputFacts>(inputs: readonly Input[]): Input | undefined {
  return inputs.find(({ role }) => role === 'mask')
}
