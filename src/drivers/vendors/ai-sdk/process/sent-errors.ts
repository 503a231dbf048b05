/** Sends errors over a channel. A structured clone would lose the marker symbols of the AI
 *  SDK's errors and the members that the gateway reads. */

/** An error as data. */
export interface SentError {
  /** Empty when the thrown value is not an `Error`. */
  name: string
  message: string
  /** Names of the marker symbols by which errors of the AI SDK are recognized. */
  markers: string[]
  /** Further members of the error that the gateway reads, by name. */
  facts: Record<string, unknown>
  cause?: SentError
  /** Position of the error in the receiver's list. Set for an error that the receiver itself threw
   *  earlier. */
  receivers?: number
  /** Position of the error in the sender's list. Set for all other errors. */
  senders?: number
}

const markerPrefix = 'vercel.ai.error'
const factNames = ['code', 'statusCode', 'responseHeaders', 'responseBody', 'functionality'] as const
/** Largest number of characters of a message and of the text of a service's answer. */
const longestText = 256 * 1024
const deepestCause = 6
/** For each error that came from the other side: its position in that side's list, and this
 *  side's list for the same connection. The list identifies the connection, because a package
 *  may keep an error and throw it again over another connection. */
const origins = new WeakMap<Error, { senders: number; thrown: readonly unknown[] }>()

/** Returns the error as data for a message. The error is added to `thrown`, unless it came from the
 *  other side over the same connection. */
export function sendError(error: unknown, thrown: unknown[]): SentError {
  const sent = readableDataOf(error, thrown)
  if (sent.receivers === undefined) sent.senders = thrown.push(error) - 1
  return sent
}

/** Returns the error as data. When a member of the error throws as it is read, the data contain
 *  only the name `Error`. */
function readableDataOf(error: unknown, thrown: readonly unknown[]): SentError {
  try {
    return dataOf(error, thrown, deepestCause)
  } catch {
    return { name: 'Error', message: '', markers: [], facts: {} }
  }
}

/** Returns the error that the data describes. If this side threw it, returns the same object, from
 *  `thrown`. */
export function readError(sent: SentError, thrown: readonly unknown[]): unknown {
  if (sent.receivers !== undefined) return thrown[sent.receivers]
  const { name, message, markers, facts, cause, senders } = sent
  if (name === '') return undefined
  const read = cause === undefined ? new Error(message) : new Error(message, { cause: readError(cause, thrown) })
  if (senders !== undefined) origins.set(read, { senders, thrown })
  return Object.assign(read, { name, ...facts, ...Object.fromEntries(markers.map(marker => [Symbol.for(marker), true])) })
}

function dataOf(error: unknown, thrown: readonly unknown[], depth: number): SentError {
  if (!(error instanceof Error)) return { name: '', message: '', markers: [], facts: {} }
  const origin = origins.get(error)
  const { name, message } = error
  const sent: SentError = {
    name: String(name).slice(0, longestText) || 'Error',
    message: String(message).slice(0, longestText),
    markers: Object.getOwnPropertySymbols(error).flatMap(symbol => {
      const marker = Symbol.keyFor(symbol)
      return marker?.startsWith(markerPrefix) ? [marker] : []
    }),
    facts: Object.fromEntries(factNames.flatMap(each => factOf(error, each))),
  }
  if (origin?.thrown === thrown) sent.receivers = origin.senders
  if (error.cause !== undefined && depth > 1) sent.cause = dataOf(error.cause, thrown, depth - 1)
  return sent
}

function factOf(error: Error, name: string): [string, unknown][] {
  const value: unknown = Reflect.get(error, name)
  if (typeof value === 'number') return [[name, value]]
  if (typeof value === 'string') return [[name, value.slice(0, longestText)]]
  if (name !== 'responseHeaders' || typeof value !== 'object' || value === null) return []
  return [[name, Object.fromEntries(Object.entries(value).map(([each, text]) => [each, String(text)]))]]
}
