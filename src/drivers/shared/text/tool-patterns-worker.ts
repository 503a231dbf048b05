/** The worker thread of `tool-patterns.ts`. It receives its checks as `workerData` and posts two
 *  messages: first `ready`, then the findings in the order of the checks. */
import { parentPort, workerData } from 'node:worker_threads'
import { RE2JS } from 're2js'
import type { PatternCheck, PatternFinding } from './tool-patterns.ts'

/** RE2 is used because its time grows only linearly with the text. */
function findingOf({ pattern, text }: PatternCheck): PatternFinding {
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(pattern)
  } catch {
    return 'invalid'
  }
  return text === undefined || compiled.testExact(text) ? 'ok' : 'broken'
}

parentPort?.postMessage('ready')
parentPort?.postMessage((workerData as PatternCheck[]).map(findingOf))
