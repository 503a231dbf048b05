/** Generates wrong answers of an upstream from its good ones: one value at a time is of another
 *  type, out of every range, or hard to convert, and one event at a time is absent or doubled. */
import { isObject, type Json } from '@generation-gateway/kit/json.ts'
import type { FakeReply, ReceivedRequest } from '../../testing/fakes/fake-upstream.ts'

/** An answer that a fake upstream has given. */
export interface RecordedAnswer {
  /** Method and path of its request. */
  question: string
  status: number
  headers: Record<string, string>
  body: Buffer
}

export interface WrongAnswer {
  title: string
  answer: RecordedAnswer
}

/** An object that `String` and `Number` cannot convert. */
const odd: Json = { toString: 5, valueOf: 5, length: -1 }
const long = 'x'.repeat(5_000)
const halfPair = '\ud800'
/** Size in bytes above which an answer is not changed: it is a file. */
const mostChanged = 64 * 1024

/** Returns a reply that gets its answer from the fake upstream at `origin`, sends it and records
 *  it. */
export function recordingReply(origin: string, record: RecordedAnswer[]): FakeReply {
  return async (response, request) => {
    const { method, path, headers, body } = request
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      /^(host|connection|content-length|transfer-encoding|expect)$/.test(name) ? [] : [[name, String(value)] as [string, string]],
    )
    const answer = await fetch(origin + path, { method, headers: sent, ...(body.length > 0 ? { body: new Uint8Array(body) } : {}) })
    const type = answer.headers.get('content-type')
    const recorded = {
      ...{ question: questionOf(request), status: answer.status, headers: type === null ? {} : { 'content-type': type } },
      body: Buffer.from(await answer.arrayBuffer()),
    }
    record.push(recorded)
    send(response, recorded)
  }
}

/** Returns a reply that answers each question as recorded; the last answer to a question repeats.
 *  Calls `tooMany` at each question after twice as many as were recorded. */
export function replayingReply(record: readonly RecordedAnswer[], tooMany: () => void): FakeReply {
  const left = Map.groupBy(record, ({ question }) => question)
  let count = 0
  return (response, request) => {
    if (++count > 2 * record.length) tooMany()
    const answers = left.get(questionOf(request)) ?? []
    const answer = answers[0]
    if (answers.length > 1) left.set(questionOf(request), answers.slice(1))
    if (answer) send(response, answer)
    else response.writeHead(404).end()
  }
}

function questionOf({ method, path }: ReceivedRequest): string {
  return `${method} ${path.split('?', 1)[0]}`
}

function send(response: Parameters<FakeReply>[0], { status, headers, body }: RecordedAnswer): void {
  response.writeHead(status, headers)
  response.end(body)
}

/** Yields the wrong answers that are generated from one answer; none for a file. */
export function* wrongAnswers(answer: RecordedAnswer): Generator<WrongAnswer> {
  if (answer.body.length > mostChanged) return
  const text = answer.body.toString()
  const whole = jsonIn(text)
  for (const { title, value } of whole === undefined ? [] : wrongValues(whole))
    yield { title, answer: { ...answer, body: Buffer.from(JSON.stringify(value)) } }
  if (whole !== undefined || !text.includes('data: ')) return
  for (const { title, events } of wrongEvents(text.split(/(?<=\n\n)/)))
    yield { title, answer: { ...answer, body: Buffer.from(events.join('')) } }
}

function* wrongEvents(events: readonly string[]): Generator<{ title: string; events: string[] }> {
  const seen = new Set<string>()
  for (const [at, event] of events.entries()) {
    yield { title: `without event ${at}`, events: events.toSpliced(at, 1) }
    yield { title: `event ${at} twice`, events: events.toSpliced(at, 0, event) }
    const data = /^data: (.*)$/m.exec(event)?.[1] ?? ''
    const json = jsonIn(data)
    // Events that differ only in their texts are changed once.
    const shape = data.replace(/"(\\.|[^"\\])*"(?!:)|\d+/g, '')
    if (json === undefined || seen.has(shape)) continue
    seen.add(shape)
    for (const { title, value } of wrongValues(json)) {
      const changed = event.replace(data, () => JSON.stringify(value))
      yield { title: `event ${at}: ${title}`, events: events.toSpliced(at, 1, changed) }
    }
  }
}

/** Yields copies of a value, in each of which one value within it is wrong. */
function* wrongValues(value: Json): Generator<{ title: string; value: Json }> {
  const members: [string | number, Json | undefined][] = Array.isArray(value)
    ? [...value.entries()].slice(0, 2)
    : isObject(value)
      ? Object.entries(value)
      : []
  for (const [name, member] of members) {
    if (member === undefined) continue
    for (const wrong of wrongValues(member)) yield { title: `${name}.${wrong.title}`, value: withMember(value, name, wrong.value) }
  }
  for (const wrong of wrongOf(value)) yield { title: `= ${JSON.stringify(wrong).slice(0, 20)}`, value: wrong }
}

function wrongOf(value: Json): Json[] {
  if (typeof value === 'string') return [odd, long, halfPair]
  if (typeof value === 'number') return [odd, -1, 1e308]
  return [odd]
}

function withMember(value: Json, name: string | number, member: Json): Json {
  if (Array.isArray(value)) return value.with(Number(name), member)
  return isObject(value) ? { ...value, [name]: member } : value
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // Texts and files are not JSON.
    return undefined
  }
}
