/** Lays out written slides as pages of one template. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { Page } from '../model/page.ts'
import { agendaPages } from './agenda.ts'
import { chartPages } from './chart.ts'
import { columnsPages } from './columns.ts'
import { coverPages } from './cover.ts'
import { figuresPages } from './figures.ts'
import { picturePages } from './picture.ts'
import { pointsPages } from './points.ts'
import { quotePages } from './quote.ts'
import { foot, type Scene } from './scene.ts'
import { tablePages } from './table.ts'
import { timelinePages } from './timeline.ts'

/** Returns the pages of all slides in order; a slide with too much content becomes several pages.
 *  No text leaves its box. */
export function layOutDeck(slides: readonly Slide[], scene: Scene): Page[] {
  const pages = slides.flatMap((slide, k) => pagesOf(slide, scene).map(page => ({ ...page, slide: k })))
  return pages.map((page, k) => (page.span ? { ...page, items: [...page.items, ...foot(k + 1, scene, page.span)] } : page))
}

function pagesOf(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  switch (slide.layout) {
    case 'title':
    case 'section':
    case 'closing':
      return coverPages({ ...slide, layout: slide.layout }, scene)
    case 'agenda':
      return agendaPages(slide, scene)
    case 'points':
      return pointsPages(slide, scene)
    case 'columns':
      return columnsPages(slide, scene)
    case 'quote':
      return quotePages(slide, scene)
    case 'figures':
      return figuresPages(slide, scene)
    case 'picture':
      return picturePages(slide, scene)
    case 'chart':
      return chartPages(slide, scene)
    case 'table':
      return tablePages(slide, scene)
    case 'timeline':
      return timelinePages(slide, scene)
  }
}
