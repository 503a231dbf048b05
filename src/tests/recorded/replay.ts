/** Sends one request of recorded.test.ts and returns the answers to it as text. Everything that
 *  differs between runs is replaced by placeholders. */
import { connect } from 'node:net'
import type { RecordedRequest } from './request-bytes.ts'
import type { RecordedWorld } from './world.ts'

const waitMs = 20_000

/** Returns the head and body of every answer as Latin-1 text, byte for byte except for the
 *  placeholders. */
export async function replayed(world: RecordedWorld, request: RecordedRequest): Promise<string> {
  const { port, host } = new URL(world[request.to].url)
  const facts: Record<string, string> = { ...world.facts, host }
  const bytes = request.bytes.replace(/\{(\w+)\}/g, (mark, name: string) => facts[name] ?? mark)
  const answer = await exchanged(Number(port), bytes, request)
  if (!request.headOnly) return marked(answer, world)
  const head = answer.slice(0, answer.indexOf('\r\n\r\n'))
  return marked(head.replace(/^content-length: \d+/im, 'content-length: <n>'), world)
}

/** Returns all bytes that the gateway sends, until all answers are complete or the connection
 *  ends. */
function exchanged(port: number, bytes: string, { name, answers = 1, isHead }: RecordedRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    const finish = () => {
      clearTimeout(limit)
      socket.destroy()
      resolve(received)
    }
    const limit = setTimeout(() => {
      socket.destroy()
      reject(new Error(`${name}: no whole answer within ${waitMs / 1000} s, but ${JSON.stringify(received)}`))
    }, waitMs)
    socket.setEncoding('latin1').on('data', chunk => {
      received += chunk
      if (hasAnswers(received, answers, isHead === true)) finish()
    })
    // The gateway may reset the connection after an answer. This does not affect the answer, so the
    // error is ignored.
    socket.on('error', () => {})
    socket.on('close', finish)
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}

/** Returns true when the text contains this many complete answers. */
function hasAnswers(received: string, answers: number, isHead: boolean): boolean {
  let rest = received
  for (let found = 0; found < answers; found++) {
    const headEnds = rest.indexOf('\r\n\r\n')
    if (headEnds < 0) return false
    const head = rest.slice(0, headEnds)
    const end = headEnds + 4 + (isHead ? 0 : bodyLength(head, rest.slice(headEnds + 4)))
    if (rest.length < end) return false
    rest = rest.slice(end)
  }
  return true
}

/** Returns the length of an answer's body. The length is infinite while the end of the body is
 *  missing or unknown. */
function bodyLength(head: string, body: string): number {
  if (/^HTTP\/1\.1 (1\d\d|204|304) /.test(head)) return 0
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return Number(length)
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return Number.POSITIVE_INFINITY
  const end = body.search(/(^|\r\n)0\r\n\r\n/)
  return end < 0 ? Number.POSITIVE_INFINITY : body.indexOf('0\r\n\r\n', end) + 5
}

function marked(answer: string, { plain, browser, facts }: RecordedWorld): string {
  const named = ['ready', 'failed', 'waiting'].reduce((text, name) => text.replaceAll(facts[name] ?? '', `<${name}>`), answer)
  // Ports are replaced only after their host name, because a random id can contain the same digits.
  return named
    .replaceAll(new URL(plain.url).host, '127.0.0.1:<port>')
    .replaceAll(new URL(browser.url).host, '127.0.0.1:<port>')
    .replace(/^Date: .*$/gm, 'Date: <date>\r')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\b01m[0-9a-z]{23}\b/g, '<task>')
    .replace(/sig=[\w-]+/g, 'sig=<sig>')
    .replace(/kid=[\w-]+/g, 'kid=<kid>')
}
