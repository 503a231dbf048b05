/** A fake driver for text: the test supplies the answers. */

import { type DriverSpec, defineDriver, streamed } from '@generation-gateway/kit/driver.ts'
import type { Done, Driver, Job } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextFinish, TextRequest, TextUsage } from '@generation-gateway/kit/requests/text.ts'
import Type from 'typebox'

export type TextScript = (job: Job<TextRequest>) => AsyncIterable<TextEvent | Finish>
export interface Finish {
  type: 'finish'
  finish?: TextFinish
  usage?: Partial<TextUsage>
}

/** Returns a driver with this id whose answers come from the script. `extra` adds members to the
 *  driver, such as relays. A script that yields no `finish` ends with a usage of 7 input and 3
 *  output tokens. */
export function fakeTextDriver(id: string, script: TextScript, extra: Partial<Driver> = {}): DriverSpec {
  const run = streamed<TextRequest, TextEvent>(async function* (job) {
    let end: Finish = { type: 'finish' }
    for await (const event of script(job)) {
      job.signal.throwIfAborted()
      if (event.type === 'finish') end = event
      else yield { type: 'event', event }
    }
    yield { type: 'outcome', outcome: doneText(end) }
  })
  return defineDriver({
    id,
    title: `Fake ${id}`,
    kind: 'upstream',
    settings: Type.Object({}),
    open: () => ({
      id,
      title: `Fake ${id}`,
      queue: { name: `fake:${id}`, slots: 4 },
      offers: { 'text.respond': run },
      ...extra,
    }),
  })
}

/** Returns the text of a configuration file in which this driver serves the model `fake` of chat
 *  and Responses. */
export function fakeTextYaml(driver: string, model = 'fake'): string {
  return `models:\n  - { id: ${model}, family: [chat, responses], targets: [{ driver: ${driver} }] }\n`
}

/** Yields one text, word by word. */
export async function* says(text: string, end: Omit<Finish, 'type'> = {}): AsyncIterable<TextEvent | Finish> {
  for (const delta of text.match(/\S+\s*/g) ?? []) yield { type: 'text', delta }
  yield { type: 'finish', ...end }
}

function doneText({ finish = 'stop', usage }: Finish): Done {
  const counts: TextUsage = { inputTokens: 7, cachedInputTokens: 0, outputTokens: 3, reasoningTokens: 0, ...usage }
  return {
    state: 'done',
    files: [],
    report: { finish, usage: counts },
    usage: [
      { unit: 'input_tokens', units: counts.inputTokens },
      { unit: 'output_tokens', units: counts.outputTokens },
    ],
  }
}
