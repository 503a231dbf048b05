/** A process that plays the role of the gateway in a test. It requests a long answer from a
 *  child process. At the first event of the answer (`sampling`), just before the model writes,
 *  it prints the description of that child process (its process id, model and load) as JSON. */
import { createTextHost } from '../host.ts'
import { request, testModel } from './ask.ts'

const host = createTextHost({ children: 1, requestLimit: 1, idleMs: 60_000, onLog: () => {} })
const { signal } = new AbortController()
let isSaid = false
for await (const _ of host.respond(testModel(), request('Write a long story about a fox.', { maxOutputTokens: 4000 }), { signal })) {
  if (!isSaid) process.stdout.write(JSON.stringify(host.children()[0]))
  isSaid = true
}
