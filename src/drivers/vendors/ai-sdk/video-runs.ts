/** Creates videos with a provider package. Each job calls the model exactly once, because every
 *  call is paid. A package with `doStart` starts the video, which is then polled. With any other
 *  package the job is one long call. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Outcome, PolledOffer, Running, Started } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { isLinkGone } from '../../shared/output/fetch-output.ts'
import { pollAndFetch } from '../../shared/output/poll-and-fetch.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { beforeSubmit } from '../../shared/upstream/before-submit.ts'
import { goneIn, isTaskGoneInWords } from '../../shared/upstream/gone-task.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { maxVideoBytes } from '../../shared/video/video-file.ts'
import type { VideoJob } from '../../shared/video/video-job.ts'
import { type ModelUse, messageOf, type RunTools, report, useModel } from './exchanges.ts'
import { type FailedRun, failureOf, isFinal, passingFailure, pollFailureOf, refusalOf } from './failures.ts'
import { hidden, shown } from './hidden-secrets.ts'
import { settings, type TargetFacts } from './settings.ts'
import { StandIns } from './stand-ins.ts'
import { longestHandle, operationIn, type PackageWarnings, statusIn, videosIn, warningsOf } from './video-answer.ts'
import { callOf, refuseCount, refuseUnsupportedByAll } from './video-call.ts'
import { doneWithVideos, type VideoOutcome } from './video-files.ts'
import { type VideoModel, videoModelOf } from './video-model.ts'

/** Largest size in bytes of all answers of one run together, not counting the videos in them, which
 *  are moved to disk. */
const maxBytes = 16 * 1024 * 1024
/** Default interval between two polls, in milliseconds; the target's own setting takes
 *  precedence. */
const pollEveryMs = 5_000
const longestReason = 300

/** Returns the offer with which the driver serves `video.generate`. Calls are paid, and the AI
 *  SDK's interface has neither an idempotency key nor a list of started videos, so a start is sent
 *  only once. The interface cannot cancel a video either. */
export function videoRuns(tools: RunTools): PolledOffer<VideoGenerateRequest> {
  return polled<VideoGenerateRequest>({
    pollEveryMs,
    refuses: jobFacts => refusalBy(() => refuseUnsupportedByAll(jobFacts)),
    // A package holds the input files in memory while it sends them, so runs with inputs wait for a
    // free place.
    start: job => (job.inputs.length > 0 ? tools.places.in(job, () => start(tools, job)) : start(tools, job)),
    check: (job, handle) => check(tools, job, handle),
  })
}

function start(tools: RunTools, job: VideoJob): Promise<Started | Outcome> {
  if (job.signal.aborted) throw new GatewayError('cancelled', 'The task was stopped before anything was sent.')
  const { model, signal } = job
  const facts = settings.targetOf(job.settings)
  const standIns = standInsOf(job)
  const run = { kind: 'video', facts, model } as const
  return useModel(
    tools,
    { facts, model, signal, maxBytes, standIns },
    {
      work: async used => {
        const filming = await videoModelOf(used, { package: facts.package, model })
        refuseCount(filming, job)
        const made = await begun(tools, job, { filming, used })
        return 'handle' in made ? made : await doneWithVideos(tools, { job, standIns, origin: used.exchange.origin }, made)
      },
      failed: (error, exchange) => {
        if (!(error instanceof GatewayError)) report(tools, job, [messageOf(error)])
        if (isFinal(error) && !signal.aborted) return wordOf(error, job)
        throw failureOf(error, { ...run, exchange, isAborted: signal.aborted })
      },
    },
  )
}

/** Starts the video and returns its handle, or returns the videos when the model delivered them at
 *  once. */
async function begun(
  tools: RunTools,
  job: VideoJob,
  { filming, used }: { filming: VideoModel; used: ModelUse },
): Promise<Started | VideoOutcome> {
  const { signal, exchange, waitLong } = used
  const { secrets } = settings.targetOf(job.settings)
  const call = await beforeSubmit(() => callOf(job, signal, tools.inspection))
  const { generate, takesWebhook } = filming
  const webhook = defined({ webhookUrl: takesWebhook ? job.wakeUrl : undefined })
  const given = await waitLong(generate === undefined ? filming.start({ ...call, ...webhook }) : generate(call))
  const { leftOut, remarks }: PackageWarnings = warningsOf(given, call)
  report(tools, job, remarks)
  const shared = { leftOut, ...defined({ origin: exchange.origin }) }
  if (generate === undefined) return { state: 'started', handle: { ...shared, operation: hidden(operationIn(given), secrets) } }
  const { videos, marked, prompt } = videosIn(given)
  const links = videos.flatMap(video => ('url' in video && !video.url.startsWith('data:') ? [video.url] : []))
  const copies = job.request.watermark ? marked.slice(0, job.request.count) : []
  if (links.length < videos.length || [...links, ...copies].join().length > longestHandle) return { videos, marked, prompt, leftOut }
  // Links are stored in the handle, so that videos that were already paid for can be downloaded
  // after a restart.
  return { state: 'started', handle: { ...shared, links: hidden(links, secrets), marked: hidden(copies, secrets), prompt } }
}

