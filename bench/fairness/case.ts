import type { EngineSpec } from '@generation-gateway/kit/driver.ts'
import type { OpenEngine, RunOptions } from '@generation-gateway/kit/open-engine.ts'

/** Runs one job of the engine. */
export type Run = (engine: OpenEngine, options: RunOptions) => Promise<unknown>

/** One engine's benchmark: the long jobs of account `a`, and the short call of account `b` that
 *  runs beside them. */
export interface FairnessCase {
  /** Label in the table: the engine, and the kind of long jobs. */
  name: string
  engine: EngineSpec
  /** Jobs of account `a`, which start together. They need not finish. */
  long: readonly Run[]
  /** Runs a job that consists of one piece; for long jobs that report no progress between two
   *  pieces. */
  piece?: Run
  /** The call of account `b`. */
  short: Run
  /** Does the long work in this process, with this `giveWay` in place of the engine's own, to
   *  measure the pieces of the work. Absent when the progress of a long job shows its pieces. */
  inPieces?(giveWay: () => Promise<void>): Promise<unknown>
}
