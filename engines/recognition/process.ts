/** The child process of the recognition engine: listens for voices. whisper.cpp is a program of its own, which the gateway's process runs. */
import { type EngineCall, serveEngine } from '@generation-gateway/kit/process/child.ts'
import { type IdentifyJob, identifySpeakers } from './speakers/identify-job.ts'
import { listen } from './voice/silero.ts'

serveEngine({
  listen: (payload: { path: string; model: string }, call: EngineCall) => listen(payload, call),
  identify: (payload: IdentifyJob, call: EngineCall) => identifySpeakers(payload, call),
})
