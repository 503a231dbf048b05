/** Data stored with a video so that it can be remixed later. The service accepts no file for a
 *  remix, only its own id of the video (docs/vendors/openai-videos.md#operations). */
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { refused } from '../../shared/refusal.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'

type ServicePlace = Pick<UpstreamTarget, 'origin' | 'path'>

/** Returns the `detail` that is stored with a job: the service that made the video, and the id of
 *  the video at that service. */
export function videoDetail(target: ServicePlace, id: string): JsonObject {
  return { openaiVideo: { service: serviceOf(target), id } }
}

/** Returns the id of a video that this service created. Throws a `RefusedError` for a video of
 *  another service, because two services may use the same id for different videos. */
export function videoIdIn(target: ServicePlace, { origin }: InputFile): string {
  const { service, id } = objectOf(origin?.detail.openaiVideo)
  const known = service === serviceOf(target) ? textOf(id) : undefined
  // Only output 0 of a job is the video; its other output is a thumbnail.
  if (known !== undefined && origin?.index === 0) return known
  throw refused('base', 'the upstream service remixes only a video that it has made itself.')
}

function serviceOf({ origin, path }: ServicePlace): string {
  return origin + path
}
