/** Lays out the written slides of a deck in a template, and paints the pictures that they need. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { layOutDeck } from '../layouts/lay-out.ts'
import type { Scene } from '../layouts/scene.ts'
import { cleanLine, cleanText, wordsOf } from '../layouts/words.ts'
import type { Box, Ground, Page, PictureItem } from '../model/page.ts'
import type { Theme } from '../templates/theme.ts'
import { paintGround, paintOrnament } from './grounds.ts'
import { cutPicture } from './pictures.ts'
import type { DeckColours } from './repair-pptx.ts'

interface WrittenDeck {
  title: string
  language: string
  slides: readonly Slide[]
}

export interface DeckLayout {
  pages: Page[]
  title: string
  language: string
  grounds: Map<Ground, Buffer>
  colours: DeckColours
}

interface LayoutOptions {
  /** Encoded pictures; a slide's `pictureInput` is an index into this list. */
  pictures?: readonly Buffer[]
  /** Called and awaited between two pictures, so that other work of the process can run. */
  giveWay?(): Promise<void>
}

/** Lays out the slides and paints their backgrounds and ornaments. */
export async function layOutWritten(
  written: WrittenDeck,
  theme: Theme,
  { pictures = [], giveWay }: LayoutOptions = {},
): Promise<DeckLayout> {
  const { title: given, language, slides } = cleanText(written)
  const title = cleanLine(given)
  // The layout only reserves a box for each picture; the pictures are painted after all pages are
  // laid out.
  const wanted = new Map<PictureItem, { slide: Slide; box: Box; seed: number }>()
  const scene: Scene = {
    theme,
    deckTitle: title,
    words: wordsOf(language),
    picture: (slide, box, seed) => {
      const item: PictureItem = { kind: 'picture', box, bytes: Buffer.alloc(0), mediaType: 'image/jpeg', alt: slide.picture ?? slide.title }
      wanted.set(item, { slide, box, seed: seed + slides.indexOf(slide) })
      return item
    },
  }
  const pages = layOutDeck(slides, scene)
  const used = new Set(pages.flatMap(({ items }) => items))
  for (const [item, { slide, box, seed }] of wanted) {
    if (!used.has(item)) continue
    await giveWay?.()
    const given = slide.pictureInput === undefined ? undefined : pictures[slide.pictureInput]
    Object.assign(item, given ? await cutPicture(given, box, slide.picture ?? slide.title) : await paintOrnament(theme, box, seed))
  }
  const grounds = new Map<Ground, Buffer>()
  for (const { ground } of pages) {
    if (grounds.has(ground)) continue
    await giveWay?.()
    grounds.set(ground, await paintGround(theme, ground))
  }
  return { pages, title, language, grounds, colours: { ...theme.tones.content, series: theme.series } }
}
