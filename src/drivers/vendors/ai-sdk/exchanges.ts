/** Lets one run of the driver use a provider package, whose code may run in a separate process.
 *  When the run ends, unfinished requests of the package are aborted. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { DriverTools } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, parsedJson } from '@generation-gateway/kit/json.ts'
import type { TextItem, TextPart, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import type { CallSlots } from './call-slots.ts'
import type { ProviderPackages } from './packages.ts'
import type { ModelRequest } from './process/messages.ts'
import type { PackageHost } from './process/package-processes.ts'
import { type RemoteModel, RemoteUse } from './process/remote-use.ts'
import type { ModelKind } from './provider-model.ts'
import { type ExchangeSettings, type ServiceConnections, ServiceExchange, stopped } from './service-exchange.ts'
import { settings, type TargetFacts } from './settings.ts'

export interface RunTools {
  packages: ProviderPackages
  /** Runs the packages: in processes of their own or, for tests, in this process. */
  host: PackageHost
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
  /** Largest total size in bytes of the answers that one run holds in memory. */
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
  /** Creates the target's model of this kind, in the process of the package. Throws
   *  `capability_unavailable` when the package has no such model in a supported version, and the
   *  errors of the package. */
  model(kind: ModelKind, members: ModelRequest['members']): Promise<RemoteModel>
  /** Fires when the job is aborted, and when the package is closed at the end of the run. */
  signal: AbortSignal
  /** Returns the result of the package's work. Throws the abort reason as soon as the signal fires.
   *  Throws `upstream_timeout` when the package does not finish although it waits for no
   *  request. */
  wait<Result>(work: Promise<Result>): Promise<Result>
  /** Like `wait`, but allows the package to pause between two polls. The package's process is still
   *  ended when it does not react. */
  waitLong<Result>(work: Promise<Result>): Promise<Result>
}

const longestRemark = 300
const mostRemarks = 20

/** Opens a package for one run of the driver, calls `work` with it and closes it. Throws
 *  `capability_unavailable` when the package cannot be used. An error of `work` is passed to
 *  `failed`, which returns a result or throws. */
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

/** Opens a package for one run of the driver. Disposing of the returned object closes it. Throws
 *  `capability_unavailable` when the package cannot be used. */
export async function openUse(
  { packages, connections, host }: RunTools,
  { facts, model, signal: outer, maxBytes, standIns, isStreamed, mayRepeat, origin }: ModelUseOptions,
): Promise<ModelUse & Disposable> {
  const { package: name, factory } = facts
  const known = packages.problemOf(facts)
  if (known !== undefined) throw new GatewayError('capability_unavailable', known)
  const end = new AbortController()
  const signal = AbortSignal.any([outer, end.signal])
  const { baseOrigin, apiHosts, waits, upstream } = facts
  const { route, totalMs } = upstream
  const limits = { waits, route, totalMs, maxBytes, ...defined({ standIns, isStreamed, mayRepeat }) }
  const exchange = new ServiceExchange({ connections, origin: baseOrigin ?? origin, apiHosts, signal, ...limits })
  const remote = new RemoteUse(host, name, exchange)
  const waiting = { exchange, facts, signal, check: () => host.check(name) }
  const wait = <Result>(work: Promise<Result>) => unlessSilent(work, { ...waiting, mayPause: false })
  const waitLong = <Result>(work: Promise<Result>) => unlessSilent(work, { ...waiting, mayPause: true })
  const dispose = () => {
    end.abort()
    remote[Symbol.dispose]()
  }
  try {
    const problem = await wait(remote.open({ package: name, factory, options: facts.factoryOptions }))
    if (problem !== undefined) {
      packages.keepProblem(facts, problem)
      throw new GatewayError('capability_unavailable', problem)
    }
  } catch (error) {
    dispose()
    // `wait` throws the reason of the job's signal, which may be any value. It is replaced by the
    // error of a stopped run.
    throw outer.aborted ? stopped() : error
  }
  const modelOf: ModelUse['model'] = (kind, members) => remote.model({ model, kind, members })
  return { exchange, model: modelOf, signal, wait, waitLong, [Symbol.dispose]: dispose }
}

interface Waiting {
  exchange: ServiceExchange
  facts: TargetFacts
  signal: AbortSignal
  /** Ends the process of the package when it does not react. */
  check(): void
  /** True when the package may pause for any time, as long as its process reacts. */
  mayPause: boolean
}

/** Returns the result of `work`. Checks regularly whether the package is making progress; the
 *  interval is the longest wait for a first byte. Between two checks, a request must have begun or
 *  ended, or a part of an answer must have arrived or been read; otherwise throws
 *  `upstream_timeout`. With `mayPause`, and while a request is in progress, nothing is thrown: a
 *  request has time limits of its own. */
async function unlessSilent<Result>(work: Promise<Result>, { exchange, facts, signal, check, mayPause }: Waiting): Promise<Result> {
  const { firstByteMs } = facts.waits
  const silence = new AbortController()
  let steps = exchange.steps
  const timer = setInterval(() => {
    if (exchange.isBusy) return
    check()
    const isSilent = exchange.steps === steps
    steps = exchange.steps
    if (mayPause || !isSilent) return
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
async function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
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
  request: MediaRequest | TextRequest
}

/** A request for pictures or videos. */
interface MediaRequest {
  prompt: string
  negativePrompt?: string
  shots?: { prompt: string }[]
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

/** Returns the caller's texts, which no log may contain. The longest comes first, because a text
 *  may contain a shorter one. */
function textsOf(request: ReportSource['request']): string[] {
  const texts = 'prompt' in request ? wordsOf(request) : conversationTexts(request)
  return texts.toSorted((a, b) => b.length - a.length)
}

function wordsOf({ prompt, negativePrompt, shots = [] }: MediaRequest): string[] {
  return [prompt, ...(negativePrompt === undefined ? [] : [negativePrompt]), ...shots.map(shot => shot.prompt)]
}

function conversationTexts({ items, tools, format }: TextRequest): string[] {
  const said = items.flatMap(saidIn)
  const described = [...tools, format].flatMap(each => ('description' in each && each.description ? [each.description] : []))
  return [...said.flatMap(part => (typeof part === 'string' ? part : 'text' in part ? part.text : [])), ...described]
}

function saidIn(item: TextItem): (string | TextPart)[] {
  switch (item.type) {
    case 'message':
      return item.parts
    case 'call':
      return [item.input, ...stringsIn(parsedJson(item.input))]
    case 'result':
      return [item.output].flat()
    case 'reasoning':
      return [...item.summary, ...item.content]
  }
}

/** Returns the strings that are values in this JSON, at any depth. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'an error without a message'
}
