/** The sounds and videos of a task at the length they really have. Submits go by headers, which may say anything; runs do not (docs/decisions/0031). */
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

/** Programs that measure at a time. */
const programs = new FairQueue({ places: Math.max(2, availableParallelism()) })
/** Encoders add or cut so much, seconds: a length within it is outside no limit, and a header that says so little more is right. */
const tolerance = 0.25
/** A header that says so much less is right, too. */
const leastTold = 0.05

/** The job with the measured length of each sound and video in the place of the one that its header tells, and the hold of the task raised to what that may count.
 *  Throws `invalid_request` for a file whose length is outside the limits of its operation, `quota_exceeded` when a quota has no room for the real length, `conflict` when the lease is lost, and what `measureLength` throws. */
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
  // The notes of a MIDI file are read for its header already.
  if (!/^(audio|video)\//.test(mediaType) || mediaType === 'audio/midi') return input
  const track = task.capability.startsWith('video.') ? 'picture' : 'sound'
  const mostSeconds = most === undefined ? {} : { mostSeconds: most + 2 * tolerance }
  const seconds = await lengthOf(path, { track, signal, ...mostSeconds }, task.accountId)
  // What ffmpeg cannot read is for the target to judge.
  if (seconds === undefined) return input
  const says = (limit: string): GatewayError =>
    // The roles of inputs are names of fields.
    new GatewayError('invalid_request', about(role as FieldName, limit), { field: role })
  if (most !== undefined && seconds > most + tolerance) throw says(`lasts more than ${most} s, whatever its header says.`)
  if (seconds < least - tolerance) throw says(`lasts ${Math.round(seconds * 1000) / 1000} s; it has to last at least ${least} s.`)
  const { durationSeconds: told = 0 } = input
  const isRight = seconds <= told + leastTold && seconds >= told - tolerance
  return isRight ? input : { ...input, durationSeconds: seconds }
}

async function lengthOf(path: string, options: MeasureOptions, account: string): Promise<number | undefined> {
  using _place = await programs.take({ account, signal: options.signal })
  return await measureLength(path, options)
}

/** A hold is never smaller than what the end may count. */
async function holdEnough(
  { store, clock }: Pick<WorkerDeps, 'store' | 'clock'>,
  claim: Claim,
  { request, inputs }: Pick<Job<JsonObject>, 'request' | 'inputs'>,
): Promise<void> {
  const { task, token, hold } = claim
  if (!hold) return
  // The stored request is what the family of this very capability made.
  const expected = expectedUnits(task.capability, request as never, inputs)
  if (expected.every(({ unit, units }) => units <= (hold.lines.find(line => line.unit === unit)?.units ?? 0))) return
  const lines = larger(hold.price, hold.lines, expected)
  const outcome = await store.growHold(task.id, token, lines)
  if (outcome === 'lost') throw new GatewayError('conflict', 'The lease was lost.')
  if (outcome !== 'held') throw quotaExceeded(outcome, clock.now())
  claim.hold = { ...hold, lines }
}
