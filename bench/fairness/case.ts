import type { EngineSpec } from '@generation-gateway/kit/driver.ts'
import type { AskOptions, OpenEngine } from '@generation-gateway/kit/open-engine.ts'

/** A job of the engine. */
export type Run = (engine: OpenEngine, options: AskOptions) => Promise<unknown>

/** One engine's benchmark: the long jobs of account `a`, and the short call of account `b` that runs beside them. */
export interface FairnessCase {
  /** In the table: the engine, and what the long jobs are. */
  name: string
  engine: EngineSpec
  /** All at once, by account `a`. They need not come to their end. */
  long: readonly Run[]
  /** A job of one piece, where the long ones give no sign between two. */
  piece?: Run
  /** By account `b`. */
  short: Run
  /** Does work of the long kind in this process with `giveWay` as the engine's own, for the length of its pieces; absent where the progress of a long job tells it. */
  inPieces?(giveWay: () => Promise<void>): Promise<unknown>
}
