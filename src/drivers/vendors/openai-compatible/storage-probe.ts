/** Finds out whether a server stores responses. Many servers answer `POST /responses` and store
 *  nothing: llama.cpp, vLLM, Ollama, LM Studio. Only certain findings count; requests to all other
 *  servers are relayed unchanged. */
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

/** The finding about a target; `isKeeping` is undefined while it is unknown whether the server
 *  stores responses. */
interface KnownServer {
  isKeeping?: boolean
  asking?: Promise<boolean | undefined>
  /** Time of `performance.now()` before which the server is not probed again. */
  askAgainAt: number
}

/** The answer to a probe; `body` is its JSON, undefined when it is not JSON. */
interface ProbeAnswer {
  status: number
  body: unknown
}

const answerMs = 3_000
const maxAnswerBytes = 64 * 1024
const maxListBytes = 4 * 1024 * 1024
/** Milliseconds before a server whose answers were unclear is probed again. */
const askAgainMs = 30_000
/** Values of `owned_by` in the list of models by which servers are recognized that have the paths
 *  of stored responses but by default store none: vLLM without VLLM_ENABLE_RESPONSES_API_STORE. */
const forgetful = new Set<unknown>(['vllm'])

/** Returns a function that says whether a target stores responses: by its setting, else by probing
 *  the server once. Its result is immediate when it is known, and undefined while it cannot be
 *  found out. */
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

/** Probes the server with a response that does not exist. Returns undefined when the answers are
 *  unclear or come from something else, such as a proxy whose server is down. */
async function ask(upstream: Upstream, target: TextTarget): Promise<boolean | undefined> {
  const made = randomBytes(24).toString('hex')
  const read = await look(upstream, target, `/responses/resp_${made}`)
  const hasPath = read && (await isPathKnown(upstream, target, { read, made }))
  if (hasPath === undefined) return undefined
  const list = await look(upstream, target, '/models', maxListBytes)
  if (!hasPath) return list?.status === 200 && isObject(list.body) ? false : undefined
  return !objectsOf(objectOf(list?.body).data).some(model => forgetful.has(model.owned_by))
}

/** Returns true when the server has the path of stored responses. Its answer about an unknown
 *  response is compared with its answer about an unknown path. */
async function isPathKnown(
  upstream: Upstream,
  target: TextTarget,
  { read, made }: { read: ProbeAnswer; made: string },
): Promise<boolean | undefined> {
  if (read.status === 405 || read.status === 501) return false
  // A server that stores responses answers in JSON.
  if (read.status === 404 && !isObject(read.body)) return false
  const words = wordsOf(read)
  if (words === undefined) return undefined
  const nowhere = await look(upstream, target, `/nothing-${made}/resp_${made}`)
  return nowhere && !(nowhere.status === read.status && wordsOf(nowhere) === words)
}

/** Returns the words of a refusal without the requested path; undefined for an answer that is not
 *  such a refusal. LM Studio refuses with status 200. */
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
