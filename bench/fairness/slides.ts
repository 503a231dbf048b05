import type { SlidesRenderRequest } from '@generation-gateway/kit/requests/slides.ts'
import engine from '../../engines/slides/driver.ts'
import { renderSlides } from '../../engines/slides/render.ts'
import { sampleSlides } from '../../engines/slides/testing/sample-deck.ts'
import type { FairnessCase, Run } from './case.ts'

function deckOf(pages: number): SlidesRenderRequest {
  const slides = Array.from({ length: pages }, (_, page) => ({ ...sampleSlides[page % sampleSlides.length]! }))
  return { title: 'A harbour', language: 'en', slides, template: 'harbour', outputs: ['deck', 'document', 'page'] }
}
const long: Run = async (opened, options) => {
  // Renders one deck after another, for as long as the benchmark needs.
  for (;;) {
    options.signal?.throwIfAborted()
    await opened.run('slides.render', deckOf(30), options)
  }
}

export async function slidesCases(folder: string): Promise<FairnessCase[]> {
  return [
    {
      name: 'slides: a deck of 5 beside four of 30 all the time',
      engine,
      long: [long, long, long, long],
      short: (opened, options) => opened.run('slides.render', deckOf(5), options),
      inPieces: giveWay =>
        renderSlides({ request: deckOf(30), scratch: folder, pictures: [] }, { giveWay, progress: () => {}, tell: () => {} }),
    },
  ]
}
