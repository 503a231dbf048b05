import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a port that is free now. Used for programs that are restarted and must then have the
 *  same address as before. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new TypeError('a listening server has an address')
  return address.port
}
