/** Polls a started task until its picture is downloaded. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Outcome, Running } from '@generation-gateway/kit/requests/job.ts'
import { pictureAs } from '../../shared/image/convert-picture.ts'
import type { ImageJob } from '../../shared/image/image-job.ts'
import { doneWithPictures } from '../../shared/image/image-outcome.ts'
import { downloadPicture, exactSeed } from '../../shared/image/picture-file.ts'
import { pollAndFetch, type TaskState } from '../../shared/output/poll-and-fetch.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { unlessGone } from '../../shared/upstream/gone-task.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { pollingPlace } from './handle.ts'
import { settings } from './settings.ts'
import { isNotFound, notFound, owner, type ReadyPicture, taskStateIn } from './task-answer.ts'

/** Shortest interval between two polls in milliseconds. The interval grows with the time that the
 *  task has run, up to three seconds (docs/vendors/README.md#polling). */
export const shortestPollMs = 500
const longestPollMs = 3_000
/** Largest picture in bytes: four bytes for each of the 4,194,304 pixels of the largest picture,
 *  times four as a reserve for the file format. */
const maxBytes = 64 * 1024 * 1024

interface PollContext {
  handle: JsonObject
  now: number
}

/** Polls once, and downloads the picture when it is ready. */
export function pollTask(tools: ServiceTools, job: ImageJob, { handle, now }: PollContext): Promise<Running | Outcome> {
  const poll = async () => {
    const seen = await ask(tools, job, handle)
    return seen.state === 'running' ? { ...seen, checkAfterMs: checkAfterMs(handle, now) } : seen
  }
  return pollAndFetch(poll, picture => fetchPicture(tools, job, picture))
}

function ask({ upstream }: ServiceTools, job: ImageJob, handle: JsonObject): Promise<TaskState<ReadyPicture>> {
  const { upstream: base, waits } = settings.targetOf(job.settings)
  const { target, path, isNamed } = pollingPlace(base, handle)
  const answer = askJson(upstream, { upstream: target, waits }, { path, signal: job.signal })
  const state = answer.then(body => taskStateIn(body, target.secrets))
  // Some of the vendor's clusters answer 404 for a missing task. At the address that the driver
  // derived from the base URL, 404 may also mean a wrong cluster.
  return unlessGone(state, { says: notFound, isIn: body => isNamed && isNotFound(body) })
}

/** Downloads the picture and returns the outcome. Throws `upstream_error` when the file is not a
 *  picture: its host may have a temporary fault, so the next poll tries again. */
async function fetchPicture({ guard, inspection }: ServiceTools, job: ImageJob, picture: ReadyPicture): Promise<Outcome> {
  const { request } = job
  const { origin, route } = settings.targetOf(job.settings).upstream
  const fetched = await downloadPicture({ guard, job, origin, route, owner, maxBytes }, picture.url)
  if (fetched === undefined) throw new GatewayError('upstream_error', `The link of ${owner} led to something that is no picture.`)
  const file = await pictureAs({ inspection, format: request.format, owner, signal: job.signal, account: job.account }, fetched)
  if ('state' in file) return file
  const seed = picture.seed === undefined ? request.seed : exactSeed(picture.seed, request.seed)
  return doneWithPictures([file], { seed, prompt: picture.prompt ?? request.prompt, notDrawn: [] })
}

/** Returns the milliseconds until the next poll: a quarter of the time that the task has run, but
 *  at least half a second and at most three seconds. */
function checkAfterMs({ startedAt }: JsonObject, now: number): number {
  const ranMs = typeof startedAt === 'number' ? now - startedAt : 0
  return Math.min(longestPollMs, Math.max(shortestPollMs, ranMs / 4))
}
