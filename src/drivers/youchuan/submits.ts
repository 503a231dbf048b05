/** Neutral requests as the vendor's calls (`vendors-media.md` 5.2). What it cannot do is refused before anything is sent. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest, PictureRegion } from '@generation-gateway/kit/requests/image.ts'
import type { AskedJob, InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import { onlyPicture } from '../image/image-job.ts'
import { refused } from '../refusal.ts'
import { objectOf } from '../upstream/read-json.ts'
import { owner } from './settings.ts'

/** A call of the vendor's, and what is kept of it with its pictures. */
export interface Submit {
  path: string
  body: JsonObject
  /** Model version without its fraction: an upscale has other types for 5. */
  version: number
}

/** How one capability is asked of the vendor. */
export interface Kind<Request> {
  /** Throws a `RefusedError` for what the request alone tells. */
  check(asked: AskedJob<Request>): void
  /** The same, with what the inputs are. */
  submit(job: Job<Request>): Submit
}

/** What is kept with the pictures of a job, so that more can be made of them. */
export type Made = {
  youchuan: {
    jobId: string
    /** The vendor's number of each picture. */
    pictures: number[]
    version: number
  }
}

const perJob = 4
const mostText = 8192
const mostSeed = 4_294_967_295n
const usualVersion = 7
const side = { least: 500, most: 4096 }
/** What the vendor would read as a flag; phones make a long dash of two hyphens. */
const flagLike = /(^|\s)((--|[\u2012-\u2015])[a-z]|-v(\s|$))/i

export const newPictures: Kind<ImageGenerateRequest> = {
  check: ({ request }) => {
    if (request.count !== perJob) throw refused('count', `${owner} draws ${perJob} pictures per job, not ${request.count}.`)
    checkWords(request)
    textOf(request)
  },
  submit: ({ request }) => ({ path: 'diffusion', body: { text: textOf(request) }, version: versionIn(request.flags) ?? usualVersion }),
}

export const redraw: Kind<ImageEditRequest> = {
  check: ({ request, inputs }) => {
    const picture = onlyPicture(inputs, owner)
    const { regions, variants = 1, width, height } = request
    if (regions === undefined) throw refused('image', `${owner} changes a picture within regions only, and there are none.`)
    if (variants !== perJob) throw refused('variants', `${owner} draws ${perJob} pictures per job, not ${variants}.`)
    if ((width ?? picture.width) !== picture.width || (height ?? picture.height) !== picture.height)
      throw refused('width', `${owner} keeps the size of the picture.`)
    for (const region of regions) checkRegion(region)
    checkWords(request)
    remixOf(request)
  },
  submit: ({ request, inputs }) => {
    const { jobId, imageNo, version } = madeOf(onlyPicture(inputs, owner))
    const areas = (request.regions ?? []).map(({ width, height, points }) => ({ width, height, points }))
    const body = { jobId, imageNo, mask: { areas }, remixPrompt: remixOf(request) }
    return { path: 'inpaint', body, version: versionIn(request.flags) ?? version }
  },
}

export const upscale: Kind<ImageUpscaleRequest> = {
  check: ({ inputs }) => void onlyPicture(inputs, owner),
  submit: ({ request, inputs }) => {
    const { jobId, imageNo, version } = madeOf(onlyPicture(inputs, owner))
    return { path: 'upscale', body: { jobId, imageNo, type: typeOf(request, version) }, version }
  },
}

function textOf(request: ImageGenerateRequest): string {
  const { width, height, aspectRatio, seed } = request
  const divisor = greatestDivisor(width, height)
  return joined(request, [`--ar ${aspectRatio ?? `${width / divisor}:${height / divisor}`}`, `--seed ${seed}`])
}

function remixOf(request: ImageEditRequest): string {
  return joined(request, [])
}

function joined({ prompt, negativePrompt, flags }: ImageGenerateRequest | ImageEditRequest, own: readonly string[]): string {
  const negative = negativePrompt === undefined ? [] : [`--no ${negativePrompt}`]
  const text = [prompt, ...own, ...negative, ...(flags === undefined ? [] : [flags])].join(' ')
  if (text.length > mostText) throw refused('prompt', `${owner} takes ${mostText} characters with all flags, not ${text.length}.`)
  return text
}

function checkWords({ prompt, negativePrompt = '', seed, expandPrompt }: ImageGenerateRequest | ImageEditRequest): void {
  if (flagLike.test(prompt)) throw refused('prompt', `${owner} would read words that begin with two hyphens, or a long dash, as flags.`)
  if (flagLike.test(negativePrompt)) throw refused('negativePrompt', `${owner} would read words of it as flags.`)
  if (expandPrompt) throw refused('expandPrompt', `${owner} has no such thing.`)
  const value = BigInt(seed)
  if (value < 0n || value > mostSeed) throw refused('seed', `${owner} takes a seed of 0 to ${mostSeed}, not ${seed}.`)
}

function checkRegion({ width, height }: PictureRegion): void {
  for (const length of [width, height]) {
    if (length < side.least || length > side.most)
      throw refused('regions', `${owner} takes regions on a picture of ${side.least} to ${side.most} pixels a side, not ${length}.`)
  }
}

/** The vendor's names of a picture that it has drawn. Throws a refusal for any other. */
function madeOf({ origin }: InputFile): { jobId: string; imageNo: number; version: number } {
  const { jobId, pictures, version } = objectOf(origin?.detail.youchuan)
  const imageNo = Array.isArray(pictures) && origin ? pictures[origin.index] : undefined
  if (typeof jobId === 'string' && typeof imageNo === 'number' && typeof version === 'number') return { jobId, imageNo, version }
  throw refused('image', `${owner} takes only pictures that it has drawn itself.`)
}

/** Types 0 and 1 are of versions from 6 on, 2 and 3 of version 5. */
function typeOf({ factor, mode }: ImageUpscaleRequest, version: number): number {
  if (version >= 6 && factor === 2) return mode === 'subtle' ? 0 : 1
  if (version < 6 && mode === 'subtle') return factor === 2 ? 2 : 3
  throw refused('factor', `${owner} enlarges pictures of version ${version} ${version < 6 ? 'subtly only' : 'to twice their sides only'}.`)
}

function versionIn(flags = ''): number | undefined {
  const named = [...flags.matchAll(/--(?:v|version|niji) (\d+)/gi)].at(-1)?.[1]
  return named === undefined ? undefined : Number(named)
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
