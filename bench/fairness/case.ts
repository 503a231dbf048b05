import type { EngineSpec } from '@generation-gateway/kit/driver.ts'
import type { AskOptions, OpenEngine } from '@generation-gateway/kit/open-engine.ts'

export type Ask = (engine: OpenEngine, options: AskOptions) => Promise<unknown>

/** What one engine is asked for in the bench of fairness. */
export interface FairnessCase {
  name: string
  /** What the two accounts ask for. */
  says: string
  spec: EngineSpec
  /** Jobs of account A that run all the time. They report progress. */
  long: readonly Ask[]
  /** The call of account B. */
  short: Ask
  /** Does such work in this process with `giveWay` as the engine's own, in a folder for its files. */
  inPieces(giveWay: () => Promise<void>, folder: string): Promise<unknown>
}
