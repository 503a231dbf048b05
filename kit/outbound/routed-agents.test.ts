import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startConnectProxy } from '../testing/connect-proxy.ts'
import { until } from '../testing/until.ts'
import { Outbound } from './outbound.ts'
import { proxyErrorBehind } from './proxy.ts'
import { routedAgents } from './routed-agents.ts'

test('requests that wait for a connection fail, too, when the proxy begins to refuse', async () => {
  let reached = 0
  const server = createServer(() => void reached++).listen(0, '127.0.0.1')
  await once(server, 'listening')
  let refusal: number | undefined
  await using proxy = await startConnectProxy({ refuses: () => refusal })
  const route = new Outbound({ httpProxy: proxy.url }).routeOf()
  const agent = routedAgents(route, { keepAlive: true, maxSockets: 2 })['http:']
  const url = `http://s3.test:${(server.address() as AddressInfo).port}/`
  const failures: unknown[] = []
  const send = () =>
    void request(url, { agent })
      .on('error', error => failures.push(error))
      .end()
  send()
  send()
  await until(() => reached === 2, 'the first requests')
  for (let more = 0; more < 8; more++) send()
  refusal = 503
  server.closeAllConnections()
  await until(() => failures.length === 10, 'the end of all requests')
  assert.equal(failures.filter(error => proxyErrorBehind(error)?.status === 503).length, 8)
  server.close()
})
