/** Runs one use of a provider package: creates the factory of the package's models and the `fetch`
 *  that the package receives. At the end, requests that still run are aborted. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { DriverTools } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextPart, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import type { CallSlots } from './call-slots.ts'
import type { ProviderPackages } from './packages.ts'
import type { ModelSource } from './provider-model.ts'
import { type ExchangeSettings, type ServiceConnections, ServiceExchange, stopped } from './service-fetch.ts'
import { settings, type TargetFacts } from './settings.ts'

export interface RunTools {
  packages: ProviderPackages
  connections: ServiceConnections
  log: DriverTools['log']
  inspection: DriverTools['inspection']
  /** Limits how many runs hold files in memory at the same time. */
  places: CallSlots
}

interface ModelUseOptions {
  facts: TargetFacts
  model: string
  signal: AbortSignal
  /** Largest size in bytes of all answers of one use that are held in memory, together. */
  maxBytes: number
  standIns?: ExchangeSettings['standIns']
  isStreamed?: ExchangeSettings['isStreamed']
  mayRepeat?: ExchangeSettings['mayRepeat']
  /** Origin of the service when the settings do not state it; undefined means the origin of the
   *  first request. */
  origin?: string | undefined
}

export interface ModelUse {
  exchange: ServiceExchange
  source: ModelSource
  /** Fires when the job is aborted, and at the end of the use. */
  signal: AbortSignal
  /** Returns the result of the package's work. Throws the abort reason as soon as the signal fires,
   *  and `upstream_timeout` for a package that neither ends its work nor waits for its service. */
  wait<Result>(work: Promise<Result> | Result): Promise<Result>
}

const longestRemark = 300
const mostRemarks = 20

/** Runs `work` with a factory whose `fetch` is the gateway's own. Throws `capability_unavailable`
 *  when the package cannot be used. An error of `work` is passed to `failed`, which returns a
 *  result or throws. */
export async function useModel<Result>(
  tools: RunTools,
  options: ModelUseOptions,
  { work, failed }: { work(used: ModelUse): Promise<Result>; failed(error: unknown, exchange: ServiceExchange): Promise<Result> | Result },
): Promise<Result> {
  using used = await openUse(tools, options)
  try {
    return await work(used)
  } catch (error) {
    return await failed(error, used.exchange)
  }
}

/** Returns a use of a model that ends when it is disposed of. Throws `capability_unavailable` when
 *  the package cannot be used. */
export async function openUse(
  { packages, connections }: RunTools,
  { facts, model, signal: outer, maxBytes, standIns, isStreamed, mayRepeat, origin }: ModelUseOptions,
): Promise<ModelUse & Disposable> {
  const end = new AbortController()
  const signal = AbortSignal.any([outer, end.signal])
  const { baseOrigin, apiHosts, waits, upstream } = facts
  const { route, totalMs } = upstream
  const limits = { waits, route, totalMs, maxBytes, ...defined({ standIns, isStreamed, mayRepeat }) }
  const exchange = new ServiceExchange({ connections, origin: baseOrigin ?? origin, apiHosts, signal, ...limits })
  const wait = <Result>(work: Promise<Result> | Result) => unlessSilent(Promise.resolve(work), { exchange, facts, signal })
  // `wait` throws the reason of the job's signal, which may be any value. Callers get the error of
  // a stopped run in its place.
  const factory = await wait(packages.factoryOf(facts)).catch(error => {
    throw outer.aborted ? stopped() : error
  })
  const options = { ...facts.factoryOptions, fetch: exchange.fetch }
  const source = { package: facts.package, model, factory, options }
  return { exchange, source, signal, wait, [Symbol.dispose]: () => end.abort() }
}

/** Returns the result of `work`. Throws `upstream_timeout` when the package has no request in
 *  progress at the end of the time limit for a first byte. While a request is in progress, its
 *  own time limits apply. */
async function unlessSilent<Result>(
  work: Promise<Result>,
  { exchange, facts, signal }: { exchange: ServiceExchange; facts: TargetFacts; signal: AbortSignal },
): Promise<Result> {
  const { firstByteMs } = facts.waits
  const silence = new AbortController()
  const timer = setInterval(() => {
    if (exchange.isBusy) return
    const says = `The package ${facts.package} gave no answer, and sent no request to its service, for ${firstByteMs / 1000} s.`
    silence.abort(new GatewayError('upstream_timeout', says))
  }, firstByteMs)
  try {
    return await unlessCancelled(work, AbortSignal.any([signal, silence.signal]))
  } finally {
    clearInterval(timer)
  }
}

/** Returns the result of `work`, but throws the abort reason as soon as the signal fires: some
 *  packages ignore the signal while they wait between two polls. */
export async function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = Promise.withResolvers<never>()
  const leave = () => left.reject(signal.reason)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  try {
    return await Promise.race([work, left.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

interface ReportSource {
  settings: JsonObject
  model: string
  request: { prompt: string } | TextRequest
}

/** Logs the warnings of a package for the operator, without the caller's texts and without
 *  secrets. */
export function report({ log }: RunTools, { settings: given, request, model }: ReportSource, remarks: readonly string[]): void {
  const { package: name, secrets } = settings.targetOf(given)
  for (const remark of remarks.slice(0, mostRemarks)) {
    const says = withoutSecrets(remark, [...textsOf(request), ...secrets])
    log.warn({ package: name, model, says: says.slice(0, longestRemark) }, 'a provider package had something to say')
  }
}

/** Returns the caller's texts, which no log may contain. */
function textsOf(request: ReportSource['request']): string[] {
  if ('prompt' in request) return [request.prompt]
  const parts = request.items.flatMap((item): (string | TextPart)[] =>
    item.type === 'message' ? item.parts : item.type === 'result' ? [item.output].flat() : [],
  )
  return parts.flatMap(part => (typeof part === 'string' ? part : 'text' in part ? part.text : []))
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'an error without a message'
}
