/** The thread of `call-check.ts`: the calls come as `workerData`, and two messages go back, `ready` and what was found. */
import { parentPort, workerData } from 'node:worker_threads'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { CheckedCall } from './call-check.ts'

// Not validated: schemas of all drafts come here, and some of none.
const ajv = new Ajv2020({ strict: false, logger: false, meta: false, validateSchema: false, validateFormats: false })

function misfitOf({ name, schema, input }: CheckedCall): string[] {
  try {
    // Its draft is not what tells schemas of tools apart.
    const { $schema: _, ...known } = schema
    const fits = ajv.compile(known)
    if (fits(JSON.parse(input))) return []
    const says = ajv.errorsText(fits.errors, { dataVar: 'arguments' })
    return [`The call of ${name} does not fit its parameters: ${says}.`.replace(/[^ -~]/g, '?').slice(0, 300)]
  } catch {
    // No schema that can be read, or arguments that broke off.
    return []
  }
}

parentPort?.postMessage('ready')
parentPort?.postMessage((workerData as CheckedCall[]).flatMap(misfitOf))
