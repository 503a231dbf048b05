/** Starts a pipeline with limits, prints its process group and waits until a test kills it. */
import { startLimited } from '../process/limited-process.ts'

const child = startLimited('/bin/sh', ['-c', 'sleep 600 | sleep 600'], { fileBytes: 0, timeMs: 600_000, env: { PATH: process.env.PATH } })
child.stdout.resume()
process.stdout.write(JSON.stringify({ pid: child.pid }))
setInterval(() => {}, 1000)
