/** Runs an image job: sends its requests and streams its pictures. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEvent, ImageField, ImageResult, RefusedPicture } from '@generation-gateway/kit/requests/image.ts'
import type { Failed, Outcome, StreamEvent, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import type { Picture } from '../../shared/image/convert-picture.ts'
import type { ImageJob, ImageRequest } from '../../shared/image/image-job.ts'
import { doneWithPictures } from '../../shared/image/image-outcome.ts'
import { type ImageWords, refusalNamed } from '../../shared/image/image-words.ts'
import { fetchOnlyPicture } from '../../shared/image/picture-file.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { FilesInJson } from '../../shared/upstream/json-files.ts'
import { submitPaidInParts } from '../../shared/upstream/paid-submit.ts'
import type { Parts } from '../../shared/upstream/post-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { wait } from '../../shared/upstream/wait.ts'
import { answerParts, reviewIn, reviewSays } from './answer.ts'
import { type Plan, planOf } from './plan.ts'
import { owner, settings } from './settings.ts'
import { sizeMissed } from './sizes.ts'

type Part = StreamEvent<ImageEvent>

const words: ImageWords = new Map<string, ImageField | 'size'>([
  ['prompt', 'prompt'],
  ['image', 'image'],
  ['size', 'size'],
  ['seed', 'seed'],
  ['guidance_scale', 'guidance'],
  ['watermark', 'watermark'],
  ['output_format', 'format'],
  ['tools', 'webSearch'],
  ['optimize_prompt_options', 'promptMode'],
  ['optimize_prompt_options.mode', 'promptMode'],
  ['sequential_image_generation', 'series'],
  ['sequential_image_generation_options', 'series'],
  ['sequential_image_generation_options.max_images', 'series'],
])
/** Largest picture in bytes: four bytes for each of the 16,777,216 pixels of the largest size,
 *  times two as a reserve for the file format. */
const maxPictureBytes = 128 * 1024 * 1024

interface RunTools extends ServiceTools {
  /** Waits, in milliseconds, before a request is sent again after the vendor's rate limit refused
   *  it without stating a time. Each wait allows one more try. */
  retryAfterMs: readonly number[]
}

/** Returns the offer with which the driver serves `image.generate` and `image.edit`. Requests are
 *  paid and have no idempotency key, so a request that may have been accepted is not repeated. */
export function pictureRuns(tools: RunTools): StreamedOffer<ImageRequest, ImageEvent> {
  return streamed<ImageRequest, ImageEvent>(job => new Run(tools, job).parts(), {
    follows: ['series', 'watermark', 'guidance', 'webSearch', 'promptMode'],
    refuses: jobFacts => refusalBy(() => planOf(jobFacts)),
  })
}

class Run {
  readonly #tools: RunTools
  readonly #job: ImageJob
  readonly #plan: Plan
  readonly #files: Picture[] = []
  readonly #refused: RefusedPicture[] = []
  readonly #usage: UsageUnits[] = []

  constructor(tools: RunTools, job: ImageJob) {
    this.#tools = tools
    this.#job = job
    this.#plan = planOf(job)
  }

