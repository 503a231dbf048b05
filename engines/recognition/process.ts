/** Entry point of the recognition engine's child process, which detects speech and identifies
 *  speakers. whisper.cpp does not run in it: the gateway's own process starts that program. */
import { type EngineCall, serveEngine } from '@generation-gateway/kit/process/child.ts'
import { type IdentifyJob, identifySpeakers } from './speakers/identify-job.ts'
import { listen } from './voice/silero.ts'

serveEngine({
  listen: (payload: { path: string; model: string }, call: EngineCall) => listen(payload, call),
  identify: (payload: IdentifyJob, call: EngineCall) => identifySpeakers(payload, call),
})
