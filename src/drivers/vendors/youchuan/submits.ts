/** Translates neutral requests into requests to the vendor (docs/vendors/youchuan.md#operations). A
 *  request that the vendor cannot serve is refused before anything is sent. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, JobFacts } from '@generation-gateway/kit/requests/job.ts'
import { onlyPicture } from '../../shared/image/image-job.ts'
import { greatestDivisor } from '../../shared/image/ratio-of-size.ts'
import { refused } from '../../shared/refusal.ts'
import {
  type ArtworkRecord,
  artworkAreas,
  artworkPicture,
  artworkText,
  picturesPerArtwork,
  upscaleType,
  usualArtworkVersion,
  versionIn,
} from './artwork.ts'
import { owner } from './settings.ts'

/** A request to the vendor, and the model version, which is stored with its pictures. */
export interface Submit {
  path: string
  body: JsonObject
  /** Major version of the model. Version 5 has other types of upscaling than later versions. */
  version: number
}

/** How one capability is translated for the vendor. */
export interface Kind<Request> {
  /** Throws a `RefusedError` for a request that the vendor cannot serve. Checks the number of input
   *  pictures, but not whether the vendor drew them. */
  check(jobFacts: JobFacts<Request>): void
  /** Returns the request to the vendor. Throws a `RefusedError` for an input picture that the
   *  vendor did not draw. */
  submit(job: Job<Request>): Submit
}

/** Data stored with the pictures of a job, so that a later request can redraw or upscale them. */
export type ArtworkDetail = { youchuan: ArtworkRecord }

export const newPictures: Kind<ImageGenerateRequest> = {
  check: ({ request }) => {
    if (request.count !== picturesPerArtwork)
      throw refused('count', `${owner} draws ${picturesPerArtwork} pictures per job, not ${request.count}.`)
    textOf(request)
  },
  submit: ({ request }) => ({
    path: 'diffusion',
    body: { text: textOf(request) },
    version: versionIn(request.flags) ?? usualArtworkVersion,
  }),
}

export const redraw: Kind<ImageEditRequest> = {
  check: ({ request, inputs }) => {
    const picture = onlyPicture(inputs, owner)
    const { regions, variants = 1, width, height } = request
    if (regions === undefined) throw refused('image', `${owner} changes a picture within regions only, and there are none.`)
    if (variants !== picturesPerArtwork)
      throw refused('variants', `${owner} draws ${picturesPerArtwork} pictures per job, not ${variants}.`)
    if ((width ?? picture.width) !== picture.width || (height ?? picture.height) !== picture.height)
      throw refused('width', `${owner} keeps the size of the picture.`)
    artworkAreas(regions)
    artworkText(request, [])
  },
  submit: ({ request, inputs }) => {
    const { jobId, imageNo, version } = artworkPicture(onlyPicture(inputs, owner))
    const areas = artworkAreas(request.regions ?? [])
    const body = { jobId, imageNo, mask: { areas }, remixPrompt: artworkText(request, []) }
    return { path: 'inpaint', body, version: versionIn(request.flags) ?? version }
  },
}

export const upscale: Kind<ImageUpscaleRequest> = {
  check: ({ inputs }) => void onlyPicture(inputs, owner),
  submit: ({ request, inputs }) => {
    const { jobId, imageNo, version } = artworkPicture(onlyPicture(inputs, owner))
    return { path: 'upscale', body: { jobId, imageNo, type: upscaleType(request, version) }, version }
  },
}

function textOf(request: ImageGenerateRequest): string {
  const { width, height, aspectRatio, seed } = request
  const divisor = greatestDivisor(width, height)
  return artworkText(request, [`--ar ${aspectRatio ?? `${width / divisor}:${height / divisor}`}`, `--seed ${seed}`])
}
