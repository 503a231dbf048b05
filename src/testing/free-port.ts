import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a free port below the range from which the system takes ports for outgoing
 *  connections. With a port of that range, a client that connects while the server is down could
 *  be given the server's port itself and would then connect to itself. No other process of the
 *  tests gets the port before this process ends, so that a program can be stopped and started
 *  again on it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if ((await isReserved(port)) && (await isFree(port))) return port
  }
}

/** Reserves the port among the processes of the tests, and returns false when another one has
 *  reserved it: a UDP socket with the same number, which disturbs no program on TCP, is held until
 *  this process ends. */
async function isReserved(port: number): Promise<boolean> {
  const mark = createSocket('udp4')
  const isBound = new Promise<boolean>(resolve => {
    mark.once('error', () => resolve(false)).once('listening', () => resolve(true))
  })
  mark.bind({ port, address: '127.0.0.1', exclusive: true })
  if (await isBound) mark.unref()
  else mark.close()
  return isBound
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const isListening = await new Promise<boolean>(resolve => {
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isListening) return false
  probe.close()
  await once(probe, 'close')
  return true
}
