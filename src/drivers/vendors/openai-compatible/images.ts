/** Runs `image.generate` and `image.edit` over OpenAI's images interface. A job sends one request,
 *  and the answer contains all pictures. */
import { join } from 'node:path'
import { defined } from '@generation-gateway/kit/defined.ts'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { exactNumber, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageResult } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, OnceOffer, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { type Picture, pictureAs, readPicture } from '../../shared/image/convert-picture.ts'
import { countOf, type ImageJob, type ImageRequest, isNewPicture } from '../../shared/image/image-job.ts'
import { doneWithPictures } from '../../shared/image/image-outcome.ts'
import { type ImageWords, refusalNamed } from '../../shared/image/image-words.ts'
import { exactSeed, fetchOnlyPicture, type PictureFetch } from '../../shared/image/picture-file.ts'
import { readAnswer } from '../../shared/output/answer-reader.ts'
import { fetchEach } from '../../shared/output/fetch-each.ts'
import { TooManyBytesError } from '../../shared/output/save-body.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import { countOf as unitsOf } from '../../shared/upstream/read-json.ts'
import { formBody, jsonBody, type SentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { fieldsOf, grantedOf, refusalOf, seedOf, sizeMissed } from './image-fields.ts'
import { owner, settings } from './settings.ts'

const words: ImageWords = new Map([
  ['prompt', 'prompt'],
  ['negative_prompt', 'negativePrompt'],
  ['size', 'size'],
  ['n', 'count'],
  ['seed', 'seed'],
  ['image', 'image'],
  ['output_format', 'format'],
])
/** Largest picture in bytes: four bytes for each of the 16,777,216 pixels that interface F1 allows,
 *  times two as a reserve for the file format. */
const maxPictureBytes = 128 * 1024 * 1024

/** Returns the offer with which the driver serves `image.generate` and `image.edit`. A run sends
 *  one paid request and never repeats it, because the interface has no idempotency key. A refusal
 *  by the upstream's moderation is returned as `failed`; other refusals are thrown. */
export function imageOffer(tools: ServiceTools): OnceOffer<ImageRequest> {
  return once<ImageRequest>(job => draw(tools, job), { refuses: refusalOf })
}

async function draw({ submits, guard, inspection }: ServiceTools, job: ImageJob): Promise<Outcome> {
  const { request } = job
  const target = settings.targetOf(job.settings)
  const { origin, route } = target.upstream
  try {
    return await submitPaid<Outcome>({
      ...{ submits, job, target, owner },
      path: isNewPicture(request) ? '/images/generations' : '/images/edits',
      body: bodyOf(job),
      read: answer => picturesOf(answer, { guard, inspection, job, origin, route, owner, maxBytes: maxPictureBytes }),
    })
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'request_moderated') return moderated(error)
    throw refusalNamed(words, error, request)
  }
}

/** Returns the body: JSON for a new picture, a form for an edit. In the form, a single picture has
 *  the field name `image`; several pictures have `image[]`, as in OpenAI's own clients. */
function bodyOf(job: ImageJob): SentBody {
  const fields = fieldsOf(job)
  const seed = seedOf(job)
  const pictures = job.inputs.filter(({ role }) => role === 'image')
  if (isNewPicture(job.request)) return jsonBody({ ...defined({ seed: seed && exactNumber(seed) }), ...fields })
  const texts = Object.entries({ ...fields, ...defined({ seed }) }).map(([name, value]) => [name, String(value)])
  const files = job.inputs.map(input => ({
    field: input.role === 'image' && pictures.length > 1 ? 'image[]' : input.role,
    name: `${input.role}.${input.mediaType.split('/')[1]}`,
    input,
  }))
  return formBody(Object.fromEntries(texts), ...files)
}

/** Reads the pictures in the answer. From here on the request is paid, so a picture that cannot be
 *  used becomes `failed`, after which the request is not sent again. */
async function picturesOf(answer: UpstreamAnswer, reading: PictureFetch & { job: ImageJob }): Promise<Outcome> {
  const { job } = reading
  const count = countOf(job.request)
  const maxBytes = count * maxPictureBytes
  let body: JsonObject
  try {
    body = await readAnswer(answer.chunks(), { folder: job.scratch, maxBytes })
  } catch (error) {
    if (error instanceof TooManyBytesError)
      return failedAfterPay('upstream_error', `The pictures of ${owner} have more than ${maxBytes} bytes.`)
    throw error
  }
  const listed = objectsOf(body.data)
  if (listed.length !== count)
    return failedAfterPay('upstream_error', `The number of pictures of ${owner} is ${listed.length} instead of ${count}.`)
  const files = await fetchEach(listed, (item, index) => pictureIn(item, index, reading))
  if ('state' in files) return files
  return doneWithPictures(files, reportOf(job, body, files), tokensOf(body))
}

async function pictureIn(
  { b64_json: name, url }: JsonObject,
  index: number,
  reading: PictureFetch & { job: ImageJob },
): Promise<Picture | Failed> {
  const { inspection, job } = reading
  const { format } = job.request
  const file = textOf(name)
  if (file !== undefined)
    return pictureAs({ inspection, format, owner, signal: job.signal, account: job.account }, await readPicture(join(job.scratch, file)))
  const link = textOf(url)
  if (link === undefined) return failedAfterPay('upstream_error', `An answer of ${owner} has neither a picture nor a link to one.`)
  return fetchOnlyPicture({ ...reading, name: `picture-${index}` }, link)
}

/** Returns the report, with the seed and the prompt that the upstream states, otherwise with
 *  those of the request. When the model accepts no seed and the upstream states none,
 *  `notFollowed` contains `seed`. */
function reportOf(job: ImageJob, body: JsonObject, files: readonly Picture[]): ImageResult {
  const [first = {}] = objectsOf(body.data)
  const reported = [first.seed, body.seed].find(seed => typeof seed === 'number' && Number.isFinite(seed))
  const granted = grantedOf(job)
  const isSeedUsed = reported !== undefined || seedOf(job) !== undefined
  return {
    seed: typeof reported === 'number' ? exactSeed(reported, job.request.seed) : job.request.seed,
    prompt: textOf(first.revised_prompt) ?? job.request.prompt,
    notDrawn: [],
    ...(granted.length > 0 ? { granted } : {}),
    notFollowed: [...(isSeedUsed ? [] : (['seed'] as const)), ...files.slice(0, 1).flatMap(file => sizeMissed(job, file))],
  }
}

/** Returns the token counts that the upstream reports; empty when it reports none. */
function tokensOf(body: JsonObject): UsageUnits[] {
  const usage = objectOf(body.usage)
  return ['input_tokens', 'output_tokens'].map(unit => ({ unit, units: unitsOf(usage[unit]) })).filter(({ units }) => units > 0)
}

/** Returns the failure of a request that moderation refused. The reasons of the failure are the
 *  kinds of harm that OpenAI lists in the message: `safety_violations=[violence, ...]`. */
function moderated({ message }: GatewayError): Failed {
  const [, kinds = ''] = /safety_violations=\[([^\]]{1,500})\]/.exec(message) ?? []
  const reasons = kinds.split(',').map(kind => kind.trim())
  return failed('request_moderated', 'The upstream service refused the prompt or the input picture.', reasons.filter(Boolean))
}
