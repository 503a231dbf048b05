/** What of a request goes into a workflow, and what a workflow cannot do of it. */
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { type ImageEditRequest, type ImageGenerateRequest, sizeFields } from '@generation-gateway/kit/requests/image.ts'
import type { AskedJob, Job } from '@generation-gateway/kit/requests/job.ts'
import { RefusedError, refused } from '../refusal.ts'
import { type InputValues, takes, type WorkflowPlan } from './inputs.ts'
import type { InputName } from './settings.ts'

export type ImageRequest = ImageGenerateRequest | ImageEditRequest

/** Sides of an edit whose request names none are those of its input, rounded to this (`kit/requests/image.ts`). */
const sideStep = 32

/** How many pictures the request asks for. */
export function countOf(request: ImageRequest): number {
  return 'count' in request ? request.count : 1
}

/** Why no request at all can be run, in a sentence for the operator: every one has a prompt and a seed. */
export function whyNothingFits(plan: WorkflowPlan): string | undefined {
  const missing = (['prompt', 'seed'] as const).filter(name => !takes(plan, name))
  if (missing.length === 0) return undefined
  return `The workflow of the driver comfyui has no input for ${missing.join(' and ')}: give a node that title, or name the input under inputs.`
}

/** Refuses, by name and before anything is spent, what the workflow has no input for. Throws `not_implemented`. */
export function refuseWhatItCannot(plan: WorkflowPlan, { request, inputs }: AskedJob<ImageRequest>): void {
  const isEdit = !('count' in request)
  const [width, height = width] = sizeFields(request)
  const needed: [FieldName, InputName, boolean][] = [
    ['prompt', 'prompt', true],
    ['seed', 'seed', true],
    ['negativePrompt', 'negative_prompt', 'negativePrompt' in request && request.negativePrompt !== undefined],
    [width, 'width', request.width !== undefined],
    [height, 'height', request.height !== undefined],
    ['image', 'image', isEdit],
  ]
  const missing = needed.find(([, name, isSet]) => isSet && !takes(plan, name))
  if (missing) throw refused(missing[0], 'the workflow of this model has no input for it.')
  if (!isEdit && takes(plan, 'image'))
    throw new RefusedError({ message: 'The workflow of this model changes a picture; it draws none from words alone.' })
  if (isEdit && inputs[0] === undefined) throw refused('image', 'an edit needs a picture.')
  if (request.expandPrompt) throw refused('expandPrompt', 'a ComfyUI workflow does not expand the prompt.')
}

/** For the picture with this index. `image` is what the server calls the uploaded picture. */
export function valuesOf({ request, inputs, model }: Job<ImageRequest>, image: string | undefined, index: number): InputValues {
  const { prompt, seed } = request
  const [input] = inputs
  const width = request.width ?? rounded(input?.width)
  const height = request.height ?? rounded(input?.height)
  return {
    prompt,
    seed: unsigned(BigInt(seed) + BigInt(index)),
    batch_size: 1,
    model,
    ...('negativePrompt' in request && request.negativePrompt !== undefined ? { negative_prompt: request.negativePrompt } : {}),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(image === undefined ? {} : { image }),
  }
}

/** Seeds are signed 64-bit here and unsigned there: a negative one is the number with the same bits. */
function unsigned(seed: bigint): string {
  return BigInt.asUintN(64, seed).toString()
}

function rounded(side: number | undefined): number | undefined {
  return side === undefined ? undefined : Math.max(sideStep, Math.round(side / sideStep) * sideStep)
}
