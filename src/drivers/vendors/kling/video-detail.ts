/** Data kept with a video so that the vendor can extend it: the vendor takes its own id of the
 *  video, never a file (docs/vendors/kling.md#video-extension). */
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { refused } from '../../shared/refusal.ts'
import { owner } from './settings.ts'

/** The `detail` of a job whose video has this id. */
export function videoDetail(id: string | undefined): { detail?: JsonObject } {
  return id === undefined ? {} : { detail: { kling: { videoId: id } } }
}

/** The vendor's id of a video. Throws a `RefusedError` for a video that the vendor did not make. */
export function videoIdIn({ origin }: InputFile): string {
  const id = textOf(objectOf(origin?.detail.kling).videoId)
  if (id !== undefined) return id
  throw refused('earlier', `${owner} goes on only with a video that it has made itself.`)
}
