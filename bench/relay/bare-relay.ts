/** The smallest relay that this gateway could be on Node: node:http reads the callers' requests,
 *  the gateway's own HTTP client sends them on, and nothing happens in between (no keys, limits,
 *  validation, records or log). Its CPU time is the share of a relay's cost that no change of
 *  the gateway's own steps can save. Reads `PORT`, and `UPSTREAM` (an origin) to which it
 *  forwards each POST at the same path. */
import { createServer } from 'node:http'
import { ConnectionPool } from '../../src/drivers/shared/http1/connection-pool.ts'

const route = { connectMs: 10_000, secureContext: undefined, proxyFor: () => undefined }
const pool = new ConnectionPool(String(process.env.UPSTREAM), route)
const headers = ['content-type', 'application/json']

createServer((request, response) => {
  const sent: Buffer[] = []
  request.on('data', (part: Buffer) => sent.push(part))
  request.on('end', () => {
    const received: Buffer[] = []
    pool.send(
      { method: 'POST', path: request.url ?? '/', headers, extra: {}, body: Buffer.concat(sent), firstByteMs: 30_000, idleMs: 30_000 },
      {
        onConnection: () => {},
        isOver: () => false,
        onHead: status => response.writeHead(status, { 'content-type': 'application/json' }),
        onData: part => received.push(part),
        onEnd: () => response.end(Buffer.concat(received)),
        onError: error => response.destroy(error instanceof Error ? error : undefined),
      },
    )
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
