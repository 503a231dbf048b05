import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Box, Item, Page } from '../model/page.ts'
import { spreadText } from '../type/fit.ts'
import { bulletsOf } from './points.ts'
import { bodyBox, contentPages, mustFit, type Scene, tonesOf } from './scene.ts'
import { cleanLine } from './words.ts'

/** Box of a pie chart, with room for the names of its parts beside it. */
const roundBox: Box = { ...bodyBox, x: bodyBox.x + 1.2, w: bodyBox.w - 2.4 }

/** Returns pages with an editable chart, over the whole page or beside the slide's points. */
export function chartPages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const { chart } = slide
  if (!chart) return contentPages(slide, scene, [[]])
  const tones = tonesOf(scene)
  const hasPoints = slide.points.length > 0
  const w = hasPoints ? 7.6 : bodyBox.w
  const item: Item = {
    kind: 'chart',
    box: chart.kind === 'pie' && !hasPoints ? roundBox : { ...bodyBox, w },
    chart: chart.kind,
    labels: chart.labels.map(cleanLine),
    series: chart.series.map(({ name, values }) => ({ name: cleanLine(name), values })),
    unit: cleanLine(chart.unit ?? ''),
    colours: [...scene.theme.series],
    ink: tones.ink,
    rule: tones.rule,
    paper: tones.paper,
    size: chart.kind === 'pie' && !hasPoints ? 20 : hasPoints ? 15 : 17,
  }
  if (!hasPoints) return contentPages(slide, scene, [[item]])
  const box = { ...bodyBox, x: bodyBox.x + w + 0.5, w: bodyBox.w - w - 0.5 }
  const setting = {
    box,
    sizes: { largest: 22, smallest: 13 },
    leading: 1.25,
    gap: 0.6,
    align: 'left',
    valign: 'middle',
    colour: tones.ink,
  } as const
  return contentPages(
    slide,
    scene,
    spreadText(bulletsOf(slide.points, scene), setting).map(part => [item, mustFit(part, setting)]),
  )
}
