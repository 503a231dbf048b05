/** Selects the pictures in the history entries of a finished run, and downloads them. */
import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import type { ImageJob } from '../../shared/image/image-job.ts'
import { doneWithPictures } from '../../shared/image/image-outcome.ts'
import { fetchPicture } from '../../shared/image/picture-file.ts'
import { fetchEach } from '../../shared/output/fetch-each.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { type ListedPicture, owner, type ServerCall, viewOf } from './server.ts'

/** Downloads the picture of each prompt, in order. Throws the errors of a download; the next poll
 *  then downloads all of them again. */
export async function fetchPictures(
  call: ServerCall,
  job: ImageJob,
  run: { entries: readonly JsonObject[]; outputs: readonly string[] },
): Promise<Outcome> {
  const files = await fetchEach(run.entries, async (entry, index) => {
    const [picture, ...more] = run.outputs.flatMap(node => picturesOf(objectOf(entry.outputs)[node]))
    if (picture === undefined || more.length > 0) return wrongCount(picture === undefined ? 0 : 1 + more.length)
    return fetchListed(call, job, { picture, index })
  })
  if ('state' in files) return files
  const { seed, prompt } = job.request
  return doneWithPictures(files, { seed, prompt, notDrawn: [] })
}

function picturesOf(output: unknown): ListedPicture[] {
  return objectsOf(objectOf(output).images).flatMap(({ filename, subfolder, type }) => {
    const name = textOf(filename)
    return name === undefined ? [] : [{ filename: name, subfolder: textOf(subfolder) ?? '', type: textOf(type) ?? 'output' }]
  })
}

async function fetchListed(
  { guard, inspection, facts, maxPictureBytes: maxBytes }: ServerCall,
  job: ImageJob,
  { picture, index }: { picture: ListedPicture; index: number },
): Promise<OutputFile | Failed> {
  const { url, headers } = viewOf(facts, picture)
  const { waits, upstream } = facts
  const from = {
    guard,
    inspection,
    owner,
    origin: upstream.origin,
    route: upstream.route,
    trustedHeaders: headers,
    maxRedirects: 0,
    maxBytes,
    ...waits,
  }
  try {
    return await fetchPicture({ ...from, job, name: `picture-${index}` }, url)
  } catch (error) {
    if (answerBehind(error)?.status === 404) return failed('upstream_error', 'The ComfyUI server no longer has the picture it made.')
    throw error
  }
}

function wrongCount(found: number): Failed {
  const advice = found > 1 ? ' Name the node whose pictures count in the setting output.' : ''
  return failed('upstream_error', `The workflow gave ${found} pictures instead of 1.${advice}`)
}
