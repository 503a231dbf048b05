/** The pages on a ground of their own: title, section, closing. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Item, Page } from '../model/page.ts'
import { body, heading, line, mustFit, rectangle, type Scene } from './scene.ts'

const largest = { title: 54, section: 44, closing: 48 }

/** One page; the title stands on the subtitle with a mark of the accent between them, or alone in the middle. */
export function coverPages(slide: Slide & { layout: 'title' | 'section' | 'closing' }, scene: Scene): Omit<Page, 'slide'>[] {
  const ground = slide.layout
  const { theme } = scene
  const tones = theme.tones[ground]
  const frame = theme.frames[ground]
  const align = theme.look.cover
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
  })
  const ruleWide = 1.1
  const ruleX = align === 'center' ? frame.x + (frame.w - ruleWide) / 2 : frame.x
  const items: Item[] = [title, rectangle({ x: ruleX, y: titleBox.y + titleBox.h + 0.17, w: ruleWide, h: 0.06 }, tones.accentFill)]
  if (below.length > 0) {
    const y = titleBox.y + titleBox.h + 0.42
    const box = { ...frame, y, h: frame.y + frame.h - y }
    const paragraphs = below.map(text => ({ runs: [body(text ?? '', scene)] }))
    items.push(
      mustFit(paragraphs, {
        box,
        sizes: { largest: 20, smallest: 10 },
        leading: 1.3,
        gap: 0.35,
        align,
        valign: 'top',
        colour: tones.muted,
      }),
    )
  }
  return [{ ground, items, title: slide.title, notes: slide.notes ?? '' }]
}
