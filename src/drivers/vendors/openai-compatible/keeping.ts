/** Whether a server keeps responses. Many answer `POST /responses` and keep nothing: llama.cpp, vLLM, Ollama, LM Studio. Only what is known for sure counts: all others are relayed to as they are. */
import { randomBytes } from 'node:crypto'
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { RelayOffer } from '@generation-gateway/kit/requests/relay.ts'
import type { TargetOf, TextTarget } from '../../shared/text/text-target.ts'
import type { Upstream } from '../../shared/upstream/upstream.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'

interface Tools {
  upstream: Upstream
  targetOf: TargetOf
  log: { info(fields: JsonObject, message: string): void }
}

/** What is known of a target; `isKeeping` is undefined while it is not. */
interface Known {
  isKeeping?: boolean
  asking?: Promise<boolean | undefined>
  /** Of `performance.now()`. */
  askAgainAt: number
}

/** An answer to a question; `body` is its JSON, undefined for anything else. */
interface Said {
  status: number
  body: unknown
}

const answerMs = 3_000
const maxAnswerBytes = 64 * 1024
const maxListBytes = 4 * 1024 * 1024
/** Before a server that told nothing is asked again. */
const askAgainMs = 30_000
/** Who names itself so in its list of models has the paths of stored responses and, as it is usually started, keeps none: vLLM without VLLM_ENABLE_RESPONSES_API_STORE. */
const forgetful = new Set<unknown>(['vllm'])

/** By the setting, else by asking the server once; at once where it is known. */
export function createKeeping({ upstream, targetOf, log }: Tools): NonNullable<RelayOffer['keeps']> {
  const known = new WeakMap<JsonObject, Known>()
  const learn = async (target: TextTarget, entry: Known): Promise<boolean | undefined> => {
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

/** Reads a response that does not exist. Undefined when what comes tells nothing, or comes from something that is no such server: a proxy before one that is not up. */
async function ask(upstream: Upstream, target: TextTarget): Promise<boolean | undefined> {
  const made = randomBytes(24).toString('hex')
  const read = await look(upstream, target, `/responses/resp_${made}`)
  const hasPath = read && (await isPathKnown(upstream, target, { read, made }))
  if (hasPath === undefined) return undefined
  const list = await look(upstream, target, '/models', maxListBytes)
  if (!hasPath) return list?.status === 200 && isObject(list.body) ? false : undefined
  return !objectsOf(objectOf(list?.body).data).some(model => forgetful.has(model.owned_by))
}

/** Whether the server has the path of stored responses. What it says of one that does not exist is held against what it says of a path that does not exist. */
async function isPathKnown(
  upstream: Upstream,
  target: TextTarget,
  { read, made }: { read: Said; made: string },
): Promise<boolean | undefined> {
  if (read.status === 405 || read.status === 501) return false
  // Whoever keeps responses says so in JSON.
  if (read.status === 404 && !isObject(read.body)) return false
  const words = wordsOf(read)
  if (words === undefined) return undefined
  const nowhere = await look(upstream, target, `/nothing-${made}/resp_${made}`)
  return nowhere && !(nowhere.status === read.status && wordsOf(nowhere) === words)
}

/** What a refusal says, without the path it was asked for; undefined for what is no refusal of this. LM Studio refuses with 200. */
function wordsOf({ status, body }: Said): string | undefined {
  if (!isObject(body) || ![200, 400, 404].includes(status)) return undefined
  const { error, detail, message } = body
  const words = textOf(error) ?? textOf(objectOf(error).message) ?? textOf(detail) ?? (status === 200 ? undefined : textOf(message))
  return words?.replaceAll(/\S*\/\S*/g, '')
}

async function look(upstream: Upstream, target: TextTarget, path: string, maxBytes = maxAnswerBytes): Promise<Said | undefined> {
  const limits = { firstByteMs: answerMs, idleMs: answerMs, timeoutMs: answerMs, maxBytes }
  try {
    return await upstream.json(target.upstream, { method: 'GET', path, ...limits })
  } catch (error) {
    const answer = answerBehind(error)
    return answer && { status: answer.status, body: answer.body }
  }
}
