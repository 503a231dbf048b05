import type { EngineSpec } from '@generation-gateway/kit/driver.ts'
import type { OpenEngine, RunOptions } from '@generation-gateway/kit/open-engine.ts'

/** Runs one job of the engine. */
export type Run = (engine: OpenEngine, options: RunOptions) => Promise<unknown>

/** A benchmark of one engine: the long jobs of account `a`, and the short call of account `b`
 *  that runs at the same time. */
export interface FairnessCase {
  /** Label in the table: the engine, and the kind of long jobs. */
  name: string
  engine: EngineSpec
  /** Jobs of account `a`, which start together. They are stopped when the short call has been
   *  measured. */
  long: readonly Run[]
  /** Runs a job that cannot be interrupted, so that its whole time is the length of one piece. Set
   *  for long jobs whose progress reports do not show where a piece ends. */
  piece?: Run
  /** The short call, which account `b` makes. */
  short: Run
  /** Does the long work in this process and calls `giveWay` whenever other work may run. The
   *  benchmark measures the time between these calls. Absent when the progress reports of a long
   *  job show its pieces. */
  inPieces?(giveWay: () => Promise<void>): Promise<unknown>
}
