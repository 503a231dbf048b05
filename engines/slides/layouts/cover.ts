/** Lays out slides of the layouts title, section and closing. Each of these layouts has its own
 *  background. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Item, Page } from '../model/page.ts'
import { body, heading, line, mustFit, rectangle, type Scene } from './scene.ts'

const largest = { title: 54, section: 44, closing: 48 }

/** Box of the slide's picture: the right part of the page, up to its edges. */
const pictureBox: Box = { x: 8.2, y: 0, w: 5.133, h: 7.5 }

/** Returns the single page of a title, section or closing slide. The title stands at the bottom of
 *  the upper part of the template's text box. Below it follow an accent-coloured mark, and the
 *  subtitle and the points, if there are any. */
export function coverPages(slide: Slide & { layout: 'title' | 'section' | 'closing' }, scene: Scene): Omit<Page, 'slide'>[] {
  const ground = slide.layout
  const { theme } = scene
  const tones = theme.tones[ground]
  const align = theme.look.cover
  const { frame, items: beside } = withPicture(slide, scene)
  const below = [slide.subtitle, ...slide.points].filter(text => text !== undefined && text !== '')
  const share = below.length === 0 ? 1 : below.length > 1 ? 0.5 : 0.62
  const titleBox = { ...frame, h: frame.h * share - 0.2 }
  const title = mustFit(line(heading(slide.title, scene)), {
    box: titleBox,
    sizes: { largest: largest[ground], smallest: 18 },
    leading: 1.08,
    align,
    valign: 'bottom',
    colour: tones.ink,
    isTitle: true,
    rag: 'even',
  })
  const ruleWide = 1.1
  const ruleX = align === 'center' ? frame.x + (frame.w - ruleWide) / 2 : frame.x
  const items: Item[] = [
    ...beside,
    title,
    rectangle({ x: ruleX, y: titleBox.y + titleBox.h + 0.17, w: ruleWide, h: 0.06 }, tones.accentFill),
  ]
  if (below.length > 0) {
    const y = titleBox.y + titleBox.h + 0.42
    const box = { ...frame, y, h: frame.y + frame.h - y }
    const paragraphs = below.map(text => ({ runs: [body(text ?? '', scene)] }))
    items.push(
      mustFit(paragraphs, {
        box,
        sizes: { largest: 24, smallest: 10 },
        leading: 1.3,
        gap: 0.35,
        align,
        valign: 'top',
        colour: tones.muted,
        rag: 'no-orphan',
      }),
    )
  }
  return [{ ground, items, title: slide.title, notes: slide.notes ?? '' }]
}

/** Adds the slide's picture beside the words, unless the template puts the words in the middle of
 *  the page. */
function withPicture(slide: Slide & { layout: 'title' | 'section' | 'closing' }, scene: Scene): { frame: Box; items: Item[] } {
  const { theme } = scene
  const frame = theme.frames[slide.layout]
  if (slide.pictureInput === undefined || theme.look.cover !== 'left') return { frame, items: [] }
  const edge = rectangle({ x: pictureBox.x - 0.09, y: 0, w: 0.09, h: pictureBox.h }, theme.tones[slide.layout].accentFill)
  return { frame: { ...frame, w: Math.min(frame.w, pictureBox.x - 0.5 - frame.x) }, items: [scene.picture(slide, pictureBox, 5), edge] }
}