  /** Yields the pictures and refusals in the order of the answers, then the outcome. Throws the
   *  errors of `submitPaid`. */
  async *parts(): AsyncGenerator<Part> {
    for (let index = 0; index < this.#plan.requests; index++) {
      const failure = yield* this.#request(index)
      if (failure !== undefined) return yield { type: 'outcome', outcome: failure }
    }
    yield { type: 'outcome', outcome: this.#outcome() }
  }

  /** Sends one request. When the rate limit refuses the first request, the error is thrown,
   *  because another target may be free. A later request waits and is sent again, because the
   *  job would otherwise start anew and draw its first pictures a second time. */
  async *#request(index: number): Parts<Part, Failed | undefined> {
    const waits = index === 0 ? [] : this.#tools.retryAfterMs
    for (let tries = 0; ; tries++) {
      try {
        return yield* this.#submit(index)
      } catch (error) {
        const waitMs = waits[tries]
        if (waitMs === undefined || !isKeptOut(error)) return yield* this.#refusal(error, index)
        const { retryAfterSeconds } = error
        // An abort of the job ends the wait; the next try then reports the abort without sending
        // anything.
        await wait(retryAfterSeconds === undefined ? waitMs : retryAfterSeconds * 1000, this.#job.signal, 'Stopped.').catch(() => {})
      }
    }
  }

  #submit(index: number): Parts<Part, Failed | undefined> {
    const job = this.#job
    const { fields, seed } = this.#plan
    const files = new FilesInJson()
    const [image, ...further] = job.inputs.map(input => files.dataUrl(input))
    const body = files.body({
      ...defined({ seed: seed === undefined ? undefined : Number(seed) + index }),
      ...fields,
      ...defined({ image: image !== undefined && further.length > 0 ? [image, ...further] : image }),
    })
    return submitPaidInParts({
      ...{ submits: this.#tools.submits, job, target: settings.targetOf(job.settings), path: '/images/generations', body, owner },
      read: answer => this.#read(answer),
    })
  }

  /** Reads the answer. From here on the vendor may charge for the request. So a picture that cannot
   *  be used becomes `failedAfterPay`, after which the request is not sent again. */
  async *#read(answer: UpstreamAnswer): Parts<Part, Failed | undefined> {
    const { secrets } = settings.targetOf(this.#job.settings).upstream
    const before = this.#place
    let given = 0
    for await (const reported of answerParts(answer, this.#plan.mostEach, secrets)) {
      if (reported.type === 'end') {
        this.#usage.push(...reported.usage)
        const isEmpty = this.#place === before
        const failure = reported.failure ?? (isEmpty ? failed('upstream_error', `${owner} gave no picture.`) : undefined)
        // The vendor charges only for the pictures that it made. So a failure may be charged in two
        // cases: the vendor reports more pictures than were received, or it reports no number and
        // the answer has neither a picture nor a failure.
        const mayOwe = reported.made === undefined ? isEmpty && reported.failure === undefined : reported.made > given
        return failure && mayOwe ? { ...failure, mayBeCharged: true } : failure
      }
      if (reported.type === 'refused') yield this.#refuse(reported.reasons)
      else {
        const file = await this.#fetch(reported.url)
        if ('state' in file) return file
        given++
        this.#files.push(file)
        yield { type: 'file', file }
      }
    }
    return undefined
  }

  async #fetch(url: string | undefined): Promise<Picture | Failed> {
    if (url === undefined) return failedAfterPay('upstream_error', `${owner} says that a picture is there and does not link to it.`)
    const { guard, inspection } = this.#tools
    const { origin, route } = settings.targetOf(this.#job.settings).upstream
    const name = `picture-${this.#place}`
    return fetchOnlyPicture({ guard, inspection, job: this.#job, origin, route, owner, maxBytes: maxPictureBytes, name }, url)
  }

  /** Handles the error of one of the job's requests. When the job has several requests, a finished
   *  picture that moderation withheld becomes a part of the result. Any other refusal by moderation
   *  ends the job as failed. Other errors of the first request are thrown, and so is every
   *  `outcome_unknown`. Other errors of later requests end the job as failed, because a thrown
   *  error would start the run again. */
  *#refusal(error: unknown, index: number): Generator<Part, Failed | undefined> {
    const review = reviewIn(error)
    if (review?.code === 'content_moderated' && this.#plan.requests > 1) {
      yield this.#refuse(review.reasons)
      return undefined
    }
    if (review) return failed(review.code, reviewSays(review.code), review.reasons)
    const named = refusalNamed(words, error, this.#job.request)
    if (index === 0 || !(named instanceof GatewayError) || named.code === 'outcome_unknown') throw named
    return failed(named.code, named.message)
  }

  /** Returns the number of the next picture. Pictures are numbered in the order of the answers; the
   *  vendor's own numbers are ignored. */
  get #place(): number {
    return this.#files.length + this.#refused.length
  }

  #refuse(reasons: string[]): Part {
    const refused = { picture: this.#place, reasons }
    this.#refused.push(refused)
    return { type: 'event', event: { type: 'refused', ...refused } }
  }

  #outcome(): Outcome {
    if (this.#files.length > 0) return { ...doneWithPictures(this.#files, this.#report(this.#files), summed(this.#usage)), files: [] }
    return failed('content_moderated', `${owner} withheld every picture.`, [...new Set(this.#refused.flatMap(({ reasons }) => reasons))])
  }

  #report([first]: readonly Picture[]): ImageResult {
    const { seed, prompt } = this.#job.request
    const { missed, fields } = this.#plan
    const size = typeof fields.size === 'string' ? fields.size : undefined
    const notFollowed = [...missed, ...(first ? sizeMissed(this.#job, size, first) : [])]
    return {
      ...{ seed, prompt, notDrawn: [] },
      ...(notFollowed.length > 0 ? { notFollowed } : {}),
      ...(this.#refused.length > 0 ? { refused: this.#refused } : {}),
    }
  }
}

function isKeptOut(error: unknown): error is GatewayError {
  return error instanceof GatewayError && (error.code === 'rate_limited' || error.code === 'overloaded')
}

function summed(usage: readonly UsageUnits[]): UsageUnits[] {
  const sums = new Map<string, number>()
  for (const { unit, units } of usage) sums.set(unit, (sums.get(unit) ?? 0) + units)
  return Array.from(sums, ([unit, units]) => ({ unit, units }))
}
