/** What F2 of another gateway is sent (docs/interface/pictures.md#f2): up to eight pictures in one
 *  of its sizes, with steps and what must not be there. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type ImageGenerateRequest, sizeFields } from '@generation-gateway/kit/requests/image.ts'
import type { AskedJob } from '@generation-gateway/kit/requests/job.ts'
import type { ImageWords } from '../../shared/image/image-words.ts'
import { refused } from '../../shared/refusal.ts'
import { present } from '../../shared/upstream/read-json.ts'
import { sentBody } from '../../shared/upstream/sent-body.ts'
import { groupOf, refuseFineControl, type Way, whoOf } from './way.ts'

const who = whoOf('F2')
const mostPictures = 8
const steps = { least: 4, most: 40, fastMost: 10 }
/** F2 asks for steps, and both of its groups take so many. */
const usualSteps = 10

/** Ratio by pixels (docs/interface/pictures.md#f2). */
const ratios: Readonly<Record<string, string>> = {
  '1024x1024': '1:1',
  '512x768': '2:3',
  '768x512': '3:2',
  '768x1024': '3:4',
  '1024x768': '4:3',
  '1280x720': '16:9',
  '720x1280': '9:16',
}

const words: ImageWords = new Map([
  ['prompts', 'prompt'],
  ['neg-prompts', 'negativePrompt'],
  ['batchsize', 'count'],
  ['step', 'steps'],
  ['aspect_ratio', 'size'],
  ['seed', 'seed'],
])

export const f2: Way<ImageGenerateRequest> = {
  family: 'F2',
  path: '/v2/ai/{endpoint}/images/generations',
  words,
  idIn: 'taskId',
  follows: () => [],
  check: asked => void fieldsOf(asked),
  body: job => sentBody({ contentType: 'application/json', tail: Buffer.from(JSON.stringify(fieldsOf(job))) }),
}

function fieldsOf(asked: AskedJob<ImageGenerateRequest>): JsonObject {
  const { request, model } = asked
  const { prompt, negativePrompt, count, width, height, seed, format } = request
  const isFast = groupOf(asked) === 'fast'
  const mostSteps = isFast ? steps.fastMost : steps.most
  const step = request.steps ?? usualSteps
  const ratio = ratios[`${width}x${height}`]
  refuseFineControl('F2', request)
  if (count > mostPictures) throw refused('count', `${who} draws at most ${mostPictures} pictures per task, not ${count}.`)
  if (format !== 'jpeg') throw refused('format', `${who} gives JPEG, not ${format}.`)
  if (isFast && negativePrompt !== undefined) throw refused('negativePrompt', `${who} takes none for its fast models.`)
  if (step < steps.least || step > mostSteps)
    throw refused('steps', `${who} takes ${steps.least} to ${mostSteps} of this model, not ${step}.`)
  if (ratio === undefined) throw refused(sizeFields(request)[0], `${who} draws ${Object.keys(ratios).join(', ')}, not ${width}x${height}.`)
  const value = Number(seed)
  if (!Number.isSafeInteger(value) || value < 0)
    throw refused('seed', `${who} takes a seed of 0 to ${Number.MAX_SAFE_INTEGER}, not ${seed}.`)
  return present({ model, prompts: prompt, 'neg-prompts': negativePrompt, batchsize: count, aspect_ratio: ratio, step, seed: value })
}
