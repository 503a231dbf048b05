import type { SlidesRenderRequest } from '@generation-gateway/kit/requests/slides.ts'
import spec from '../../engines/slides/driver.ts'
import { renderSlides } from '../../engines/slides/render.ts'
import { sampleSlides } from '../../engines/slides/testing/sample-deck.ts'
import type { Ask, FairnessCase } from './case.ts'

function deckOf(pages: number): SlidesRenderRequest {
  const slides = Array.from({ length: pages }, (_, page) => ({ ...sampleSlides[page % sampleSlides.length]! }))
  return { title: 'A harbour', language: 'en', slides, template: 'harbour', outputs: ['deck', 'document', 'page'] }
}
const long: Ask = async (engine, options) => {
  // One after the other, for as long as the bench needs.
  for (;;) {
    options.signal?.throwIfAborted()
    await engine.run('slides.render', deckOf(30), options)
  }
}

export const slides: FairnessCase = {
  name: 'slides',
  says: 'a deck of 5 beside four of 30 all the time, each as PPTX, PDF and pictures',
  spec,
  long: [long, long, long, long],
  short: (engine, options) => engine.run('slides.render', deckOf(5), options),
  inPieces: (giveWay, scratch) =>
    renderSlides({ request: deckOf(30), scratch, pictures: [] }, { giveWay, progress: () => {}, tell: () => {} }),
}
