import { readAs } from '@generation-gateway/kit/check-json.ts'
import { type DriverTools, defineEngine, engineQueue, engineSlots, once, parkedBecause } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createEnginePool } from '@generation-gateway/kit/process/pool.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import { type Failed, type Job, type JobFacts, type Outcome, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SlidesRenderRequest, SlidesWriteRequest } from '@generation-gateway/kit/requests/slides.ts'
import { drawPictures } from './draw-pictures.ts'
import { limits, problemOf, renderable } from './limits.ts'
import { slidesPacks, wordNetPack } from './packs.ts'
import type { RenderJob } from './render.ts'
import type { ReviewJob } from './review.ts'
import { type SlidesSettings, settings, wantedModel } from './settings.ts'
import { templates, themeOf } from './templates/templates.ts'
import { fewestSlides, mostSlides, outcomeOf, type WriteJob, whyNotInLanguage } from './write.ts'
import { deckByModel } from './writer/deck-by-model.ts'
import { searchFor } from './writer/index-slides.ts'
import { languageOfText, primaryOf } from './writer/language-of.ts'
import { topicOf } from './writer/topic.ts'

const title = 'Slides, the built-in presentation engine'
/** Estimated run time for a slide, in ms. */
const slideMs = 60
/** Default number of pictures drawn for one deck. */
const usualPictures = 3
const parked = parkedBecause('presentation')

/** The built-in presentation engine. It writes the slides of a deck for a title or from a document,
 *  and renders slides as PPTX, PDF and PNG. */
export default defineEngine({
  id: 'slides',
  title,
  kind: 'engine',
  settings,
  section: 'slides',
  capabilities: ['slides.write', 'slides.render'],
  packs: slidesPacks,
  templates,
  open: tools => {
    const { cores, priority, scratchDirectory, log } = tools
    const size = Math.min(2, cores)
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: Math.max(1, size),
      queueLimit: engineSlots,
      jobTimeoutMs: 3 * 60_000,
      maxRssBytes: 700 * 2 ** 20,
      writable: [scratchDirectory],
      priority,
      onLog: message => log.warn({ engine: 'slides' }, message),
    })
    const call = async (method: string, payload: Payload, { account, signal, progress }: Caller): Promise<unknown> => {
      if (cores <= 0) throw new GatewayError('capability_unavailable', parked)
      return await pool.run({ method, payload, account, workMs: workMs(payload), signal, progress })
    }
    // The type assertions are safe: `write` and `render` of the child process return an outcome and
    // `review` a refusal or nothing, but the pool types them as unknown.
    const run: Run = async (method, payload, job) => (await call(method, payload, job)) as Outcome
    const review: Review = async (payload, job) => (await call('review', payload, job)) as Failed | undefined
    return {
      id: 'slides',
      title,
      queue: engineQueue('slides', { cores, accountSlots: 2 * size }),
      offers: {
        'slides.write': once<SlidesWriteRequest>(job => write(job, tools, { run, review }), {
          refuses: refusesWrite,
        }),
        'slides.render': once<SlidesRenderRequest>(job => render(job, run), {
          refuses: refusesRender,
        }),
      },
      close: () => pool.close(),
    }
  },
})

type Payload = RenderJob | WriteJob | ReviewJob
type Caller = Pick<Job<unknown>, 'account' | 'signal' | 'progress'>
type Run = (method: 'render' | 'write', payload: RenderJob | WriteJob, job: Caller) => Promise<Outcome>
type Review = (payload: ReviewJob, job: Caller) => Promise<Failed | undefined>

/** Calls of the child process. */
interface Calls {
  run: Run
  review: Review
}

/** Returns the estimated run time of a job in ms: rendering needs time for each slide, writing
 *  hardly any. */
function workMs({ request: { slides } }: Payload): number {
  return Array.isArray(slides) ? slides.length * slideMs : slideMs
}

/** Writes a deck. A title that the safety rules forbid is refused first. With a document, the
 *  deck has the document's own words. Without a document, a text model writes the deck. If there
 *  is no text model, the engine's own writer writes it. The own writer also does so if the
 *  model's deck is not good enough; the comment of the result then says why. Throws
 *  `upstream_error` if the model's deck is not good enough and the own writer does not know the
 *  language. */
async function write(job: Job<SlidesWriteRequest>, tools: DriverTools, { run, review }: Calls): Promise<Outcome> {
  const own = writeJob(job, tools)
  const { subRequest, request } = job
  if (own.source || !subRequest) return run('write', own, job)
  const forbidden = await review({ request }, job)
  if (forbidden) return forbidden
  const chosen: SlidesSettings = readAs(settings, job.settings, 'slides')
  const { records, why } = chosen.index === false ? { records: [] } : await searchFor(subjectOf(request), subRequest)
  job.progress(0.05)
  const model = wantedModel(chosen.text_model, 'configured')
  const written = model && (await deckByModel(subRequest, { request, model, found: records }, job))
  if (written && 'deck' in written) return withUsage(outcomeOf(written.deck), written.usage)
  const refused = whyNotInLanguage(request)
  if (written && refused !== undefined) throw new GatewayError('upstream_error', `${written.why} And ${refused}`)
  const remarks = [written?.why, why].filter(each => each !== undefined)
  const outcome = await run('write', { ...own, found: records, remarks }, job)
  return withUsage(outcome, written?.usage ?? [])
}

