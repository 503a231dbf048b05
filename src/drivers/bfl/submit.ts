/** Starting a generation: paid, and without an idempotency key to repeat it by. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { fluxWords, refusalNamed } from '../image/image-words.ts'
import type { ImageJob } from '../image/picture-file.ts'
import { submitPaid } from '../upstream/paid-submit.ts'
import type { SentBody } from '../upstream/sent-body.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { handleOf, type TaskHandle } from './handle.ts'
import { factsOf } from './settings.ts'

const maxAnswerBytes = 1024 * 1024
const owner = 'Black Forest Labs'

interface Submit {
  /** Used for nothing else: its connections are never kept. */
  upstream: Upstream
  job: ImageJob
  body: SentBody
  now: number
}

/** Sends the request once and gives the handle of what it started. Throws what `submitPaid` throws. */
export async function submit({ upstream, job, body, now }: Submit): Promise<TaskHandle> {
  const { upstream: target, firstByteMs } = factsOf(job.settings)
  const { model, signal } = job
  const path = `/${encodeURIComponent(model)}`
  try {
    return await submitPaid({
      ...{ upstream, target, path, model, owner, body, signal, firstByteMs },
      idleMs: firstByteMs,
      read: async answer => {
        const handle = handleOf(await answer.json(maxAnswerBytes), now)
        if (handle) return handle
        throw new GatewayError('upstream_error', `${owner} did not name the task it made.`)
      },
    })
  } catch (error) {
    throw refusalNamed(fluxWords, error, job.request)
  }
}
