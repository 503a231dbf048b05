/** The program of the load generator. It carries out the commands that its parent process sends
 *  (load-process.ts). */

import { runLoop } from './load-loop.ts'
import type { Command, LoopJob, LoopResult, StreamCounts, StreamsJob } from './load-process.ts'
import { LoadedStreams } from './load-streams.ts'

let streams = new LoadedStreams()

process.on('message', (command: Command) => {
  run(command).then(
    value => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})

async function run(command: Command): Promise<LoopResult | StreamCounts> {
  if (command.kind === 'loop') return loop(command.job)
  if (command.kind === 'open') return open(command.job)
  if (command.kind === 'drop') streams.drop()
  return streams.counts()
}

function loop(job: LoopJob): Promise<LoopResult> {
  return runLoop(job)
}

async function open(job: StreamsJob): Promise<StreamCounts> {
  streams = new LoadedStreams()
  await streams.open(job)
  return streams.counts()
}
