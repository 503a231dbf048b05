/** Runs one job of a sound driver against a service with one fixed answer. */
import assert from 'node:assert/strict'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Job, Outcome, StreamEvent, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { driverTools } from '../../../../testing/driver-tools.ts'
import { type FakeReply, type FakeUpstream, type ReceivedRequest, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'

type SoundCapability = 'speech.synthesize' | 'audio.transcribe'

interface DriverRun<C extends SoundCapability>
  extends Pick<Job<RequestOf<C>>, 'request' | 'model' | 'scratch'>,
    Partial<Pick<Job<unknown>, 'signal'>> {
  inputs?: Job<unknown>['inputs']
  reply: FakeReply
  /** A running fake service, which is not closed after the run. Default: a new service for this
   *  run. */
  fake?: FakeUpstream
  /** Returns the job's settings for a service at this origin. */
  settings?(origin: string): Job<unknown>['settings']
}

export interface DriverRunResult<Event> {
  events: Event[]
  outcome: Outcome | undefined
  /** The first request that the service received. */
  received: ReceivedRequest | undefined
}

/** Opens the driver, runs the job to its end and closes the driver. Throws the errors of the
 *  run. */
export async function runDriver<C extends SoundCapability, Event>(
  spec: DriverSpec,
  capability: C,
  { reply, fake: given, settings = origin => ({ base_url: `${origin}/v1` }), inputs = [], ...asked }: DriverRun<C>,
): Promise<DriverRunResult<Event>> {
  await using stack = new AsyncDisposableStack()
  const fake = given ?? (await startFakeUpstream())
  if (!given) stack.defer(() => fake.close())
  const before = fake.received.length
  fake.answer(reply)
  const driver = spec.open(driverTools({}))
  stack.defer(() => driver.close?.())
  const offer = driver.offers[capability] as StreamedOffer<RequestOf<C>, Event> | undefined
  assert.equal(offer?.kind, 'streamed')
  const job: Job<RequestOf<C>> = {
    ...{ id: 'j', attempt: 1, inputs, progress: () => {}, signal: new AbortController().signal },
    ...{ ...asked, settings: settings(new URL(fake.baseUrl).origin) },
  }
  const ran: DriverRunResult<Event> = { events: [], outcome: undefined, received: undefined }
  const take = (part: StreamEvent<Event>): void => {
    if (part.type === 'outcome') ran.outcome = part.outcome
    if (part.type === 'event') ran.events.push(part.event)
  }
  for await (const part of offer.run(job)) take(part)
  return { ...ran, received: fake.received[before] }
}
