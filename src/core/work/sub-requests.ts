/** Sub-requests: work that a running job needs from other models. It runs on the targets of
 *  those models, but within the run and the scratch folder of the job. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type Capability, capabilities, type EventOf } from '@generation-gateway/kit/requests/capabilities.ts'
import { TextOutput } from '@generation-gateway/kit/requests/conversation/text-output.ts'
import type { Done, Job, Offer, OutputFile, RunSubRequest, SubRequest } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent } from '@generation-gateway/kit/requests/text.ts'
import type { CatalogueModel } from '../routing/catalogue.ts'
import type { Route } from '../routing/router.ts'
import { TargetTries, type TargetUse, tryTargets } from '../routing/try-targets.ts'
import { execute } from './execute.ts'
import type { WorkerDeps } from './worker-deps.ts'

type SubRequestDeps = Pick<WorkerDeps, 'catalogue' | 'router' | 'polls'>
type ParentJob = Pick<Job<JsonObject>, 'id' | 'account' | 'key' | 'request' | 'scratch' | 'signal'>

/** Returns the function with which one job runs sub-requests. Their folders are in the folder of
 *  the job, and they send upstreams the same hop count (number of gateways passed) as the job. */
export function createSubRequests(deps: SubRequestDeps, job: ParentJob): RunSubRequest {
  let count = 0
  return async requested => {
    const model = modelFor(deps, requested)
    if (!model) return undefined
    count += 1
    const part: SubRequestRun = { ...requested, name: `help-${count}`, job }
    return { ...(await runFirst(deps, model, part)), model: model.id }
  }
}

interface SubRequestRun extends SubRequest<Capability> {
  /** Name of the sub-request. It is the name of the sub-request's folder; added to the id of the
   *  job, it forms the id of the sub-request. */
  name: string
  job: ParentJob
}

function modelFor(
  { catalogue, router }: SubRequestDeps,
  { capability, model: wanted }: SubRequest<Capability>,
): CatalogueModel | undefined {
  const able = catalogue()
    .all()
    .filter(model => model.capability === capability)
  if (typeof wanted === 'string') {
    const isConfigured = wanted === 'configured'
    return able.find(model => (model.source === 'yaml') === isConfigured && router.reasonAgainst(model) === undefined)
  }
  const named = able.find(({ id }) => id === wanted.id)
  if (named) return named
  throw new GatewayError('model_not_found', `There is no model ${wanted.id} of ${capability} in the catalogue.`)
}

/** Tries the targets in order until one accepts the sub-request. */
async function runFirst(deps: SubRequestDeps, model: CatalogueModel, part: SubRequestRun): Promise<Done> {
  const { capability, job, signal: own } = part
  const signal = own ? AbortSignal.any([job.signal, own]) : job.signal
  const hops = typeof job.request.hops === 'number' ? { hops: job.request.hops } : {}
  // The cast is safe: the request is plain JSON. TypeScript cannot infer this from the union of all
  // request types.
  const request = { ...part.request, ...hops } as JsonObject
  const routes = deps.router.callRoutes(model, capability, { request, inputs: [] })
  await mkdir(join(job.scratch, part.name), { recursive: true })
  using tries = new TargetTries(
    routes.map(route => ({ route })),
    { access: deps.router, failover: capabilities[capability].failover },
  )
  const run = (use: TargetUse): Promise<Done> =>
    use.run({ account: job.account, signal }, async () => {
      const done = await runOn(deps, use.route, { ...part, request, signal })
      use.succeeded()
      return done
    })
  try {
    return await tryTargets(tries, { signal, run })
  } catch (error) {
    signal.throwIfAborted()
    throw toGatewayError(error)
  }
}

async function runOn(
  { polls }: SubRequestDeps,
  { driver, target }: Route,
  { capability, request, name, signal, job }: Omit<SubRequestRun, 'request'> & { request: JsonObject; signal: AbortSignal },
): Promise<Done> {
  // The cast is safe: the signature of `RunSubRequest` ensures that the request belongs to this
  // capability.
  const offer = driver.offers[capability] as Offer<JsonObject, EventOf<Capability>> | undefined
  if (!offer) throw new GatewayError('capability_unavailable', `${target.id} does not offer ${capability}.`)
  const { model, settings } = target
  const { id, scratch } = { id: `${job.id}-${name}`, scratch: join(job.scratch, name) }
  const text = capability === 'text.respond' ? new TextOutput() : undefined
  const files: OutputFile[] = []
  const outcome = await execute(
    offer,
    { id, account: job.account, key: job.key, request, inputs: [], scratch, model, settings, attempt: 1, signal, progress: () => {} },
    {
      saveHandle: async () => true,
      onPart: part => {
        // The cast is safe: `text` is set only for conversations, whose events are text events.
        if (part.type === 'event') text?.add(part.event as TextEvent)
        return undefined
      },
      addFile: async file => void files.push(file),
      onStopped: () => {},
      onCancelFailed: () => {},
      polls,
      targetId: target.id,
    },
  )
  if (outcome.state === 'failed') throw new GatewayError(outcome.code, outcome.message, { reasons: outcome.reasons ?? [] })
  return { ...outcome, files: [...files, ...outcome.files], report: { ...outcome.report, ...(text ? { output: text.items() } : {}) } }
}
