import { after, beforeEach } from 'node:test'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { type FakeUpstream, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { createUpstream, type Upstream } from '../upstream.ts'
import { type UpstreamTarget, upstreamTarget } from '../upstream-target.ts'

/** Returns a client with a fake upstream as its target. Before each test of the calling file, the
 *  fake upstream forgets the requests that it has received and answers in its usual way again.
 *  After the last test, the client and the fake upstream are closed. */
export async function openTestUpstream(): Promise<{ fake: FakeUpstream; upstream: Upstream; target: UpstreamTarget }> {
  const fake = await startFakeUpstream()
  const upstream = createUpstream(directOutbound)
  const target = upstreamTarget(fake.baseUrl, { apiKey: 'sk-secret', headers: { 'X-Extra': 'yes-please' } })
  after(async () => {
    await upstream.close()
    await fake.close()
  })
  beforeEach(() => {
    fake.received.length = 0
    fake.answer()
  })
  return { fake, upstream, target }
}