function check(tools: RunTools, job: VideoJob, handle: JsonObject): Promise<Running | Outcome> {
  return handle.links === undefined ? poll(tools, job, handle) : fetchLinks(tools, job, handle)
}

async function fetchLinks(tools: RunTools, job: VideoJob, handle: JsonObject): Promise<Outcome> {
  const { secrets } = settings.targetOf(job.settings)
  const [links, marked] = [handle.links, handle.marked].map(each => textsOf(shown(each ?? [], secrets)))
  const videos = (links ?? []).map(url => ({ url }))
  const made = { videos, marked: marked ?? [], prompt: textOf(handle.prompt), leftOut: textsOf(handle.leftOut) }
  try {
    return await doneWithVideos(tools, { job, standIns: standInsOf(job), origin: textOf(handle.origin) }, made)
  } catch (error) {
    if (isLinkGone(error)) return failedAfterPay('upstream_error', 'The video of the provider package cannot be had any more.')
    throw error
  }
}

/** Polls once, and fetches the videos when they are ready. */
function poll(tools: RunTools, job: VideoJob, { operation = null, origin, leftOut }: JsonObject): Promise<Running | Outcome> {
  const { model, signal } = job
  const facts = settings.targetOf(job.settings)
  // A poll that hangs in the package is aborted after this time; the next poll may succeed.
  const pollSignal = AbortSignal.any([signal, AbortSignal.timeout(2 * facts.waits.firstByteMs)])
  const standIns = standInsOf(job)
  const place = { job, standIns, origin: facts.baseOrigin ?? textOf(origin) }
  const run = { kind: 'video', facts, model, isAborted: false } as const
  const seen = () =>
    useModel(
      tools,
      { facts, model, signal: pollSignal, maxBytes, standIns, origin: textOf(origin) },
      {
        work: async used => {
          const { exchange, signal: abortSignal, waitLong } = used
          const filming = await videoModelOf(used, { package: facts.package, model })
          const given = await waitLong(filming.status({ operation: shown(operation, facts.secrets), abortSignal }))
          const reported = statusIn(given)
          if (reported.state === 'pending') return { state: 'running', checkAfterMs: facts.video.pollMs } as const
          if (reported.state === 'error') return endedWith(reported.reason, job, { ...run, exchange })
          return { state: 'ready', output: { ...reported, leftOut: textsOf(leftOut) } } as const
        },
        failed: (error, exchange) => pollFailure(tools, job, { error, run: { ...run, exchange, isAborted: signal.aborted } }),
      },
    )
  return pollAndFetch(seen, made => doneWithVideos(tools, place, made)).finally(() => standIns.drop())
}

/** Returns the failure that the status of a video reports. Some packages report a refused poll in
 *  the same way as a failed video. In that case the error of the refusal is thrown, so that the
 *  video is polled again. */
function endedWith(reason: string, job: VideoJob, run: FailedRun): Failed {
  const passing = passingFailure(run)
  if (passing !== undefined) throw passing
  const { facts } = run
  const gone = goneVideo(run)
  if (gone) return gone
  const says = withoutSecrets(reason, [job.request.prompt, ...facts.secrets]).slice(0, longestReason)
  return lastWord(reason, says === '' ? '.' : `: ${says}`, facts)
}

function pollFailure(tools: RunTools, job: VideoJob, { error, run }: { error: unknown; run: FailedRun }): Failed {
  if (!(error instanceof GatewayError)) report(tools, job, [messageOf(error)])
  const failure = pollFailureOf(error, run)
  if (run.isAborted) throw failure
  const passing = passingFailure(run)
  if (passing !== undefined) throw passing
  if (isFinal(error)) return wordOf(error, job)
  const gone = goneVideo(run, failure)
  if (gone) return gone
  throw failure
}

/** Returns the failure when the service no longer has the video, according to its last refusal or
 *  to the answer that caused `failure`; undefined otherwise. Throws the error of `goneIn`. */
function goneVideo(run: FailedRun, failure?: GatewayError): Failed | undefined {
  const says = `The service behind ${run.facts.package} does not know the video any more.`
  return goneIn(answerBehind(refusalOf(run) ?? failure), { says, isIn: isTaskGoneInWords })
}

/** Returns the failure for an error that a package threw. The caller sees only the name of the
 *  error: its message may contain the whole answer, so the message is only logged. */
function wordOf(error: unknown, { settings: given }: VideoJob): Failed {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  return lastWord(`${name} ${message}`, /^\w{1,60}$/.test(name) ? ` (${name}).` : '.', settings.targetOf(given))
}

function lastWord(reason: string, says: string, { package: name }: TargetFacts): Failed {
  if (/moderat|safety|policy|sensitive|nsfw/i.test(reason))
    return failed('content_moderated', `The service behind ${name} withheld the video${says}`)
  return failed('upstream_error', `The service behind ${name} could not make the video${says}`)
}

function standInsOf({ scratch, request }: VideoJob): StandIns {
  return new StandIns({ folder: scratch, maxBytes: request.count * maxVideoBytes })
}
