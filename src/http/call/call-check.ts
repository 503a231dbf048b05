/** Checks whether the tool calls in a model's answer fit the JSON Schemas of the tools. Targets
 *  enforce a schema only partly, and for a tool that is not strict the model may deviate from
 *  the schema. */
import { Worker } from 'node:worker_threads'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { TextOutput } from '@generation-gateway/kit/requests/conversation/text-output.ts'
import type { TextEvent, TextTool } from '@generation-gateway/kit/requests/text.ts'

/** Time limit of a check in ms, counted from the moment at which its thread is ready. The schema
 *  comes from the caller and may make the check run forever, so each check runs in a thread of
 *  its own with limited memory. */
const longestMs = 250
/** Time limit in ms for the start of the thread, which may be slow on a busy machine. */
const longestStartMs = 5_000
const mostMegabytes = 64
/** Largest number of threads at a time. While all are busy, further answers are sent unchecked. */
const mostThreads = 4
/** Largest number of sentences that are reported for one answer, because they are sent in a
 *  header. */
const mostIssuesShown = 5
let threads = 0

/** Input of the thread: a tool call of the model, with the schema of its tool. */
export interface CheckedCall {
  name: string
  schema: JsonObject
  input: string
}

/** Returns an object that collects the tool calls of one answer and checks them at its end. */
export function createCallCheck(tools: readonly TextTool[]) {
  const schemas = new Map(
    tools.flatMap(tool =>
      tool.kind === 'function' && tool.strict !== true && tool.parameters ? [[tool.name, tool.parameters] as const] : [],
    ),
  )
  const output = new TextOutput()
  return {
    add(event: TextEvent): void {
      if (event.type === 'call' || event.type === 'call-input') output.add(event)
    },
    /** Returns an ASCII sentence for each tool call whose arguments do not fit the schema of the
     *  tool; empty when all fit, or when the check could not be made in time. */
    async misfits(): Promise<string[]> {
      const calls = output.items().flatMap((item): CheckedCall[] => {
        const schema = item.type === 'call' ? schemas.get(item.name) : undefined
        return item.type === 'call' && schema ? [{ name: item.name, schema, input: item.input }] : []
      })
      const reported = calls.length > 0 && threads < mostThreads ? await inThread(calls) : []
      return reported.slice(0, mostIssuesShown)
    },
  }
}

async function inThread(calls: CheckedCall[]): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  let worker: Worker
  try {
    worker = new Worker(new URL('./call-check-worker.ts', import.meta.url), {
      workerData: calls,
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
      env: {},
    })
  } catch {
    // No thread could be started; the answer is sent unchecked.
    return []
  }
  threads += 1
  let timer = setTimeout(() => resolve([]), longestStartMs)
  worker.on('message', (found: string[] | 'ready') => {
    if (found !== 'ready') return resolve(found)
    clearTimeout(timer)
    timer = setTimeout(() => resolve([]), longestMs)
  })
  worker.once('error', () => resolve([]))
  worker.once('exit', () => resolve([]))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
    threads -= 1
  }
}
