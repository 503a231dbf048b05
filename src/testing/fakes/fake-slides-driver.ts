/** A fake driver for presentations that the test controls. Its slides contain words of the
 *  request, and its files are small. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DriverSpec, defineDriver, defineEngine, once } from '@generation-gateway/kit/driver.ts'
import type { Done, Failed, Job } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { Slide, SlidesRenderRequest, SlidesTemplate, SlidesWriteRequest } from '@generation-gateway/kit/requests/slides.ts'
import Type from 'typebox'

export const deckType = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'

export type WriteJob = Job<SlidesWriteRequest>
export type RenderJob = Job<SlidesRenderRequest>

export interface FakeSlidesOptions {
  /** Receives each job that runs. */
  writes?: WriteJob[]
  renders?: RenderJob[]
  /** Called for each job, which waits for the returned promise. When it resolves to a failure,
   *  the job ends with that failure. */
  write?: (job: WriteJob) => Promise<Failed | undefined>
  render?: (job: RenderJob) => Promise<Failed | undefined>
  /** Templates of the driver. When they are set, the driver is an engine and refuses every other
   *  template. */
  templates?: readonly SlidesTemplate[]
}

/** Returns a driver with this id that serves slides.write and slides.render. */
export function fakeSlidesDriver(id: string, options: FakeSlidesOptions = {}): DriverSpec {
  const { writes = [], renders = [], write, render, templates } = options
  const title = `Fake ${id}`
  const offers = {
    'slides.write': once<SlidesWriteRequest>(async job => {
      writes.push(job)
      return (await write?.(job)) ?? written(job)
    }),
    'slides.render': once<SlidesRenderRequest>(
      async job => {
        renders.push(job)
        return (await render?.(job)) ?? rendered(job)
      },
      {
        refuses: ({ request: { template } }) =>
          templates?.every(({ name }) => name !== template) ? refusal('template', `there is no ${template}.`) : undefined,
      },
    ),
  }
  const open = () => ({ id, title, queue: { name: `fake:${id}`, slots: 4 }, offers })
  const declared = { id, title, settings: Type.Object({}), open }
  if (!templates) return defineDriver({ ...declared, kind: 'upstream' })
  return defineEngine({ ...declared, kind: 'engine', capabilities: ['slides.write', 'slides.render'], templates })
}

/** Returns a title slide, slides with points until the requested number is reached, and a last
 *  slide. */
export function writtenSlides({ title, slides = 4 }: SlidesWriteRequest): Slide[] {
  const points = Array.from({ length: slides - 2 }, (_, index): Slide => {
    return { layout: 'points', title: `Part ${index + 1}`, points: ['One.', 'Two.'], notes: 'Take your time.' }
  })
  return [{ layout: 'title', title, points: [] }, ...points, { layout: 'closing', title: 'Thank you', points: [] }]
}

function written({ request }: WriteJob): Done {
  const { title, language = 'en' } = request
  const slides = writtenSlides(request)
  return { state: 'done', files: [], report: { title, language, slides }, usage: [{ unit: 'slides', units: slides.length }] }
}

async function rendered({ request, scratch }: RenderJob): Promise<Done> {
  const { title, template, slides } = request
  const deck = join(scratch, 'deck.pptx')
  const document = join(scratch, 'document.pdf')
  await writeFile(deck, `PK\u0003\u0004${title} in ${template}`)
  await writeFile(document, `%PDF-1.7 ${title} in ${template}`)
  const files = [
    { role: 'document', path: document, mediaType: 'application/pdf' },
    { role: 'deck', path: deck, mediaType: deckType },
  ]
  return { state: 'done', files, report: { slides: slides.length }, usage: [{ unit: 'slides', units: slides.length }] }
}
