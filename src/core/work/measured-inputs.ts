/** Replaces the lengths of a task's sounds and videos by measured ones. When a task is
 *  submitted, the lengths in the headers of the files are used; they may be false, so they are
 *  measured before the task runs (docs/decisions/0031). */
import { availableParallelism } from 'node:os'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type MeasureOptions, measureLength } from '@generation-gateway/kit/media/media-length.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import { expectedUnits } from '@generation-gateway/kit/requests/capabilities.ts'
import { about, type FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import { quotaExceeded } from '../ledger/quota-error.ts'
import type { Claim } from '../ports/store.ts'
import { larger } from '../records/ledger.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Limits the number of programs that measure files at the same time, and of those that are paused
 *  in favour of other accounts. */
const programs = new FairQueue({ places: Math.max(2, availableParallelism()), paused: 8 })
/** Tolerance in seconds for two comparisons: a measured length may be outside a limit by this
 *  much, and the header may state a length that is longer than the measured one by this much.
 *  Encoders add or cut a little sound. */
const tolerance = 0.25
/** Largest accepted difference in seconds when the header states a shorter length than the
 *  measured one. */
const shortestReported = 0.05

/** Returns the job with measured lengths of all sounds and videos instead of those in their
 *  headers. First raises the hold of the task to the amounts that may be charged for these
 *  lengths. Throws `invalid_request` for a file whose length is outside the limits of its
 *  operation, `quota_exceeded` when a quota has too little left for the measured length,
 *  `conflict` when the lease is lost, and the errors of `measureLength`. */
export async function withMeasuredInputs(
  deps: Pick<WorkerDeps, 'store' | 'clock'>,
  claim: Claim,
  job: Job<JsonObject>,
): Promise<Job<JsonObject>> {
  const inputs = await Promise.all(job.inputs.map(input => measured(claim, input, job.signal)))
  if (inputs.every((input, index) => input === job.inputs[index])) return job
  await holdEnough(deps, claim, { request: job.request, inputs })
  return { ...job, inputs }
}

async function measured({ task }: Claim, input: InputFile, signal: AbortSignal): Promise<InputFile> {
  const { mediaType, role, path, lengthLimits = {} } = input
  const { least = 0, most } = lengthLimits
  // Only sounds and videos are measured. The length of a MIDI file is exact already, because it was
  // computed from the notes when the file was received.
  if (!/^(audio|video)\//.test(mediaType) || mediaType === 'audio/midi') return input
  const track = task.capability.startsWith('video.') ? 'picture' : 'sound'
  const mostSeconds = most === undefined ? {} : { mostSeconds: most + 2 * tolerance }
  // The cast is safe: the role of an input is the name of the field that contained it.
  const field = role as FieldName
  const seconds = await lengthOf(path, { track, signal, field, ...mostSeconds }, task.accountId)
  // ffmpeg cannot read this file. The target decides whether it accepts the file.
  if (seconds === undefined) return input
  const says = (limit: string): GatewayError => new GatewayError('invalid_request', about(field, limit), { field })
  if (most !== undefined && seconds > most + tolerance) throw says(`lasts more than ${most} s, whatever its header says.`)
  if (seconds < least - tolerance) throw says(`lasts ${Math.round(seconds * 1000) / 1000} s; it has to last at least ${least} s.`)
  const { durationSeconds: reported = 0 } = input
  const isRight = seconds <= reported + shortestReported && seconds >= reported - tolerance
  return isRight ? input : { ...input, durationSeconds: seconds }
}

async function lengthOf(path: string, options: MeasureOptions, account: string): Promise<number | undefined> {
  using place = await programs.take({ account, signal: options.signal })
  return await measureLength(path, { ...options, giveWay: place.giveWay })
}

/** Raises the amount held for the task in the quotas, so that it covers all units that may be
 *  charged when the task settles. */
async function holdEnough(
  { store, clock }: Pick<WorkerDeps, 'store' | 'clock'>,
  claim: Claim,
  { request, inputs }: Pick<Job<JsonObject>, 'request' | 'inputs'>,
): Promise<void> {
  const { task, token, hold } = claim
  if (!hold) return
  // The cast is safe: the family made the stored request for this capability.
  const expected = expectedUnits(task.capability, request as never, inputs)
  if (expected.every(({ unit, units }) => units <= (hold.lines.find(line => line.unit === unit)?.units ?? 0))) return
  const lines = larger(hold.price, hold.lines, expected)
  const outcome = await store.growHold(task.id, token, lines)
  if (outcome === 'lost') throw new GatewayError('conflict', 'The lease was lost.')
  if (outcome !== 'held') throw quotaExceeded(outcome, clock.now())
  claim.hold = { ...hold, lines }
}
