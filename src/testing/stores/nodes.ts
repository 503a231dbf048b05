/** Starts several gateways in the process of the test. They share a database and a folder of
 *  blobs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type PostgresServer, startPostgres } from '../../stores/postgres/testing/server.ts'
import { startTestGateway, type TestGateway, type TestOptions } from '../gateway.ts'

export interface TestNodes {
  /** The gateways, which are named `node-1`, `node-2`, ... */
  nodes: TestGateway[]
  server: PostgresServer
  /** Address of the database. */
  databaseUrl: string
  /** Returns environment variables for a node with this name, with which a test can start
   *  further nodes or programs on the same database. */
  envOf(name: string): Record<string, string>
  /** Starts another node. */
  start(name: string, options?: TestOptions): Promise<TestGateway>
  /** Stops the nodes, and the database server unless the test passed one. */
  [Symbol.asyncDispose](): Promise<void>
}

interface NodesOptions extends Omit<TestOptions, 'dataDir'> {
  /** A running database server, which the test stops itself. Default: a new server of version
   *  18, which is stopped with the nodes. */
  server?: PostgresServer
}

/** Starts `count` gateways on a new database, each with a data folder of its own. `options`
 *  apply to these gateways and to those that `start` adds later. Tests that use this function
 *  are in `src/tests/nodes`; they are skipped, by `needPostgres(18)`, on machines without
 *  PostgreSQL. */
export async function startTestNodes(count: number, { server: given, ...options }: NodesOptions = {}): Promise<TestNodes> {
  const opened = new AsyncDisposableStack()
  try {
    const server = given ?? opened.adopt(await startPostgres({ version: 18 }), running => running.stop())
    const blobs = opened.adopt(await mkdtemp(join(tmpdir(), 'gateway-blobs-')), folder => rm(folder, { recursive: true, force: true }))
    const databaseUrl = await server.database()
    const envOf = (name: string) => ({
      GATEWAY_DATABASE_URL: databaseUrl,
      GATEWAY_BLOBS_URL: pathToFileURL(blobs).href,
      GATEWAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      GATEWAY_NODE_NAME: name,
    })
    const start = async (name: string, own: TestOptions = {}) => {
      const whole = { ...options, ...own, env: { ...envOf(name), ...options.env, ...own.env } }
      return opened.use(await startTestGateway(whole))
    }
    const nodes: TestGateway[] = []
    while (nodes.length < count) nodes.push(await start(`node-${nodes.length + 1}`))
    return { nodes, server, databaseUrl, envOf, start, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}