/** Returns the search query for the deck. */
function subjectOf({ title, language = languageOfText(title) }: SlidesWriteRequest): string {
  return topicOf(title, primaryOf(language) === 'zh' ? 'zh' : 'en').subject
}

async function render(job: Job<SlidesRenderRequest>, run: Run): Promise<Outcome> {
  const { subRequest, request, signal } = job
  const own = renderJob(job)
  const { picture_model, pictures: most = usualPictures }: SlidesSettings = readAs(settings, job.settings, 'slides')
  const model = wantedModel(picture_model, 'built-in')
  if (!subRequest || !model || most === 0) return run('render', own, job)
  const given = { slides: request.slides, given: own.pictures, model, most: Math.min(most, limits.pictures - own.pictures.length) }
  const { slides, pictures, usage, why } = await drawPictures(subRequest, given, signal)
  job.progress(0.2)
  const outcome = await run('render', { ...own, request: { ...request, slides }, pictures }, job)
  return withUsage(why === undefined ? outcome : withRemark(outcome, why), usage)
}

/** Returns the outcome with the usage of other models added. Amounts of the same unit are
 *  summed. */
function withUsage(outcome: Outcome, usage: readonly UsageUnits[]): Outcome {
  if (outcome.state !== 'done') return outcome
  const sums = new Map<string, number>()
  for (const { unit, units } of [...outcome.usage, ...usage]) sums.set(unit, (sums.get(unit) ?? 0) + units)
  return { ...outcome, usage: Array.from(sums, ([unit, units]) => ({ unit, units })) }
}

function withRemark(outcome: Outcome, remark: string): Outcome {
  if (outcome.state !== 'done') return outcome
  const { comment } = outcome.report
  return { ...outcome, report: { ...outcome.report, comment: typeof comment === 'string' ? `${comment} ${remark}` : remark } }
}

function writeJob({ request, inputs }: Job<SlidesWriteRequest>, { packs }: DriverTools): WriteJob {
  const source = inputs.find(({ role }) => role === 'source')
  const index = packs.file(wordNetPack, 'index.noun')
  const data = packs.file(wordNetPack, 'data.noun')
  return { request, ...(source ? { source } : {}), ...(index !== undefined && data !== undefined ? { dictionary: { index, data } } : {}) }
}

function renderJob({ request, inputs, scratch }: Job<SlidesRenderRequest>): RenderJob {
  return { request, scratch, pictures: inputs.filter(({ role }) => role === 'picture') }
}

function refusesWrite({ request, inputs, settings: given }: JobFacts<SlidesWriteRequest>): Refusal | undefined {
  const characters = [...request.title.trim()].length
  if (characters === 0 || characters > limits.titleCharacters)
    return refusal('title', `has ${characters} characters; 1 to ${limits.titleCharacters} are taken.`)
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(request.title)) return refusal('title', 'has neither a letter nor a digit.')
  const { slides } = request
  if (slides !== undefined && (!Number.isInteger(slides) || slides < fewestSlides || slides > mostSlides))
    return refusal('slides', `is ${slides}; ${fewestSlides} to ${mostSlides} can be written.`)
  const sources = inputs.filter(({ role }) => role === 'source').length
  if (sources > 1) return refusal('source', `there are ${sources}; one is taken.`)
  // The language is checked only for the built-in writer. A deck from documents keeps their
  // language, and a text model named in the settings can write in any language.
  const { text_model }: SlidesSettings = readAs(settings, given, 'slides')
  const isOwn = sources === 0 && (text_model === undefined || text_model === 'none')
  const why = isOwn ? whyNotInLanguage(request) : undefined
  return why === undefined ? undefined : refusal('language', why)
}

function refusesRender({ request, inputs }: JobFacts<SlidesRenderRequest>): Refusal | undefined {
  if (!themeOf(request.template))
    return refusal(
      'template',
      `there is no template with the name ${request.template}; there are ${templates.map(({ name }) => name).join(', ')}.`,
    )
  const { outputs } = request
  if (outputs && (outputs.length === 0 || outputs.some(output => !renderable.includes(output))))
    return refusal('outputs', `each is one of ${renderable.join(', ')}.`)
  const pictures = inputs.filter(({ role }) => role === 'picture').length
  if (pictures > limits.pictures) return refusal('picture', `there are ${pictures}; at most ${limits.pictures}.`)
  const problem = problemOf(request, pictures)
  return problem && refusal(problem.field, problem.says)
}
