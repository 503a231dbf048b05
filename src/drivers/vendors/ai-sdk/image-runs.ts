/** Draws pictures with a provider package. Each job calls the model exactly once, because every
 *  call is paid. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { extrasNotFollowed } from '@generation-gateway/kit/requests/extras.ts'
import type { ImageField, ImageResult, PictureSize } from '@generation-gateway/kit/requests/image.ts'
import type { OnceOffer, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { type Picture, pictureAs, readPicture } from '../../shared/image/convert-picture.ts'
import { countOf, type ImageJob, type ImageRequest } from '../../shared/image/image-job.ts'
import { doneWithPictures } from '../../shared/image/image-outcome.ts'
import { fieldsNamed } from '../../shared/image/image-words.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { beforeSubmit } from '../../shared/upstream/before-submit.ts'
import { callOf, capabilityOf, followedBy, refuseUnsupported, refuseUnsupportedByAll } from './call.ts'
import { hasOptionFor } from './documented-options.ts'
import { messageOf, type RunTools, report, useModel } from './exchanges.ts'
import { failureOf } from './failures.ts'
import { type CallFile, imageModelOf } from './image-model.ts'
import { maskOf } from './mask.ts'
import { callWords, type ImageAnswer, imageAnswerOf } from './result.ts'
import { settings, type TargetFacts } from './settings.ts'

/** Largest size in bytes of all answers of one run together. The answers contain the pictures in
 *  base64; the limit is higher than real pictures need. */
const maxBytes = 128 * 1024 * 1024
const owner = 'the provider package'

export function imageRuns(tools: RunTools): OnceOffer<ImageRequest> {
  return once<ImageRequest>(job => tools.places.in(job, () => run(tools, job)), {
    refuses: jobFacts => refusalBy(() => refuseUnsupportedByAll(jobFacts)),
  })
}

async function run(tools: RunTools, job: ImageJob): Promise<Outcome> {
  const facts = settings.targetOf(job.settings)
  const answer = await answered(tools, job, facts)
  report(tools, job, answer.remarks)
  return outcomeOf(tools, job, { facts, answer })
}

function answered(tools: RunTools, job: ImageJob, facts: TargetFacts): Promise<ImageAnswer> {
  const { model, signal } = job
  return useModel(
    tools,
    { facts, model, signal, maxBytes },
    {
      work: async used => {
        const drawer = await imageModelOf(used)
        refuseUnsupported(drawer, job)
        const call = callOf(job.request, facts, { ...(await beforeSubmit(() => readInputs(tools, job, facts))), signal: used.signal })
        return imageAnswerOf(await used.waitLong(drawer.generate(call)), call)
      },
      failed: (error, exchange) => {
        if (!exchange.hasSent && !(error instanceof GatewayError)) report(tools, job, [messageOf(error)])
        throw failureOf(error, { kind: 'image', facts, model, exchange, isAborted: signal.aborted })
      },
    },
  )
}

async function readInputs(
  { inspection }: RunTools,
  { inputs, request, signal, account }: ImageJob,
  { mask: form }: TargetFacts,
): Promise<{ pictures: CallFile[]; mask: CallFile | undefined }> {
  const file = (mediaType: string, data: Uint8Array): CallFile => ({ type: 'file', mediaType, data })
  const images = inputs.filter(({ role }) => role === 'image')
  const pictures = await Promise.all(images.map(async ({ mediaType, path }) => file(mediaType, await readFile(path))))
  const [first, given] = [images[0], inputs.find(({ role }) => role === 'mask')]
  const regions = 'regions' in request ? request.regions : undefined
  if (form === undefined || first === undefined || (given === undefined && regions === undefined)) return { pictures, mask: undefined }
  const drawn = regions && { regions, ...(await sizeOf(first.path)) }
  return { pictures, mask: file('image/png', await maskOf(inspection, { form, given: drawn ?? given?.path ?? '', signal, account })) }
}

async function sizeOf(path: string): Promise<PictureSize> {
  const header = await readPicture(path)
  if (header === undefined) throw new GatewayError('invalid_input_file', 'image: it is no picture.', { field: 'image' })
  return header
}

async function outcomeOf(
  { inspection }: RunTools,
  { request, scratch, settings: given, signal, account }: ImageJob,
  { facts, answer }: { facts: TargetFacts; answer: ImageAnswer },
): Promise<Outcome> {
  const { format } = request
  const count = countOf(request)
  const isEnough = request.series ? answer.pictures.length > 0 && answer.pictures.length <= count : answer.pictures.length === count
  if (!isEnough) return failedAfterPay('upstream_error', `The service gave ${answer.pictures.length} pictures instead of ${count}.`)
  const files: Picture[] = []
  for (const [index, bytes] of answer.pictures.entries()) {
    const path = join(scratch, `picture-${index}`)
    await writeFile(path, bytes, { mode: 0o600 })
    const file = await pictureAs({ inspection, format, owner, signal, account }, await readPicture(path))
    if ('state' in file) return file
    files.push(file)
  }
  const result: ImageResult = {
    seed: request.seed,
    prompt: answer.prompt ?? request.prompt,
    notDrawn: [],
    notFollowed: [...notFollowed(request, facts, { answer, files }), ...extrasOf(request, given)],
  }
  const tokens = [
    { unit: 'input_tokens', units: answer.inputTokens },
    { unit: 'output_tokens', units: answer.outputTokens },
  ]
  return doneWithPictures(
    files,
    result,
    tokens.filter(({ units }) => units > 0),
  )
}

/** Returns the fields of the request that the package ignored or that the pictures do not match. */
function notFollowed(
  request: ImageRequest,
  facts: TargetFacts,
  { answer, files }: { answer: ImageAnswer; files: readonly Picture[] },
): ImageField[] {
  const { takesSeed, isSizeRatio } = facts
  const { width, height } = request
  const isTier = request.tier !== undefined && hasOptionFor(facts.package, 'tier')
  const isSized = !isSizeRatio && !isTier && width !== undefined && height !== undefined
  const hasOtherSize = isSized && files.some(file => file.width !== width || file.height !== height)
  const missed = [...answer.leftOut, ...(takesSeed ? [] : ['seed']), ...(hasOtherSize ? ['size'] : [])]
  const fields = fieldsNamed(callWords, missed, request)
  return 'regions' in request && request.regions ? fields.map(field => (field === 'mask' ? 'regions' : field)) : fields
}

/** Returns the extra fields for which the package has no option. */
function extrasOf(request: ImageRequest, given: ImageJob['settings']): ImageField[] {
  // The cast is safe: the extra fields of an image capability are fields of its requests.
  return extrasNotFollowed(capabilityOf(request), { follows: followedBy({ settings: given }) }, request) as ImageField[]
}
