/** Finds the picture among the inputs of `image.edit`, and checks the inputs for engines and
 *  drivers that edit one picture by a prompt alone. */
import type { InputFacts } from './capability.ts'
import { type Refusal, refusal } from './job.ts'

/** Returns the picture to edit; undefined when there is none. */
export function pictureOf<Input extends InputFacts>(inputs: readonly Input[]): Input | undefined {
  return inputs.find(({ role }) => role === 'image')
}

/** Returns the picture when it is the only input. Otherwise returns a refusal that names the
 *  role at fault: there is a mask, a second picture, or no picture. `who` names the model in its
 *  sentence. */
export function onePicture<Input extends InputFacts>(inputs: readonly Input[], who: string): { picture: Input } | { refusal: Refusal } {
  const [picture, ...more] = inputs.filter(({ role }) => role === 'image')
  if (inputs.some(({ role }) => role !== 'image')) return { refusal: refusal('mask', `${who} takes no mask.`) }
  if (picture === undefined) return { refusal: refusal('image', 'an edit needs a picture.') }
  if (more.length > 0) return { refusal: refusal('image', `${who} takes one picture, not ${1 + more.length}.`) }
  return { picture }
}
