/** The worker thread of `call-check.ts`. It receives a model's tool calls as `workerData` and
 *  posts two messages: first `ready`, then the findings. */
import { parentPort, workerData } from 'node:worker_threads'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { CheckedCall } from './call-check.ts'

// The schemas of callers are used without being validated, because they may follow any draft of
// JSON Schema, or none.
const ajv = new Ajv2020({ strict: false, logger: false, meta: false, validateSchema: false, validateFormats: false })

function misfitOf({ name, schema, input }: CheckedCall): string[] {
  try {
    // `$schema` names the draft of JSON Schema to which the schema belongs. It is removed, because
    // every schema is checked with the same draft.
    const { $schema: _, ...known } = schema
    const fits = ajv.compile(known)
    if (fits(JSON.parse(input))) return []
    const says = ajv.errorsText(fits.errors, { dataVar: 'arguments' })
    return [`The call of ${name} does not fit its parameters: ${says}.`.replace(/[^ -~]/g, '?').slice(0, 300)]
  } catch {
    // The schema cannot be read, or the arguments are not complete JSON. Then nothing is reported.
    return []
  }
}

parentPort?.postMessage('ready')
parentPort?.postMessage((workerData as CheckedCall[]).flatMap(misfitOf))
