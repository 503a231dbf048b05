/** The pictures of a run that has ended: which ones count, and how they come here. */
import { rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { GatewayError } from '../../core/errors.ts'
import { readImageFile } from '../../core/media/image-header.ts'
import type { Failed, Job, Outcome, OutputFile } from '../../core/requests/job.ts'
import type { JsonObject } from '../../core/task.ts'
import { failed } from '../failed.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'
import { saveBody, TooManyBytesError } from '../save-body.ts'
import { UpstreamAnswerError } from '../upstream-failures.ts'
import { countOf, type ImageRequest } from './request-inputs.ts'
import { type ListedPicture, type ServerCall, view } from './server.ts'

const jpegNames = new Set(['.jpg', '.jpeg'])

/** Downloads the pictures of these nodes in their order. Throws what a download throws; the next look begins again. */
export async function fetchPictures(
  call: ServerCall,
  job: Job<ImageRequest>,
  run: { entry: JsonObject; outputs: readonly string[] },
): Promise<Outcome> {
  const { request } = job
  const pictures = run.outputs.flatMap(node => picturesOf(objectOf(run.entry.outputs)[node]))
  const count = countOf(request)
  if (pictures.length !== count) return wrongCount(pictures.length, count)
  const files: OutputFile[] = []
  for (const [index, picture] of pictures.entries()) {
    const file = await fetchPicture(call, job, { picture, index })
    if ('state' in file) return file
    files.push(file)
  }
  return {
    state: 'done',
    files,
    report: { seed: request.seed, prompt: request.prompt, notDrawn: [] },
    usage: [
      { unit: 'images', units: files.length },
      { unit: 'pixels', units: files.reduce((sum, { width = 0, height = 0 }) => sum + width * height, 0) },
    ],
  }
}

function picturesOf(output: unknown): ListedPicture[] {
  return objectsOf(objectOf(output).images).flatMap(({ filename, subfolder, type }) => {
    const name = textOf(filename)
    return name === undefined ? [] : [{ filename: name, subfolder: textOf(subfolder) ?? '', type: textOf(type) ?? 'output' }]
  })
}

async function fetchPicture(
  call: ServerCall,
  { request, scratch }: Job<ImageRequest>,
  { picture, index }: { picture: ListedPicture; index: number },
): Promise<OutputFile | Failed> {
  const path = join(scratch, `picture-${index}`)
  await rm(path, { force: true })
  try {
    // SaveImage writes PNG only; the server itself makes the JPEG.
    const isJpegFile = jpegNames.has(extname(picture.filename).toLowerCase())
    const answer = await view(call, picture, request.format === 'jpeg' && !isJpegFile)
    await saveBody(answer.chunks(), path, call.maxPictureBytes)
  } catch (error) {
    if (error instanceof TooManyBytesError)
      return failed('upstream_error', `A picture of the ComfyUI server has more than ${call.maxPictureBytes} bytes.`)
    if (isGone(error)) return failed('upstream_error', 'The ComfyUI server no longer has the picture it made.')
    throw error
  }
  const header = await readImageFile(path)
  if (header?.mediaType === `image/${request.format}`) {
    const { mediaType, width, height } = header
    return { path, mediaType, width, height }
  }
  const found = header === undefined ? 'something that is no picture' : `a picture of the type ${header.mediaType}`
  return failed('upstream_error', `The ComfyUI server gave ${found} where image/${request.format} was asked for.`)
}

function wrongCount(found: number, wanted: number): Failed {
  const advice = found > wanted ? ' Name the node whose pictures count in the setting output.' : ''
  return failed('upstream_error', `The workflow gave ${found} ${found === 1 ? 'picture' : 'pictures'} instead of ${wanted}.${advice}`)
}

function isGone(error: unknown): boolean {
  return error instanceof GatewayError && error.cause instanceof UpstreamAnswerError && error.cause.status === 404
}
