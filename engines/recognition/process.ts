/** The child process of the recognition engine, which detects voices. whisper.cpp is a separate
 *  program that the gateway's process runs. */
import { type EngineCall, serveEngine } from '@generation-gateway/kit/process/child.ts'
import { type IdentifyJob, identifySpeakers } from './speakers/identify-job.ts'
import { listen } from './voice/silero.ts'

serveEngine({
  listen: (payload: { path: string; model: string }, call: EngineCall) => listen(payload, call),
  identify: (payload: IdentifyJob, call: EngineCall) => identifySpeakers(payload, call),
})
