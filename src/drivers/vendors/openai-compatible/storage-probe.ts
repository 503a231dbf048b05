/** Finds out whether a server stores responses. Many servers answer `POST /responses` without
 *  storing anything: llama.cpp, vLLM, Ollama, LM Studio. For those, the gateway stores responses
 *  itself. Requests to a server about which the probe is unsure are relayed unchanged. */
import { randomBytes } from 'node:crypto'
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { RelayOffer } from '@generation-gateway/kit/requests/relay.ts'
import type { TargetOf, TextTarget } from '../../shared/text/text-target.ts'
import type { Upstream } from '../../shared/upstream/upstream.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'

interface ProbeTools {
  upstream: Upstream
  targetOf: TargetOf
  log: { info(fields: JsonObject, message: string): void }
}

/** The known facts about a target's server. `isKeeping` is true when it stores responses, and
 *  undefined while that is unknown. */
interface KnownServer {
  isKeeping?: boolean
  asking?: Promise<boolean | undefined>
  /** Time on the clock of `performance.now()`, before which the server is not probed again. */
  askAgainAt: number
}

/** The answer to a request of the probe; `body` is its JSON, undefined when it is not JSON. */
interface ProbeAnswer {
  status: number
  body: unknown
}

const answerMs = 3_000
const maxAnswerBytes = 64 * 1024
const maxListBytes = 4 * 1024 * 1024
/** Milliseconds to wait before a server whose answers were unclear is probed again. */
const askAgainMs = 30_000
/** Some servers have the paths of stored responses, but store nothing by default: vLLM does so only
 *  with VLLM_ENABLE_RESPONSES_API_STORE. Such servers are recognized by these values of `owned_by`
 *  in their list of models. */
const forgetful = new Set<unknown>(['vllm'])

/** Returns a function that says whether a target's server stores responses. The target's settings
 *  or a probe decide. A target is probed once; after an unclear probe, it is probed again no sooner
 *  than 30 s later. The function returns a promise while the probe runs, and undefined when the
 *  last probe was unclear. */
export function createStorageProbe({ upstream, targetOf, log }: ProbeTools): NonNullable<RelayOffer['keeps']> {
  const known = new WeakMap<JsonObject, KnownServer>()
  const learn = async (target: TextTarget, entry: KnownServer): Promise<boolean | undefined> => {
    const found = await ask(upstream, target)
    delete entry.asking
    if (found === undefined) entry.askAgainAt = performance.now() + askAgainMs
    else entry.isKeeping = found
    if (found === false) log.info({ server: target.upstream.origin }, 'a server keeps no responses: they are kept here')
    return found
  }
  return settings => {
    const target = targetOf(settings)
    if (target.isStateless !== undefined || target.problem !== undefined) return target.isStateless !== true
    const entry = known.get(settings) ?? { askAgainAt: 0 }
    known.set(settings, entry)
    if (entry.isKeeping !== undefined) return entry.isKeeping
    if (performance.now() < entry.askAgainAt) return undefined
    entry.asking ??= learn(target, entry)
    return entry.asking
  }
}

/** Requests a response that does not exist. Returns true when the server stores responses, and
 *  false when it does not. Returns undefined when the answers are unclear, or come from another
 *  program, such as a proxy in front of a server that is down. */
async function ask(upstream: Upstream, target: TextTarget): Promise<boolean | undefined> {
  const made = randomBytes(24).toString('hex')
  const read = await look(upstream, target, `/responses/resp_${made}`)
  const hasPath = read && (await isPathKnown(upstream, target, { read, made }))
  if (hasPath === undefined) return undefined
  const list = await look(upstream, target, '/models', maxListBytes)
  if (!hasPath) return list?.status === 200 && isObject(list.body) ? false : undefined
  return !objectsOf(objectOf(list?.body).data).some(model => forgetful.has(model.owned_by))
}

/** Returns true when the server has a path for stored responses; undefined when this is unclear. A
 *  server without such a path answers a request for an unknown response in the same way as a
 *  request for an unknown path. */
async function isPathKnown(
  upstream: Upstream,
  target: TextTarget,
  { read, made }: { read: ProbeAnswer; made: string },
): Promise<boolean | undefined> {
  if (read.status === 405 || read.status === 501) return false
  // A server that stores responses answers a request for an unknown one in JSON.
  if (read.status === 404 && !isObject(read.body)) return false
  const words = wordsOf(read)
  if (words === undefined) return undefined
  const nowhere = await look(upstream, target, `/nothing-${made}/resp_${made}`)
  return nowhere && !(nowhere.status === read.status && wordsOf(nowhere) === words)
}

/** Returns the text of a refusal, without the requested path, so that two refusals can be compared.
 *  Undefined when the answer is not a refusal. Status 200 is included, because LM Studio refuses
 *  with it. */
function wordsOf({ status, body }: ProbeAnswer): string | undefined {
  if (!isObject(body) || ![200, 400, 404].includes(status)) return undefined
  const { error, detail, message } = body
  const words = textOf(error) ?? textOf(objectOf(error).message) ?? textOf(detail) ?? (status === 200 ? undefined : textOf(message))
  return words?.replaceAll(/\S*\/\S*/g, '')
}

async function look(upstream: Upstream, target: TextTarget, path: string, maxBytes = maxAnswerBytes): Promise<ProbeAnswer | undefined> {
  const limits = { firstByteMs: answerMs, idleMs: answerMs, timeoutMs: answerMs, maxBytes }
  try {
    return await upstream.json(target.upstream, { method: 'GET', path, ...limits })
  } catch (error) {
    const answer = answerBehind(error)
    return answer && { status: answer.status, body: answer.body }
  }
}
