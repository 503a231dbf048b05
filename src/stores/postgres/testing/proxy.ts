/** A TCP proxy between a store and its server, for tests of lost connections. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where a connection is cut: when the client has sent its COMMIT and the server never gets it, or
 *  when the server has answered it and the client never gets the answer. */
export type CommitCut = 'before-commit' | 'after-commit'

export interface PostgresProxy {
  /** Address of the database through the proxy. */
  readonly url: string
  /** Cuts the connection of the next COMMIT there; later ones pass. `isLast`: ends all connections
   *  with it, and refuses new ones. */
  cutNextCommit(where: CommitCut, options?: { isLast: true }): void
  /** Number of connections that `cutNextCommit` has cut. */
  cuts(): number
  /** Holds back the next COMMIT, and everything behind it on that connection, as if the client had
   *  been stopped: the connection stays open. Resolves when it is held. */
  stallNextCommit(): Promise<void>
  /** Ends all connections, and refuses new ones while `isRefusing`. */
  cutAll(isRefusing: boolean): void
  stop(): Promise<void>
}

const commitQuery = Buffer.from('COMMIT\0')

/** Starts a proxy at a free port of 127.0.0.1 for the server of this address. */
export async function startProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let cut: CommitCut | undefined
  let isLastCut = false
  let cuts = 0
  let onStall: (() => void) | undefined
  let isRefusing = false

  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer(client => {
    if (isRefusing) return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    const end = () => {
      client.destroy()
      upstream.destroy()
      if (isRefusing) cutAll()
    }
    let isCutting = false
    let isStalled = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (bytes: Buffer) => {
      if (isCutting || isStalled) return
      const isCommit = bytes.includes(commitQuery)
      if (isCommit && onStall) {
        isStalled = true
        onStall()
        onStall = undefined
        return
      }
      if (isCommit && cut) {
        const where = cut
        cut = undefined
        cuts += 1
        isRefusing ||= isLastCut
        if (where === 'before-commit') return end()
        isCutting = true
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (isStalled) return
      if (!isCutting) client.write(bytes)
      // The tag of the commit; what was before it is lost as well.
      else if (bytes.includes(commitQuery)) end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cutNextCommit: (where, options) => {
      cut = where
      isLastCut = options?.isLast ?? false
    },
    cuts: () => cuts,
    stallNextCommit: () =>
      new Promise(resolve => {
        onStall = resolve
      }),
    cutAll: refuses => {
      isRefusing = refuses
      cutAll()
    },
    async stop() {
      cutAll()
      server.close()
      await once(server, 'close')
    },
  }
}
