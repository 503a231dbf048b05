import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Item, Page } from '../model/page.ts'
import { spreadText } from '../type/fit.ts'
import { bulletsOf } from './points.ts'
import { body, bodyBox, contentPages, mustFit, type Scene, tonesOf } from './scene.ts'

const gutter = 0.5

/** A picture beside its points, or across the page with a line below when it has none. */
export function picturePages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const tones = tonesOf(scene)
  if (slide.points.length === 0) {
    const caption = slide.picture ?? ''
    const box = { ...bodyBox, h: bodyBox.h - (caption === '' ? 0 : 0.5) }
    const text = mustFit([{ runs: [body(caption, scene)] }], {
      box: { ...bodyBox, y: bodyBox.y + box.h + 0.1, h: 0.38 },
      sizes: { largest: 14, smallest: 7 },
      align: 'left',
      valign: 'middle',
      colour: tones.muted,
    })
    return contentPages(slide, scene, [[scene.picture(slide, box, 7), ...(caption === '' ? [] : [text])]])
  }
  const picture = { ...bodyBox, w: 5.6 }
  const box = { ...bodyBox, x: bodyBox.x + picture.w + gutter, w: bodyBox.w - picture.w - gutter }
  const setting = {
    box,
    sizes: { largest: 20, smallest: 14 },
    leading: 1.25,
    gap: 0.6,
    align: 'left',
    valign: 'middle',
    colour: tones.ink,
  } as const
  const bodies = spreadText(bulletsOf(slide.points, scene), setting).map((part): Item[] => [
    scene.picture(slide, picture, 7),
    mustFit(part, setting),
  ])
  return contentPages(slide, scene, bodies)
}
