/** Agents of Node's HTTP client that connect through the proxies of an outbound route and reuse
 *  connections for later requests. */
import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import { openTunnel } from './connect.ts'
import type { OutboundRoute } from './outbound.ts'

/** Returns one agent for `http:` and one for `https:`. When the route has a proxy for a
 *  destination, the agents connect to it through a tunnel, whose failures are `ProxyError`s; to
 *  any other destination they connect directly. */
export function routedAgents(route: OutboundRoute, options: AgentOptions): Readonly<Record<string, HttpAgent>> {
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }
  routeConnections(agents['http:'], route, false)
  routeConnections(agents['https:'], route, true)
  return agents
}

function routeConnections(agent: HttpAgent, route: OutboundRoute, isTls: boolean): void {
  const direct = agent.createConnection.bind(agent)
  agent.createConnection = (args, created) => {
    const to = { host: args.host ?? '', port: Number(args.port), isTls }
    const proxy = route.proxyFor(to)
    if (proxy === undefined || created === undefined) return direct(args, created)
    openTunnel(proxy, { route, to }, (error, socket) => {
      // Node sets the timeout only on sockets that Node itself connects, so it is set here.
      if (error === null) created(null, socket.setTimeout(args.timeout ?? 0))
      else fail(error, created)
    })
    return undefined
  }
}

/** Gives the agent a socket that then fails with this error. If the agent got the error instead of
 *  a socket, it would never start the requests that wait for a socket. */
function fail(error: Error, created: (error: null, socket: Socket) => void): void {
  const socket = new SilentSocket()
  created(null, socket)
  // The request begins to listen for errors of its socket in the next tick.
  setImmediate(() => socket.destroy(error))
}

/** A socket without a connection; it discards everything that is written to it. */
class SilentSocket extends Socket {
  override _write(): void {}
  override _writev(): void {}
}
