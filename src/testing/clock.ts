import type { Clock } from '../core/ports/store.ts'

export interface FakeClock extends Clock {
  step(ms: number): void
}

/** Returns a clock that moves only when a test steps it. */
export function createFakeClock(start = Date.UTC(2026, 10, 21)): FakeClock {
  let now = start
  return {
    now: () => now,
    step: ms => {
      now += ms
    },
  }
}
