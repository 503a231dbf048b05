/** Lays out points: cards when each has a short lead, else a list, on as many pages as needed. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Page } from '../model/page.ts'
import { fitText, type Paragraph, type Setting, spaced, spreadText } from '../type/fit.ts'
import { cardsOf } from './cards.ts'
import { body, bodyBox, contentPages, margin, mustFit, type Scene, type Span, tonesOf } from './scene.ts'
import { leadOf } from './words.ts'

/** Box of a picture beside a short list, up to the right edge of the page. */
export const panel: Box = { x: 9.45, y: 0, w: 3.883, h: 7.5 }
export const besidePanel: Span = { x: margin, w: 8.2 }

/** Limits for `spaced`, which widens the gaps between the paragraphs of a short list: gaps of at
 *  most 1.5 times the type size, and 86 % of the box filled. */
export const airy = { most: 1.5, share: 0.86 } as const

export function pointsPages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const cards = cardsOf(slide, scene)
  if (cards) return contentPages(slide, scene, [cards])
  const paragraphs = bulletsOf(slide.points, scene)
  const beside = fitText(paragraphs, listSetting({ ...bodyBox, ...besidePanel }, scene, { largest: 28, smallest: 19 }))
  if (beside && slide.points.length <= 7)
    return contentPages(slide, scene, [[scene.picture(slide, panel, slide.points.length), spaced(beside, airy)]], besidePanel)
  const setting = listSetting(bodyBox, scene, { largest: 22, smallest: 15 })
  return contentPages(
    slide,
    scene,
    spreadText(paragraphs, setting).map(part => [spaced(mustFit(part, setting), airy)]),
  )
}

/** Returns a paragraph for each point, with the template's bullet and its lead in bold. */
export function bulletsOf(points: readonly string[], scene: Scene): Paragraph[] {
  const { look } = scene.theme
  return points.map(point => ({ runs: leadRuns(point, scene), bullet: { sign: look.bullet, colour: tonesOf(scene).accent, indent: 0.32 } }))
}

function leadRuns(point: string, scene: Scene): Paragraph['runs'] {
  const { lead, rest } = leadOf(point)
  if (lead === undefined) return [body(rest, scene)]
  const isWide = /[\u3000-\u9fff]$/u.test(lead)
  return [{ ...body(lead, scene, true), text: `${lead}${isWide ? '：' : ': '}` }, body(rest, scene)]
}

function listSetting(box: Box, scene: Scene, sizes: Setting['sizes']): Setting {
  return { box, sizes, leading: 1.25, gap: 0.6, align: 'left', valign: 'top', colour: tonesOf(scene).ink }
}
