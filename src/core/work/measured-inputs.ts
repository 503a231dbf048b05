/** Replaces the lengths of a task's sounds and videos by measured ones. Submits trust file
 *  headers, which may be false; runs do not (docs/decisions/0031). */
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

/** Limits the number of measuring programs that run at a time. */
const programs = new FairQueue({ places: Math.max(2, availableParallelism()) })
/** Seconds that encoders add or cut: a length this far outside a limit is accepted, and so is a
 *  header that exceeds the measured length by this much. */
const tolerance = 0.25
/** Seconds: a header that falls short of the measured length by this much is accepted, too. */
const shortestReported = 0.05

/** Returns the job with measured lengths of all sounds and videos in place of those in their
 *  headers, after raising the hold of the task to the units they may count.
 *  Throws `invalid_request` for a file whose length is outside the limits of its operation,
 *  `quota_exceeded` when a quota has no room for the measured length, `conflict` when the lease
 *  is lost, and the errors of `measureLength`. */
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
  // The header of a MIDI file is derived from its notes already.
  if (!/^(audio|video)\//.test(mediaType) || mediaType === 'audio/midi') return input
  const track = task.capability.startsWith('video.') ? 'picture' : 'sound'
  const mostSeconds = most === undefined ? {} : { mostSeconds: most + 2 * tolerance }
  const seconds = await lengthOf(path, { track, signal, ...mostSeconds }, task.accountId)
  // A file that ffmpeg cannot read is left for the target to judge.
  if (seconds === undefined) return input
  const says = (limit: string): GatewayError =>
    // The roles of inputs are names of fields.
    new GatewayError('invalid_request', about(role as FieldName, limit), { field: role })
  if (most !== undefined && seconds > most + tolerance) throw says(`lasts more than ${most} s, whatever its header says.`)
  if (seconds < least - tolerance) throw says(`lasts ${Math.round(seconds * 1000) / 1000} s; it has to last at least ${least} s.`)
  const { durationSeconds: reported = 0 } = input
  const isRight = seconds <= reported + shortestReported && seconds >= reported - tolerance
  return isRight ? input : { ...input, durationSeconds: seconds }
}

async function lengthOf(path: string, options: MeasureOptions, account: string): Promise<number | undefined> {
  using _place = await programs.take({ account, signal: options.signal })
  return await measureLength(path, options)
}

/** A hold is never smaller than the units the settlement may count. */
async function holdEnough(
  { store, clock }: Pick<WorkerDeps, 'store' | 'clock'>,
  claim: Claim,
  { request, inputs }: Pick<Job<JsonObject>, 'request' | 'inputs'>,
): Promise<void> {
  const { task, token, hold } = claim
  if (!hold) return
  // The stored request was made by the family of this very capability.
  const expected = expectedUnits(task.capability, request as never, inputs)
  if (expected.every(({ unit, units }) => units <= (hold.lines.find(line => line.unit === unit)?.units ?? 0))) return
  const lines = larger(hold.price, hold.lines, expected)
  const outcome = await store.growHold(task.id, token, lines)
  if (outcome === 'lost') throw new GatewayError('conflict', 'The lease was lost.')
  if (outcome !== 'held') throw quotaExceeded(outcome, clock.now())
  claim.hold = { ...hold, lines }
}
