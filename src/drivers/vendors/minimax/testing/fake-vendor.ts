/** A fake MiniMax that behaves as the vendor documents. It keeps tasks with their states and files,
 *  and sends a challenge to the callback URL before it accepts a task. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type FakeUpstream, jsonReply, type ReceivedRequest, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'

export interface FakeVendor {
  baseUrl: string
  /** Bodies of the accepted submits. */
  tasks: JsonObject[]
  submits: number
  /** State in which the next tasks end; undefined: they keep running. */
  status: string | undefined
  /** Error in the answers to the next submits, and of tasks that fail. */
  fault: { status_code: number; status_msg: string } | undefined
  /** When true, the next submits are accepted, but their connections are cut without an answer. */
  dropsAnswers: boolean
  /** The gateway's answers to the challenges that the fake sends to callback URLs. */
  challenged: unknown[]
  /** The address at which the test's gateway listens, for callbacks; undefined when the fake sends
   *  no callbacks. */
  gatewayUrl: string | undefined
  close(): Promise<void>
}

const good = { status_code: 0, status_msg: 'success' }

export async function startFakeVendor(clip: Buffer): Promise<FakeVendor> {
  const fake: FakeUpstream = await startFakeUpstream()
  const vendor: FakeVendor = {
    ...{
      baseUrl: fake.baseUrl,
      tasks: [],
      submits: 0,
      status: undefined,
      fault: undefined,
      dropsAnswers: false,
      challenged: [],
      gatewayUrl: undefined,
    },
    close: () => fake.close(),
  }
  fake.answer(async (response, request) => {
    const url = new URL(request.path, fake.baseUrl)
    if (url.pathname === '/v1/video_generation') {
      vendor.submits++
      if (vendor.fault && vendor.status === undefined) return jsonReply({ base_resp: vendor.fault })(response, request)
      vendor.tasks.push(Object(request.json))
      await challenge(vendor, request)
      if (vendor.dropsAnswers) return void response.destroy()
      return jsonReply({ task_id: `t-${vendor.tasks.length}`, base_resp: good })(response, request)
    }
    if (url.pathname === '/v1/query/video_generation') {
      const status = vendor.status ?? 'Processing'
      const file_id = status.toLowerCase() === 'success' ? 'f-1' : ''
      return jsonReply({ task_id: url.searchParams.get('task_id'), status, file_id, base_resp: vendor.fault ?? good })(response, request)
    }
    if (url.pathname === '/v1/files/retrieve')
      return jsonReply({ file: { file_id: 1, download_url: `${fake.baseUrl}/v.mp4` }, base_resp: good })(response, request)
    response.writeHead(200, { 'content-type': 'video/mp4' }).end(clip)
  })
  return vendor
}

/** Sends the challenge to the address at which the gateway listens: the callback URL contains the
 *  gateway's public address, which does not exist in the test. */
async function challenge(vendor: FakeVendor, { json }: ReceivedRequest): Promise<void> {
  const { callback_url } = Object(json)
  if (vendor.gatewayUrl === undefined || callback_url === undefined) return
  const { pathname } = new URL(callback_url)
  const answer = await fetch(vendor.gatewayUrl + pathname, { method: 'POST', body: JSON.stringify({ challenge: 'c-1' }) })
  vendor.challenged.push(await answer.json())
}
