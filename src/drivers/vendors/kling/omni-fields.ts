/** Fields that only the vendor's endpoint omni-video has: shots, pictures and subjects. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { exactNumber, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../../shared/refusal.ts'
import { assertRoles, inputsOf } from '../../shared/video/video-request.ts'

interface OmniInput<Input> {
  request: VideoGenerateRequest
  inputs: readonly Input[]
  base64(input: Input): string
  who: string
}

const types: Readonly<Record<string, string>> = { 'first-frame': 'first_frame', 'last-frame': 'end_frame' }
const mark = /<<<element_([0-9]+)>>>/g
const mostReferences = 7

/** Returns the fields of a request to omni-video. Throws a `RefusedError` for a request that
 *  omni-video cannot serve. */
export function omniFields<Input extends InputFacts>({ request, inputs, base64, who }: OmniInput<Input>): JsonObject {
  const { camera, negativePrompt, elements = [] } = request
  for (const role of ['base', 'feature'] as const)
    if (inputsOf(inputs, role).length > 0) throw refused(role, `${who} takes a video only from an address that it can reach itself.`)
  assertRoles(inputs, ['first-frame', 'last-frame', 'reference', 'subject'], who)
  if (camera && camera.length > 0) throw refused('camera', `${who} takes camera movements only in the words of the prompt.`)
  if (negativePrompt !== undefined) throw refused('negativePrompt', `${who} takes no negative prompt.`)
  const pictures = inputs.filter(({ role }) => role !== 'subject')
  const subjects = inputsOf(inputs, 'subject')
  const references = pictures.length + subjects.length + elements.length
  if (references > mostReferences) throw refused('reference', `${who} takes ${mostReferences} pictures and subjects, not ${references}.`)
  const listed = [...pictures, ...subjects].map(input => ({
    image_url: base64(input),
    ...defined({ type: types[input.role] }),
  }))
  return {
    ...sceneOf(request, renamed(request.subjects ?? subjects.map(() => ({ pictures: 1 })), pictures.length)),
    ...(listed.length > 0 ? { image_list: listed } : {}),
    ...(elements.length > 0 ? { element_list: elements.map(id => ({ element_id: exactNumber(id) })) } : {}),
  }
}

function sceneOf({ prompt, shots, ownShots }: VideoGenerateRequest, named: (text: string) => string): JsonObject {
  if (!shots) return { prompt: named(prompt), ...(ownShots ? { multi_shot: true, shot_type: 'intelligence' } : {}) }
  const multi_prompt = shots.map((shot, index) => ({ index: index + 1, prompt: named(shot.prompt), duration: String(shot.seconds) }))
  return { multi_shot: true, shot_type: 'customize', multi_prompt }
}

/** Returns a function that replaces the marks of subjects in a text by the vendor's notation. A
 *  subject that the caller sent as pictures gets the number of its first picture in the list of all
 *  pictures; the pictures of subjects come last in that list. A subject that is stored at the
 *  vendor gets its number among the stored subjects, counted from 1. */
function renamed(subjects: readonly { pictures: number }[], pictures: number): (text: string) => string {
  const starts = subjects.map((_, index) => pictures + subjects.slice(0, index).reduce((sum, each) => sum + each.pictures, 0))
  return text =>
    text.replace(mark, (_whole, number: string) => {
      const start = starts[Number(number) - 1]
      return start === undefined ? `<<<element_${Number(number) - subjects.length}>>>` : `<<<image_${start + 1}>>>`
    })
}
