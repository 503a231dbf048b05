/** Runs an image job: submits a task, and polls it until its picture is downloaded. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { polled } from '@generation-gateway/kit/driver.ts'
import { exactNumber } from '@generation-gateway/kit/json.ts'
import { pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import type { PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { ImageJob, ImageRequest } from '../../shared/image/image-job.ts'
import { fluxWords, refusalNamed } from '../../shared/image/image-words.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { FilesInJson } from '../../shared/upstream/json-files.ts'
import { submitNamed } from '../../shared/upstream/paid-submit.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { fieldsOf } from './fields.ts'
import { handleOf, type TaskHandle } from './handle.ts'
import { pollTask, shortestPollMs } from './poll.ts'
import { settings } from './settings.ts'
import { owner } from './task-answer.ts'

interface RunTools extends ServiceTools {
  /** Clock in Unix milliseconds. */
  now(): number
}

export function fluxRuns<Request extends ImageRequest>(tools: RunTools): PolledOffer<Request> {
  return polled<Request>({
    pollEveryMs: shortestPollMs,
    refuses: jobFacts => refusalBy(() => fieldsOf(jobFacts)),
    start: async job => ({ state: 'started', handle: await submit(tools, job) }),
    check: (job, handle) => pollTask(tools, job, { handle, now: tools.now() }),
  })
}

/** Submits the task. The request is paid and has no idempotency key, so it is sent once. Throws the
 *  errors of `submitNamed`. */
async function submit({ submits, now }: RunTools, job: ImageJob): Promise<TaskHandle> {
  const { request, wakeUrl } = job
  const files = new FilesInJson()
  const picture = pictureOf(job.inputs)
  const body = files.body({
    seed: exactNumber(request.seed),
    ...fieldsOf(job),
    // The vendor calls this URL when the task has ended; the gateway then polls at once.
    ...defined({ webhook_url: wakeUrl, input_image: picture && files.base64(picture) }),
  })
  try {
    return await submitNamed({
      ...{ submits, job, target: settings.targetOf(job.settings), path: `/${encodeURIComponent(job.model)}`, body, owner },
      ...{ nameIn: answer => handleOf(answer, now()), what: 'the task it made' },
    })
  } catch (error) {
    throw refusalNamed(fluxWords, error, request)
  }
}
