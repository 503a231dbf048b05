/** Starts the webhook receivers in examples/, each on its own port. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type Language, runExample, startExample } from './run-example.ts'

export interface Receiver {
  url: string
  /** Returns the deliveries whose signature the receiver has accepted, one per line: the id,
   *  then the body. */
  taken(): Promise<string[]>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts the language's receiver on a free port. */
export function startReceiver(language: Language, secret: string): Promise<Receiver> {
  return language.folder === 'curl' ? startCgi(language, secret) : startServer(language, secret)
}

/** Starts a receiver that is a server itself. It prints every delivery that it accepts. */
async function startServer(language: Language, secret: string): Promise<Receiver> {
  const child = startExample(language, 'webhook', ['0'], { WEBHOOK_SECRET: secret })
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (words: string) => {
    printed += words
  })
  const ended = runExample(child)
  const url = await until(() => /^listening on (\S+)\n/.exec(printed)?.[1], 'the receiver listens')
  return {
    url,
    taken: async () => printed.split('\n').slice(1, -1),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts a web server that runs the receiver once for each request (CGI). */
async function startCgi(language: Language, secret: string): Promise<Receiver> {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-cgi-'))
  const log = join(folder, 'webhooks.log')
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const env = { WEBHOOK_SECRET: secret, WEBHOOK_LOG: log, CONTENT_LENGTH: String(body.length), ...cgiHeaders(request) }
    const child = startExample(language, 'webhook', [], env)
    child.stdin?.end(body)
    const { code, stdout } = await runExample(child)
    const status = code === 0 ? /^Status: (\d{3}) /.exec(stdout)?.[1] : undefined
    response.writeHead(Number(status ?? 500)).end(stdout.split('\r\n\r\n')[1])
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    taken: async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(0, -1),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}

/** Returns the headers as environment variables of CGI (RFC 3875, 4.1.18). */
function cgiHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, String(value)]),
  )
}
