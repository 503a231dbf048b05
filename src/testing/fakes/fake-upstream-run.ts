/** Runs a text driver once against a fake upstream, and reports what the driver sent, what it
 *  yielded and how the run ended. */
import { tmpdir } from 'node:os'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Done, Outcome } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { driverTools } from '../driver-tools.ts'
import { type FakeReply, startFakeUpstream } from './fake-upstream.ts'

/** Returns a request with the text `hello`; `fields` replaces members of it. */
export function textRequest(fields: Partial<TextRequest> = {}): TextRequest {
  return {
    items: [userSays('hello')],
    tools: [],
    toolChoice: { mode: 'auto' },
    parallelToolCalls: true,
    format: { type: 'text' },
    extras: { protocol: 'chat', fields: {} },
    ...fields,
  }
}

export function userSays(text: string): TextRequest['items'][number] {
  return { type: 'message', role: 'user', parts: [{ type: 'text', text }] }
}

export interface TextRun {
  /** Bodies that the upstream received, in order. */
  bodies: JsonObject[]
  paths: string[]
  events: TextEvent[]
  outcome: Outcome
}

/** Runs `text.respond` of the driver once against an upstream that answers with `replies`. The
 *  upstream's address is added to `settings` as the base URL. Throws the errors of the driver. */
export async function runText(driver: DriverSpec, settings: JsonObject, request: TextRequest, ...replies: FakeReply[]): Promise<TextRun> {
  const fake = await startFakeUpstream()
  fake.answer(...replies)
  const running = driver.open(driverTools())
  try {
    const run: TextRun = { bodies: [], paths: [], events: [], outcome: { state: 'failed', code: 'internal_error', message: 'no outcome' } }
    const parts = running.offers['text.respond']?.run({
      id: 'job_1',
      request,
      inputs: [],
      scratch: tmpdir(),
      model: 'up-1',
      settings: { base_url: fake.baseUrl, ...settings },
      attempt: 1,
      signal: new AbortController().signal,
      progress: () => {},
    })
    if (!parts) throw new Error(`${driver.id} does not offer text.respond`)
    for await (const part of parts) {
      if (part.type === 'event') run.events.push(part.event)
      if (part.type === 'outcome') run.outcome = part.outcome
    }
    for (const { path, json } of fake.received) {
      run.paths.push(path)
      if (typeof json === 'object' && json !== null) run.bodies.push({ ...json })
    }
    return run
  } finally {
    await running.close?.()
    await fake.close()
  }
}

/** Returns the report of a successful run. */
export function reportOf({ outcome }: TextRun): Done['report'] {
  if (outcome.state !== 'done') throw new Error(`the run failed: ${outcome.message}`)
  return outcome.report
}

/** Returns the events, with consecutive deltas of the same kind joined to one event. A test then
 *  does not depend on where the answer was split. */
export function joined(events: readonly TextEvent[]): TextEvent[] {
  const whole: TextEvent[] = []
  for (const event of events) {
    const last = whole.at(-1)
    if (last !== undefined && 'delta' in last && 'delta' in event && isSame(last, event)) last.delta += event.delta
    else whole.push({ ...event })
  }
  return whole
}

function isSame(a: TextEvent, b: TextEvent): boolean {
  if (a.type === 'call-input' && b.type === 'call-input') return a.index === b.index
  if (a.type === 'reasoning' && b.type === 'reasoning') return a.part === b.part
  return a.type === b.type
}
