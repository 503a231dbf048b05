import { type DriverTools, defineEngine, once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import { type AskedJob, type Job, type Outcome, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SlidesRenderRequest, SlidesWriteRequest } from '@generation-gateway/kit/requests/slides.ts'
import Type from 'typebox'
import { limits, problemOf } from './limits.ts'
import { slidesPacks, wordNetPack } from './packs.ts'
import { type RenderJob, renderable } from './render.ts'
import { templates, themeOf } from './templates/templates.ts'
import { fewestSlides, mostSlides, type WriteJob, whyNotInLanguage } from './write.ts'

const title = 'Slides, the built-in presentation engine'
const parked = 'The presentation engine is parked: this gateway runs its engines with 0 processes (GATEWAY_ENGINE_WORKERS).'

/** The built-in presentation engine: writes decks from a title or a document, and designs them as PPTX, PDF and PNG. */
export default defineEngine({
  id: 'slides',
  title,
  kind: 'engine',
  settings: Type.Object({}),
  capabilities: ['slides.write', 'slides.render'],
  packs: slidesPacks,
  templates,
  open: tools => {
    const { cores, priority, scratchDirectory, log } = tools
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: Math.min(2, Math.max(1, cores)),
      queueLimit: 16,
      jobTimeoutMs: 3 * 60_000,
      maxRssBytes: 700 * 2 ** 20,
      writable: [scratchDirectory],
      priority,
      onLog: message => log.warn({ engine: 'slides' }, message),
    })
    const run = async (method: string, payload: RenderJob | WriteJob, { signal, progress }: Pick<Job<unknown>, 'signal' | 'progress'>) => {
      if (cores <= 0) throw new GatewayError('capability_unavailable', parked)
      // Both methods answer with an outcome; the channel does not know it.
      return (await pool.run({ method, payload, signal, progress })) as Outcome
    }
    return {
      id: 'slides',
      title,
      queue: { name: 'engine:slides', slots: cores > 0 ? Math.min(2, cores) : 0 },
      offers: {
        'slides.write': once<SlidesWriteRequest>(job => run('write', writeJob(job, tools), job), {
          isRepeatable: true,
          refuses: refusesWrite,
        }),
        'slides.render': once<SlidesRenderRequest>(job => run('render', renderJob(job), job), {
          isRepeatable: true,
          refuses: refusesRender,
        }),
      },
      close: () => pool.close(),
    }
  },
})

function writeJob({ request, inputs }: Job<SlidesWriteRequest>, { packs }: DriverTools): WriteJob {
  const source = inputs.find(({ role }) => role === 'source')
  const index = packs.file(wordNetPack, 'index.noun')
  const data = packs.file(wordNetPack, 'data.noun')
  return { request, ...(source ? { source } : {}), ...(index !== undefined && data !== undefined ? { dictionary: { index, data } } : {}) }
}

function renderJob({ request, inputs, scratch }: Job<SlidesRenderRequest>): RenderJob {
  return { request, scratch, pictures: inputs.filter(({ role }) => role === 'picture') }
}

function refusesWrite({ request, inputs }: AskedJob<SlidesWriteRequest>): Refusal | undefined {
  const characters = [...request.title.trim()].length
  if (characters === 0 || characters > limits.titleCharacters)
    return refusal('title', `has ${characters} characters; 1 to ${limits.titleCharacters} are taken.`)
  const { slides } = request
  if (slides !== undefined && (!Number.isInteger(slides) || slides < fewestSlides || slides > mostSlides))
    return refusal('slides', `is ${slides}; ${fewestSlides} to ${mostSlides} can be written.`)
  const sources = inputs.filter(({ role }) => role === 'source').length
  if (sources > 1) return refusal('source', `there are ${sources}; one is taken.`)
  const why = sources === 0 ? whyNotInLanguage(request) : undefined
  return why === undefined ? undefined : refusal('language', why)
}

function refusesRender({ request, inputs }: AskedJob<SlidesRenderRequest>): Refusal | undefined {
  if (!themeOf(request.template))
    return refusal('template', `there is none of the name ${request.template}; there are ${templates.map(({ name }) => name).join(', ')}.`)
  const { outputs } = request
  if (outputs && (outputs.length === 0 || outputs.some(output => !renderable.includes(output))))
    return refusal('outputs', `each is one of ${renderable.join(', ')}.`)
  const pictures = inputs.filter(({ role }) => role === 'picture').length
  if (pictures > limits.pictures) return refusal('picture', `there are ${pictures}; at most ${limits.pictures}.`)
  const problem = problemOf(request, pictures)
  return problem && refusal(problem.field, problem.says)
}
