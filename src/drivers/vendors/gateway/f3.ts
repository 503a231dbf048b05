/** What F3 of another gateway is sent (docs/interface/pictures.md#f3): up to 14 pictures as
 *  references, groups of pictures, tiers, watermarks. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { base64Of } from '@generation-gateway/kit/media/base64-stream.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { sizeFields } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { type AskedImage, countOf, type ImageRequest, isNewPicture, sidesOf } from '../../shared/image/image-job.ts'
import type { ImageWords } from '../../shared/image/image-words.ts'
import { refused } from '../../shared/refusal.ts'
import { present } from '../../shared/upstream/read-json.ts'
import { chunksOf, type SentBody, sentBody } from '../../shared/upstream/sent-body.ts'
import { groupOf, refuseFineControl, type Way, whoOf } from './way.ts'

/** What a group takes; absent: it takes no such thing, or all there are. Pixels inclusive. */
interface Group {
  follows: readonly FieldName[]
  tiers: readonly string[]
  pixels?: readonly [least: number, most: number]
  /** Of each side. */
  sides?: readonly [least: number, most: number]
  references: number
  needsReference?: true
  hasSeed?: true
  hasPng?: true
  hasFastMode?: true
}

const who = whoOf('F3')
const mostReferences = 14
/** References and generated pictures. */
const mostPictures = 15
const mostSeed = 2_147_483_647
const newer = { references: mostReferences } as const
const all: readonly FieldName[] = ['series', 'watermark', 'guidance', 'webSearch', 'promptMode']

const groups: Readonly<Record<string, Group>> = {
  N1: {
    ...newer,
    follows: ['series', 'watermark', 'webSearch', 'promptMode'],
    tiers: ['2K', '3K'],
    pixels: [3_686_400, 10_404_496],
    hasPng: true,
  },
  N2: { ...newer, follows: ['series', 'watermark', 'promptMode'], tiers: ['2K', '4K'], pixels: [3_686_400, 16_777_216] },
  N3: {
    ...newer,
    follows: ['series', 'watermark', 'promptMode'],
    tiers: ['1K', '2K', '4K'],
    pixels: [921_600, 16_777_216],
    hasFastMode: true,
  },
  O1: { follows: ['watermark', 'guidance', 'promptMode'], tiers: [], sides: [512, 2048], references: 0, hasFastMode: true },
  O2: { follows: ['watermark', 'guidance'], tiers: [], references: 1, needsReference: true, hasSeed: true },
}
/** Of a model whose group is not known nothing is held back: it refuses by itself what it does not take. */
const unknownGroup: Group = { ...newer, follows: all, tiers: ['1K', '2K', '3K', '4K'], hasPng: true, hasFastMode: true }

const words: ImageWords = new Map([
  ['prompt', 'prompt'],
  ['image', 'image'],
  ['size', 'size'],
  ['seed', 'seed'],
  ['sequential_image_generation', 'series'],
  ['sequential_image_generation_options.max_images', 'count'],
  ['tools', 'webSearch'],
  ['guidance_scale', 'guidance'],
  ['watermark', 'watermark'],
  ['output_format', 'format'],
  ['optimize_prompt_options', 'promptMode'],
  ['optimize_prompt_options.mode', 'promptMode'],
])

export const f3: Way<ImageRequest> = {
  family: 'F3',
  path: '/v1/ai/{endpoint}/imgs/image/generations',
  words,
  idIn: 'id',
  answersLate: true,
  follows: group => factsOf(group).follows,
  check: asked => void fieldsOf(asked),
  body: job => bodyOf(fieldsOf(job), referencesIn(job)),
}

function factsOf(group: string | undefined): Group {
  return (group !== undefined && Object.hasOwn(groups, group) ? groups[group] : undefined) ?? unknownGroup
}

