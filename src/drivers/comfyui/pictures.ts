/** The pictures of a run that has ended: which ones count, and how they come here. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Failed, Job, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../failed.ts'
import { pictureAs } from '../image/convert-picture.ts'
import { drawn } from '../image/drawn-pictures.ts'
import { downloadPicture } from '../image/picture-file.ts'
import { objectOf, objectsOf, textOf } from '../upstream/read-json.ts'
import { UpstreamAnswerError } from '../upstream/upstream-failures.ts'
import type { ImageRequest } from './request-inputs.ts'
import { type ListedPicture, type ServerCall, viewOf } from './server.ts'

const owner = 'the ComfyUI server'

/** Downloads the one picture of each prompt, in their order. Throws what a download throws; the next look begins again. */
export async function fetchPictures(
  call: ServerCall,
  job: Job<ImageRequest>,
  run: { entries: readonly JsonObject[]; outputs: readonly string[] },
): Promise<Outcome> {
  const files: OutputFile[] = []
  for (const [index, entry] of run.entries.entries()) {
    const [picture, ...more] = run.outputs.flatMap(node => picturesOf(objectOf(entry.outputs)[node]))
    if (picture === undefined || more.length > 0) return wrongCount(picture === undefined ? 0 : 1 + more.length)
    const file = await fetchPicture(call, job, { picture, index })
    if ('state' in file) return file
    files.push(file)
  }
  const { seed, prompt } = job.request
  return drawn(files, { seed, prompt, notDrawn: [] })
}

function picturesOf(output: unknown): ListedPicture[] {
  return objectsOf(objectOf(output).images).flatMap(({ filename, subfolder, type }) => {
    const name = textOf(filename)
    return name === undefined ? [] : [{ filename: name, subfolder: textOf(subfolder) ?? '', type: textOf(type) ?? 'output' }]
  })
}

async function fetchPicture(
  { guard, facts, signal, maxPictureBytes: maxBytes }: ServerCall,
  { request, scratch }: Job<ImageRequest>,
  { picture, index }: { picture: ListedPicture; index: number },
): Promise<OutputFile | Failed> {
  const { url, headers } = viewOf(facts, picture)
  const { firstByteMs, idleMs } = facts
  const { origin } = facts.upstream
  const from = { guard, owner, origin, trustedHeaders: headers, maxRedirects: 0, maxBytes, firstByteMs, idleMs }
  try {
    const fetched = await downloadPicture({ ...from, job: { scratch, signal }, name: `picture-${index}` }, url)
    return await pictureAs(request.format, owner, fetched)
  } catch (error) {
    if (isGone(error)) return failed('upstream_error', 'The ComfyUI server no longer has the picture it made.')
    throw error
  }
}

function wrongCount(found: number): Failed {
  const advice = found > 1 ? ' Name the node whose pictures count in the setting output.' : ''
  return failed('upstream_error', `The workflow gave ${found} pictures instead of 1.${advice}`)
}

function isGone(error: unknown): boolean {
  return error instanceof GatewayError && error.cause instanceof UpstreamAnswerError && error.cause.status === 404
}
