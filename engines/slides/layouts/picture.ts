import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Item, Page } from '../model/page.ts'
import { spaced, spreadText } from '../type/fit.ts'
import { airy, bulletsOf } from './points.ts'
import { body, bodyBox, contentPages, margin, mustFit, type Scene, type Span, tonesOf } from './scene.ts'

/** Box of a picture that fills the left part of the page up to its edges. */
const half: Box = { x: 0, y: 0, w: 5.9, h: 7.5 }
const besidePicture: Span = { x: half.w + 0.7, w: 13.333 - half.w - 0.7 - margin }

/** Returns a page with a picture beside the slide's points. Without points, the picture fills the
 *  width of the page, and its description stands below it. */
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
  const box = { ...bodyBox, ...besidePicture }
  const setting = {
    box,
    sizes: { largest: 26, smallest: 14 },
    leading: 1.25,
    gap: 0.6,
    align: 'left',
    valign: 'top',
    colour: tones.ink,
  } as const
  const bodies = spreadText(bulletsOf(slide.points, scene), setting).map((part): Item[] => [
    scene.picture(slide, half, 7),
    spaced(mustFit(part, setting), airy),
  ])
  return contentPages(slide, scene, bodies, besidePicture)
}
