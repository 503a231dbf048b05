/** A TCP proxy between a store and its server, for tests of lost connections. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The moment at which a connection is cut: when the client has sent its COMMIT and the server
 *  never gets it, or when the server has answered it and the client never gets the answer. */
export type CommitCut = 'before-commit' | 'after-commit'

const commitQuery = Buffer.from('COMMIT\0')

/** Starts a proxy at a free port of 127.0.0.1 for the server of this address. */
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

  /** Cuts the connection of the next COMMIT there; later ones pass. `isLast`: ends all connections
   *  with it, and refuses new ones. */
  cutNextCommit(where: CommitCut, options?: { isLast: true }): void {
    this.#cut = where
    this.#isLastCut = options?.isLast ?? false
  }

  /** Holds back the next COMMIT, and everything behind it on that connection, as if the client had
   *  been stopped: the connection stays open. Resolves when it is held. */
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
      // The tag of the commit; the answers before it are lost as well.
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
