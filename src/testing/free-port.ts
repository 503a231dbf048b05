import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a free port on which a program can be stopped and started again: no other test process
 *  gets it before this process ends. The port is below the range from which the system takes ports
 *  for outgoing connections. Otherwise the system could give the port to a client while the server
 *  is down, and the client would connect to itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if ((await isReserved(port)) && (await isFree(port))) return port
  }
}

/** Reserves the port among the test processes; returns false when another one has reserved it. The
 *  reservation is a UDP socket with the same port number, which is open until this process ends. It
 *  does not affect programs that use the port with TCP. */
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
