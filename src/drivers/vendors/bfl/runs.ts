/** Runs a generation from its submit to its picture. */
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import type { PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { fluxBody } from '../../shared/image/flux-body.ts'
import type { ImageJob, ImageRequest } from '../../shared/image/image-job.ts'
import { fluxWords, refusalNamed } from '../../shared/image/image-words.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { fieldsOf } from './fields.ts'
import { handleOf, type TaskHandle } from './handle.ts'
import { pollTask, shortestPollMs } from './poll.ts'
import { settings } from './settings.ts'
import { owner } from './task-answer.ts'

interface RunTools extends ServiceTools {
  /** The current time in Unix milliseconds. */
  now(): number
}

const maxAnswerBytes = 1024 * 1024

export function fluxRuns<Request extends ImageRequest>(tools: RunTools): PolledOffer<Request> {
  return polled<Request>({
    pollEveryMs: shortestPollMs,
    refuses: jobFacts => refusalBy(() => fieldsOf(jobFacts)),
    start: async job => ({ state: 'started', handle: await submit(tools, job) }),
    check: (job, handle) => pollTask(tools, job, { handle, now: tools.now() }),
  })
}

/** Submits the task. The request is paid and has no idempotency key, so it is sent once. Throws the
 *  errors of `submitPaid`. */
async function submit({ submits, now }: RunTools, job: ImageJob): Promise<TaskHandle> {
  const { model, signal, request, inputs, wakeUrl } = job
  const { upstream: target, waits } = settings.targetOf(job.settings)
  // The vendor calls this URL when the task has ended, so that the next poll follows at once.
  const wake = wakeUrl === undefined ? {} : { webhook_url: wakeUrl }
  const body = fluxBody({ ...fieldsOf(job), ...wake }, request.seed, pictureOf(inputs))
  try {
    return await submitPaid({
      ...{ upstream: submits, target, path: `/${encodeURIComponent(model)}`, model, owner, body, signal, ...waits },
      read: async answer => {
        const handle = handleOf(await answer.json(maxAnswerBytes), now())
        if (handle) return handle
        throw new GatewayError('upstream_error', `${owner} did not name the task it made.`)
      },
    })
  } catch (error) {
    throw refusalNamed(fluxWords, error, request)
  }
}
