/** Agents of Node's HTTP client that connect by a route and keep connections between requests. */
import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import { openTunnel } from './connect.ts'
import type { OutboundRoute } from './outbound.ts'

/** Returns an agent for each protocol. Destinations with a proxy are reached through a tunnel,
 *  whose failures are `ProxyError`s; the others as by Node's own agents. */
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
      // Node passes this limit to sockets that it connects itself.
      if (error === null) created(null, socket.setTimeout(args.timeout ?? 0))
      else fail(error, created)
    })
    return undefined
  }
}

/** Gives the agent a socket that fails. After an error in place of a socket, the agent would start
 *  none of the requests that wait for one. */
function fail(error: Error, created: (error: null, socket: Socket) => void): void {
  const socket = new SilentSocket()
  created(null, socket)
  // The request listens for errors of its socket from the next tick on.
  setImmediate(() => socket.destroy(error))
}

/** A socket without a connection, which accepts everything that is written. */
class SilentSocket extends Socket {
  override _write(): void {}
  override _writev(): void {}
}
