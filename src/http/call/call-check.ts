/** Checks whether the tool calls in a model's answer fit the JSON Schemas of the tools. Targets
 *  enforce a schema only partly, and for a tool that is not strict the model may deviate from
 *  the schema. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { inLimitedThread } from '@generation-gateway/kit/process/limited-thread.ts'
import { TextOutput } from '@generation-gateway/kit/requests/conversation/text-output.ts'
import type { TextEvent, TextTool } from '@generation-gateway/kit/requests/text.ts'

/** Largest number of sentences that are reported for one answer, because they are sent in a
 *  header. */
const mostIssuesShown = 5
const program = new URL('./call-check-worker.ts', import.meta.url)

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
      const reported = calls.length > 0 ? await inLimitedThread<string[]>(program, calls) : []
      return reported?.slice(0, mostIssuesShown) ?? []
    },
  }
}
