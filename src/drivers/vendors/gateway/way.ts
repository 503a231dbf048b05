/** A way to another gateway: one of its families, and how a neutral request is put to it. */
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import type { AskedJob, Job } from '@generation-gateway/kit/requests/job.ts'
import type { ImageWords } from '../../shared/image/image-words.ts'
import { refused } from '../../shared/refusal.ts'
import type { SentBody } from '../../shared/upstream/sent-body.ts'
import { servedBy } from './own-models.ts'
import type { ImageFamily } from './settings.ts'

export type AnyImageRequest = ImageGenerateRequest | ImageEditRequest | ImageUpscaleRequest

export interface Way<Request> {
  family: ImageFamily
  /** Its submit there, with `{endpoint}`. */
  path: string
  /** What it calls the fields of the request. */
  words: ImageWords
  /** Member of the submit's answer that names the task. */
  idIn: 'id' | 'taskId'
  /** A submit is answered only when the task has ended. */
  answersLate?: true
  /** Its jobs can be gone on from: what is kept of them with their pictures. */
  continues?: true
  /** Extras of the capability that it has a field for, with models of this group. */
  follows(group: string | undefined): readonly FieldName[]
  /** Throws a `RefusedError` for what the request alone tells, and it has no field for. */
  check(asked: AskedJob<Request>): void
  /** The body of the submit. Throws like `check`, also for what the inputs tell. */
  body(job: Job<Request>): SentBody
}

/** What refusals speak of: `another gateway (F2)`. */
export function whoOf(family: string): string {
  return `another gateway (${family})`
}

/** The group of the target's model there. */
export function groupOf(asked: Pick<AskedJob<unknown>, 'model' | 'settings'>): string | undefined {
  return servedBy(asked).group
}

/** What the caller gave the size by; an upscale has none. */
export function sizeAsked(request: AnyImageRequest): Pick<ImageEditRequest, 'width' | 'aspectRatio'> {
  return 'factor' in request ? {} : request
}

/** What F1 has fields for and the others do not. */
export function refuseFineControl(
  family: ImageFamily,
  { expandPrompt, safetyTolerance }: Pick<ImageGenerateRequest, 'safetyTolerance'> & { expandPrompt?: boolean },
): void {
  if (expandPrompt) throw refused('expandPrompt', `${whoOf(family)} has no such thing.`)
  if (safetyTolerance !== usualTolerance)
    throw refused('safetyTolerance', `${whoOf(family)} draws with ${usualTolerance}, not ${safetyTolerance}.`)
}

/** Of all families but F1. */
const usualTolerance = 2
