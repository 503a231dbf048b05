/** Entry point of the composer's child process. */
import { type EngineCall, serveEngine } from '@generation-gateway/kit/process/child.ts'
import type { PieceJob } from './messages.ts'
import { makePiece } from './piece.ts'
import { reviewWords } from './review.ts'

serveEngine({ make: (job: PieceJob, call: EngineCall) => makePiece(job, call), review: reviewWords })
