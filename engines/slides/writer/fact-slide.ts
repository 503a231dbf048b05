/** Makes slides that name the dictionary as their source, and shortens texts for them. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { NamedKind } from './entries.ts'

export interface RankedSlide {
  slide: Slide
  /** Importance: 1 is kept even in the shortest deck, 3 appears only in a long one. */
  rank: 1 | 2 | 3
}

export const dictionary = 'WordNet 3.1'

/** Returns a slide that names the dictionary as its source. */
export function slideOf(layout: Slide['layout'], title: string, more: Partial<Slide> & { notes: string }): Slide {
  const origin = `Text and relations: ${dictionary}.`
  return { layout, title, points: [], ...(layout === 'quote' ? {} : { source: dictionary }), ...more, notes: `${more.notes} ${origin}` }
}

/** True for classes so general that nearly everything belongs to them. */
export function isTooWide({ name }: NamedKind): boolean {
  return /^(entity|physical entity|abstraction|object|whole|physical object|abstract entity|living thing|organism|being|matter|causal agent|thing|psychological feature|unit|instrumentality|relation|attribute|group|solid|artifact|act|event|state|cognition|content|happening|substance|natural object|part|condition|physical process|process|system|phenomenon)$/.test(
    name,
  )
}

/** Shortens a text of more than `most` characters: at the last comma, semicolon or bracket in the
 *  second half of the allowed length; else after the last whole word that fits, with an
 *  ellipsis. */
export function short(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, most)
  const comma = Math.max(head.lastIndexOf(','), head.lastIndexOf(';'), head.lastIndexOf(' ('))
  return comma > most * 0.5 ? head.slice(0, comma) : `${head.slice(0, head.lastIndexOf(' '))}\u00a0…`
}
