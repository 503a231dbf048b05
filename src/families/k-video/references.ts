/** Reads the marks with which prompts of the omni operations refer to inputs, such as
 *  `<<<image_1>>>`. */
import Type from 'typebox'
import type { Rule } from '../../contract/operation.ts'

const mark = /<<<(image|element|video)_([0-9]+)>>>/g

export const elementItem = Type.Object({
  element_id: Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^[0-9]{1,19}$',
    mustBe: 'a whole number',
    description: 'Id of a subject; longer than 15 digits as text.',
  }),
})

interface NamedCounts {
  texts: readonly string[]
  image: number
  element: number
  video: number
}

/** Returns a rule that refuses a prompt which refers to an input that the request does not have. */
export function namedInputs<Body>(namedIn: (body: Body) => NamedCounts): Rule<Body> {
  const missing = (body: Body): string | undefined => {
    const { texts, ...counts } = namedIn(body)
    const all = texts.flatMap(text => [...text.matchAll(mark)])
    return all.find(
      ([, kind = '', number]) => Number(number) < 1 || Number(number) > (Object.entries(counts).find(([name]) => name === kind)?.[1] ?? 0),
    )?.[0]
  }
  return {
    id: 'named-inputs',
    says: 'What a prompt names as <<<image_1>>>, <<<element_1>>> or <<<video_1>>> is in its list.',
    field: 'prompt',
    source: 'ours',
    holds: body => missing(body) === undefined,
    explain: body => `prompt names ${missing(body)}, which is not in its list.`,
  }
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** Returns the prompt with each mark replaced by the position of its picture in words, such as
 *  `the second picture`. `placeOf` returns the position of an image or element, from 0. */
export function byPlace(prompt: string, placeOf: (kind: string, index: number) => number): string {
  return prompt.replace(mark, (whole, kind: string, number: string) => {
    const ordinal = ordinals[placeOf(kind, Number(number) - 1)]
    return ordinal === undefined ? whole : `the ${ordinal} picture`
  })
}
