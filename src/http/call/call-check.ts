/** Whether the calls of an answer fit the schemas of their tools. A model is held to a schema only as far as its target can, and a tool that is not strict may ask for more. */
import { Worker } from 'node:worker_threads'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextEvent, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { TextOutput } from '@generation-gateway/kit/requests/text-output.ts'

/** A schema is the caller's: it may take for ever. It has a thread of its own, this long from when it is ready, and this large. */
const longestMs = 250
/** Until it is ready, on a busy machine. */
const longestStartMs = 5_000
const mostMegabytes = 64
/** Threads at a time; answers beyond are not checked. */
const mostThreads = 4
/** Sentences of one answer: they stand in a header. */
const mostTold = 5
let threads = 0

/** What is handed to the thread: pairs of a schema and the text that should fit it. */
export interface CheckedCall {
  name: string
  schema: JsonObject
  input: string
}

/** Gathers the calls of one answer. */
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
    /** A sentence in ASCII for each call that does not fit; empty when all fit, or when it cannot be known in time. */
    async misfits(): Promise<string[]> {
      const calls = output.items().flatMap((item): CheckedCall[] => {
        const schema = item.type === 'call' ? schemas.get(item.name) : undefined
        return item.type === 'call' && schema ? [{ name: item.name, schema, input: item.input }] : []
      })
      const told = calls.length > 0 && threads < mostThreads ? await inThread(calls) : []
      return told.slice(0, mostTold)
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
    // The machine has no thread to spare: the answer is there all the same.
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