function fieldsOf(asked: AskedImage): JsonObject {
  const { request, model } = asked
  const group = factsOf(groupOf(asked))
  const { format, watermark = false, guidance, webSearch, promptMode, seed } = request
  const follows = (field: FieldName) => group.follows.includes(field)
  refuseFineControl('F3', request)
  if (request.negativePrompt !== undefined) throw refused('negativePrompt', `${who} takes no negative prompt.`)
  if (format !== 'jpeg' && !(format === 'png' && group.hasPng)) throw refused('format', `${who} does not give ${format} of this model.`)
  if (promptMode === 'fast' && follows('promptMode') && !group.hasFastMode)
    throw refused('promptMode', `${who} has only the standard one of this model.`)
  refuseReferences(asked, group)
  return present({
    model,
    prompt: request.prompt,
    size: sizeOf(asked, group),
    ...(group.hasSeed && isSeedTaken(seed) ? { seed: Number(seed) } : {}),
    ...seriesOf(asked),
    watermark,
    ...(follows('guidance') ? { guidance_scale: guidance } : {}),
    ...(follows('webSearch') && webSearch ? { tools: [{ type: 'web_search' }] } : {}),
    ...(follows('promptMode') && promptMode ? { optimize_prompt_options: { mode: promptMode } } : {}),
    ...(format === 'png' ? { output_format: format } : {}),
    response_format: 'url',
  })
}

/** Whether a seed of the request is among those that a group with seeds takes. */
function isSeedTaken(seed: string): boolean {
  return BigInt(seed) >= 0n && BigInt(seed) <= BigInt(mostSeed)
}

function refuseReferences(asked: AskedImage, { references, needsReference }: Group): void {
  const count = referencesIn(asked).length
  if (asked.inputs.some(({ role }) => role !== 'image')) throw refused('mask', `${who} takes no mask.`)
  if (count === 0 && (needsReference || !isNewPicture(asked.request))) throw refused('image', 'an edit needs a picture.')
  if (count > references)
    throw refused('image', `${who} takes ${references === 0 ? 'no picture' : `at most ${references}`} of this model, not ${count}.`)
}

function seriesOf(asked: AskedImage): JsonObject {
  const { request } = asked
  const [count, references] = [countOf(request), referencesIn(asked).length]
  const field = isNewPicture(request) ? 'count' : 'variants'
  if (!request.series && count > 1) throw refused(field, `${who} draws several pictures only as a series, not ${count} of one prompt.`)
  if (!request.series) return {}
  if (count + references > mostPictures)
    throw refused(field, `${who} takes ${mostPictures} pictures with the references, not ${count + references}.`)
  return { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: count } }
}

/** The tier by its name, else pixels; undefined where the shape of an input is not known: F3 then has a size of its own. */
function sizeOf(asked: AskedImage, { tiers, pixels, sides }: Group): string | undefined {
  const { request } = asked
  if (request.tier !== undefined && tiers.includes(request.tier.name.toUpperCase())) return request.tier.name
  const size = sidesOf(asked)
  if (size === undefined) return undefined
  const { width, height } = size
  const [leastSide, mostSide] = sides ?? [1, Number.POSITIVE_INFINITY]
  const [leastPixels, mostPixels] = pixels ?? [1, Number.POSITIVE_INFINITY]
  const field = sizeFields(request)[0]
  if (Math.min(width, height) < leastSide || Math.max(width, height) > mostSide)
    throw refused(field, `${who} takes sides of ${leastSide} to ${mostSide} pixels of this model, not ${width}x${height}.`)
  if (width * height < leastPixels || width * height > mostPixels)
    throw refused(field, `${who} takes ${leastPixels} to ${mostPixels} pixels of this model, not ${width}x${height}.`)
  return `${width}x${height}`
}

function referencesIn<Input extends { role: string }>({ inputs }: { inputs: readonly Input[] }): Input[] {
  return inputs.filter(({ role }) => role === 'image')
}

/** The fields as JSON, with the references as data URLs that are made while they are sent. */
function bodyOf(fields: JsonObject, references: readonly InputFile[]): SentBody {
  const contentType = 'application/json'
  const text = JSON.stringify(fields)
  if (references.length === 0) return sentBody({ contentType, tail: Buffer.from(text) })
  const head = references.flatMap((picture, index) => [
    Buffer.from(`${index === 0 ? `${text.slice(0, -1)},"image":[` : '",'}"data:${picture.mediaType};base64,`),
    { bytes: Math.ceil(picture.bytes / 3) * 4, chunks: () => base64Of(chunksOf(picture)) },
  ])
  return sentBody({ contentType, head, tail: Buffer.from('"]}') })
}
