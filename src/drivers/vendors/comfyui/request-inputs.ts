/** Derives the values that are written into a workflow from a request, and refuses requests that
 *  the workflow cannot serve. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { sizeFields } from '@generation-gateway/kit/requests/image.ts'
import { type ImageJob, type ImageJobFacts, isNewPicture, negativePromptOf, onlyPicture, sidesOf } from '../../shared/image/image-job.ts'
import { RefusedError, refused } from '../../shared/refusal.ts'
import { type InputValues, takes, type WorkflowPlan } from './inputs.ts'
import type { InputName } from './settings.ts'

/** Returns the reason, for the operator, why the workflow cannot serve any request: it lacks an
 *  input for the prompt or for the seed, which every request has. Returns undefined when it has
 *  both inputs. */
export function noWorkflowFits(plan: WorkflowPlan): string | undefined {
  const missing = (['prompt', 'seed'] as const).filter(name => !takes(plan, name))
  if (missing.length === 0) return undefined
  return `The workflow of the driver comfyui has no input for ${missing.join(' and ')}: give a node that title, or name the input under inputs.`
}

/** Throws a `RefusedError`, before anything is sent, for a request that the workflow cannot
 *  serve: most often because the workflow has no input for one of its fields. Prompt and seed
 *  are not checked here. */
export function refuseUnsupported(plan: WorkflowPlan, { request, inputs }: ImageJobFacts): void {
  const isEdit = !isNewPicture(request)
  const [width, height = width] = sizeFields(request)
  const needed: [FieldName, InputName, boolean][] = [
    ['negativePrompt', 'negative_prompt', negativePromptOf(request) !== undefined],
    [width, 'width', request.width !== undefined],
    [height, 'height', request.height !== undefined],
    ['image', 'image', isEdit],
  ]
  const missing = needed.find(([, name, isSet]) => isSet && !takes(plan, name))
  if (missing) throw refused(missing[0], 'the workflow of this model has no input for it.')
  if (!isEdit && takes(plan, 'image'))
    throw new RefusedError({ message: 'The workflow of this model changes a picture; it draws none from words alone.' })
  if (isEdit) onlyPicture(inputs, 'the workflow of this model')
  if (request.expandPrompt) throw refused('expandPrompt', 'a ComfyUI workflow does not expand the prompt.')
}

/** Returns the values for the picture with this index. `image` is the name under which the server
 *  stores the input picture. */
export function valuesOf({ request, inputs, model }: ImageJob, image: string | undefined, index: number): InputValues {
  const { prompt, seed } = request
  return {
    prompt,
    // Seeds are signed 64-bit numbers in the gateway and unsigned ones on the server; the number
    // with the same bits is sent.
    seed: BigInt.asUintN(64, BigInt(seed) + BigInt(index)).toString(),
    batch_size: 1,
    model,
    ...sidesOf({ request, inputs }),
    ...defined({ negative_prompt: negativePromptOf(request), image }),
  }
}
