/** A TCP proxy between a store and its server, for tests of lost connections. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The moment at which a connection is cut. `before-commit`: the client has sent COMMIT, and the
 *  server never receives it. `after-commit`: the server has answered COMMIT, and the client
 *  never receives the answer. */
export type CommitCut = 'before-commit' | 'after-commit'

const commitQuery = Buffer.from('COMMIT\0')

/** Starts a proxy for the server at this address, on a free port of 127.0.0.1. */
export async function startProxy(databaseUrl: string): Promise<PostgresProxy> {
  const proxy = new PostgresProxy(new URL(databaseUrl))
  await proxy.listen()
  return proxy
}

export class PostgresProxy {
  readonly #target: URL
  readonly #server = createServer(client => this.#join(client))
  readonly #sockets = new Set<Socket>()
  #cut: CommitCut | undefined
  #isLastCut = false
  #cuts = 0
  #onStall: (() => void) | undefined
  #isRefusing = false

  constructor(target: URL) {
    this.#target = target
  }

  /** Address of the database through the proxy. */
  get url(): string {
    const url = new URL(this.#target)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** Number of connections that `cutNextCommit` has cut. */
  cuts(): number {
    return this.#cuts
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** Cuts the connection of the next COMMIT at the moment `where`; later COMMITs pass. With
   *  `isLast`, all other connections are cut too, and new ones are refused. */
  cutNextCommit(where: CommitCut, options?: { isLast: true }): void {
    this.#cut = where
    this.#isLastCut = options?.isLast ?? false
  }

  /** Holds back the next COMMIT and everything after it on its connection, as if the client had
   *  been suspended; the connection stays open. Resolves when the COMMIT has arrived and is held
   *  back. */
  stallNextCommit(): Promise<void> {
    return new Promise(resolve => {
      this.#onStall = resolve
    })
  }

  /** Ends all connections, and refuses new ones while `isRefusing`. */
  cutAll(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.cutAll(true)
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    if (this.#isRefusing) return void client.destroy()
    const upstream = connect(Number(this.#target.port), this.#target.hostname)
    const end = () => {
      client.destroy()
      upstream.destroy()
      if (this.#isRefusing) this.cutAll(true)
    }
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    let fate: 'passing' | 'stalled' | 'cutting' = 'passing'
    client.on('data', (bytes: Buffer) => {
      if (fate !== 'passing') return
      const cut = this.#cut
      fate = bytes.includes(commitQuery) ? this.#fateOfCommit() : 'passing'
      if (fate === 'cutting' && cut === 'before-commit') end()
      else if (fate !== 'stalled') upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (fate === 'passing') client.write(bytes)
      // The server has answered the COMMIT. The earlier answers in the same piece of data are lost
      // as well.
      else if (fate === 'cutting' && bytes.includes(commitQuery)) end()
    })
  }

  #fateOfCommit(): 'passing' | 'stalled' | 'cutting' {
    if (this.#onStall) {
      this.#onStall()
      this.#onStall = undefined
      return 'stalled'
    }
    if (this.#cut === undefined) return 'passing'
    this.#cut = undefined
    this.#cuts += 1
    this.#isRefusing ||= this.#isLastCut
    return 'cutting'
  }
}
