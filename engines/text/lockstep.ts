/** Lets the conversations of one context take each step of the model together, so that every step serves all of them. */
export class Lockstep {
  #members = 0
  #waiting: (() => void)[] = []
  readonly #onStep: (width: number) => void

  /** `onStep` is told how many take the next step, right before it. */
  constructor(onStep: (width: number) => void) {
    this.#onStep = onStep
  }

  join(): void {
    this.#members += 1
  }

  leave(): void {
    this.#members -= 1
    this.#go()
  }

  /** Resolves when every member is ready for the next step. */
  ready(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#go()
    })
  }

  #go(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#members) return
    const waiting = this.#waiting
    this.#waiting = []
    this.#onStep(waiting.length)
    for (const resolve of waiting) resolve()
  }
}
