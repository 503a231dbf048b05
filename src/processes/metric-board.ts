import { setTimeout as sleep } from 'node:timers/promises'
import { addMetrics, countsOf, type Metric, renderSum } from '../http/metrics/metric-sums.ts'
import { presence } from './presence.ts'

const answerWithinMs = 2_000

/** A process whose metrics are added up. */
export interface MetricSource {
  name: string
  /** Sends the process a request for its metrics; false when the process is not running. The answer
   *  will contain `id`, the number of this request. */
  ask(id: number): boolean
}

/** Adds up the metrics of the processes of a machine. The sum of a counter never decreases: for
 *  a process that does not answer, its last values are used, and the values of a process that
 *  has ended are kept. */
export class MetricBoard {
  readonly #last = new Map<string, Metric[]>()
  readonly #waiting = new Map<number, (metrics: Metric[]) => void>()
  /** Sum of the counters of all processes that have ended. */
  #ended: Promise<Metric[]> = Promise.resolve([])
  #asked = 0

  /** Returns the sum as Prometheus text. `own` are the metrics of the process `asker`, which
   *  requested the sum. When a process does not answer within 2 s, only its last counters are
   *  included. */
  async sum(asker: string, own: Metric[], others: readonly MetricSource[]): Promise<string> {
    this.#last.set(asker, own)
    const answers = await Promise.all(others.map(each => this.#ask(each)))
    const missing = others.filter((_, index) => answers[index] === undefined)
    const last = missing.map(({ name }) => countsOf(this.#last.get(name) ?? []))
    const present = presence([[asker, true], ...others.map(({ name }, index) => [name, answers[index] !== undefined] as const)])
    return renderSum([own, ...answers.filter(each => each !== undefined), ...last, await this.#ended, present])
  }

  /** Receives the metrics of a process: its answer to the request with the number `id`. */
  answer(id: number, metrics: Metric[]): void {
    this.#waiting.get(id)?.(metrics)
  }

  /** Keeps the last counters of a process that has ended, so that the sum does not decrease. */
  end(name: string): void {
    const last = this.#last.get(name)
    this.#last.delete(name)
    if (last) this.#ended = this.#ended.then(ended => addMetrics([ended, countsOf(last)]))
  }

  async #ask({ name, ask }: MetricSource): Promise<Metric[] | undefined> {
    const id = ++this.#asked
    const { promise, resolve } = Promise.withResolvers<Metric[]>()
    this.#waiting.set(id, resolve)
    const metrics = ask(id) ? await Promise.race([promise, sleep(answerWithinMs, undefined, { ref: false })]) : undefined
    this.#waiting.delete(id)
    if (metrics) this.#last.set(name, metrics)
    return metrics
  }
}
