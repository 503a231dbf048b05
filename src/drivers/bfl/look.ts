/** Looking at a started task until its picture is here. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Outcome, Running } from '@generation-gateway/kit/requests/job.ts'
import { isLinkGone } from '../output/fetch-output.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { UpstreamAnswerError } from '../upstream/upstream-failures.ts'
import type { UrlGuard } from '../upstream/url-guard.ts'
import { pollingPlace } from './handle.ts'
import { fetchPicture } from './picture-file.ts'
import { factsOf, type TargetFacts } from './settings.ts'
import { notFound, type SeenTask, seenTask } from './task-answer.ts'

/** `vendors-media.md` 11.1: from half a second to three. */
export const shortestPollMs = 500
const longestPollMs = 3_000
const maxAnswerBytes = 1024 * 1024

interface Look {
  upstream: Upstream
  guard: UrlGuard
  now: number
}

/** One look; downloads the picture once it is ready. Of a link that has expired the next answer has a fresh one. */
export async function lookAt(
  { upstream, guard, now }: Look,
  job: Job<ImageGenerateRequest | ImageEditRequest>,
  handle: JsonObject,
): Promise<Running | Outcome> {
  const facts = factsOf(job.settings)
  if (facts.problem !== undefined) throw new GatewayError('capability_unavailable', facts.problem)
  let broken: unknown
  for (let tries = 0; tries < 2; tries++) {
    const seen = await ask(upstream, facts, { handle, signal: job.signal })
    if (seen.state === 'running') return { ...seen, checkAfterMs: checkAfterMs(handle, now) }
    if (seen.state === 'ended') return seen.failed
    try {
      return await fetchPicture({ guard, job, origin: facts.upstream.origin }, seen.picture)
    } catch (error) {
      if (!isLinkGone(error)) throw error
      broken = error
    }
  }
  throw broken
}

async function ask(upstream: Upstream, facts: TargetFacts, asked: { handle: JsonObject; signal: AbortSignal }): Promise<SeenTask> {
  const { target, path, isNamed } = pollingPlace(facts.upstream, asked.handle)
  const { firstByteMs } = facts
  const limits = { firstByteMs, idleMs: firstByteMs, timeoutMs: 2 * firstByteMs, maxBytes: maxAnswerBytes }
  try {
    const { body } = await upstream.json(target, { method: 'GET', path, isStored: true, signal: asked.signal, ...limits })
    return seenTask(body, target.secrets)
  } catch (error) {
    if (!(error instanceof GatewayError && error.cause instanceof UpstreamAnswerError && error.cause.status === 404)) throw error
    // Some of the vendor's clusters say so by the status. At a place we made up ourselves it may be the wrong cluster or a wrong base_url.
    if (isNamed) return notFound()
    throw new GatewayError('upstream_error', 'Black Forest Labs does not have the task at the base_url of this target.', { cause: error })
  }
}

/** A quarter of the time it has run. */
function checkAfterMs({ startedAt }: JsonObject, now: number): number {
  const ranMs = typeof startedAt === 'number' ? now - startedAt : 0
  return Math.min(longestPollMs, Math.max(shortestPollMs, ranMs / 4))
}
