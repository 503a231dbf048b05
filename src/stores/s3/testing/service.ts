/** A server that tests use in place of an S3 service. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { S3Bucket } from '../bucket.ts'

/** Starts a server whose requests the listener answers, and creates an empty folder; both are
 *  removed at the end of the test. `connections` returns the number of connections so far. */
export async function startService(context: TestContext, listener: RequestListener) {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const directory = await mkdtemp(join(tmpdir(), 'gateway-service-'))
  context.after(async () => {
    server.closeAllConnections()
    server.close()
    await rm(directory, { recursive: true })
  })
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const credentials = () => ({ accessKeyId: 'id', secretAccessKey: 'secret' })
  const bucket: S3Bucket = { bucket: 'media', prefix: '', endpoint, region: 'us-east-1', style: 'path', credentials }
  return { bucket, directory, connections: () => connections }
}
