/** Leaves this process only a few free file descriptors, tries to start a program, and starts it
 *  once they are free again. Prints the code of the error and `started`. */
import { closeSync, openSync } from 'node:fs'
import { startLimited } from '../process/limited-process.ts'

const start = () => startLimited('/bin/true', [], { fileBytes: 0, timeMs: 60_000, env: {} })
const held: number[] = []
try {
  for (;;) held.push(openSync('/dev/null', 'r'))
} catch {
  for (const fd of held.splice(0, Number(process.argv[2]))) closeSync(fd)
}
let code: unknown
try {
  await start().ended
} catch (error) {
  code = Object(error).code
}
for (const fd of held) closeSync(fd)
const { kind } = await start().ended
process.stdout.write(`${code}, then ${kind === 'done' ? 'started' : kind}\n`)
