/** Starts a gateway whose text model follows a script, for this family's tests. */
import assert from 'node:assert/strict'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { type Finish, fakeTextDriver } from '../../../testing/fakes/fake-text-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../../testing/gateway.ts'

export const path = '/v1/ai/default/responses'

export type ScriptEvent = TextEvent | Finish
type Script = (job: Job<TextRequest>) => AsyncIterable<ScriptEvent>

export interface Model {
  gateway: TestGateway
  /** Every request the model got, oldest first. */
  requests: TextRequest[]
  /** Sets the script that the model follows from now on. */
  says(script: Script): void
  /** Creates a response and asserts that the status is 200. */
  create(body: object): Promise<Answer['body']>
  get(id: string, query?: string): Promise<Answer>
  frames(path: string, body?: object): Promise<Frame[]>
}

/** One event as received; `[DONE]` stays text. */
export interface Frame {
  event: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape.
  data: any
}

const yaml = 'models: [{ id: fake, family: responses, targets: [{ driver: fake-text }] }]\n'

export async function startModel(): Promise<Model> {
  let script: Script = () => words('Hello there.')
  const requests: TextRequest[] = []
  const driver = fakeTextDriver('fake-text', job => {
    requests.push(structuredClone(job.request))
    return script(job)
  })
  const gateway = await startTestGateway({ drivers: [driver], yaml })
  const model: Model = {
    gateway,
    requests,
    says: next => {
      script = next
    },
    async create(body) {
      const answer = await gateway.call(path, { body: { model: 'fake', ...body } })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    },
    get: (id, query = '') => gateway.call(`${path}/${id}${query}`),
    async frames(at, body) {
      const answer = await gateway.call(at, body ? { body: { model: 'fake', stream: true, ...body } } : {})
      assert.equal(answer.status, 200, answer.bytes.toString())
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
      return framesOf(answer.bytes.toString())
    },
  }
  return model
}

/** Yields a text in one delta per word. */
export async function* words(text: string): AsyncIterable<ScriptEvent> {
  for (const delta of text.match(/\S+\s*/g) ?? []) yield { type: 'text', delta }
}

/** Yields these events one after the other. */
export async function* all(...said: ScriptEvent[]): AsyncIterable<ScriptEvent> {
  yield* said
}

function framesOf(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter(block => block !== '' && !block.startsWith(':'))
    .map(block => {
      const lines = block.split('\n')
      const data = lines.find(line => line.startsWith('data: '))?.slice(6) ?? ''
      return { event: lines.find(line => line.startsWith('event: '))?.slice(7), data: data === '[DONE]' ? data : JSON.parse(data) }
    })
}
