/** A context of the model: places for some conversations of one length, decoded together. */
import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp'
import { Lockstep } from './lockstep.ts'

/** Tokens one step takes in at most: bounds the working memory (the logits of a step), and how long a long prompt delays its neighbours. */
const batchSize = 256

export interface LaneOptions {
  contextSize: number
  places: number
  threads: number
  onStep(width: number): void
}

export interface Place {
  sequence: LlamaContextSequence
  isBusy: boolean
}

export class Lane {
  readonly contextSize: number
  readonly lockstep: Lockstep
  readonly #options: LaneOptions
  readonly #model: LlamaModel
  #context: LlamaContext | undefined
  #opening: Promise<void> | undefined
  #places: Place[] = []
  #taken = 0

  constructor(model: LlamaModel, options: LaneOptions) {
    this.contextSize = options.contextSize
    this.lockstep = new Lockstep(options.onStep)
    this.#options = options
    this.#model = model
  }

  get isFull(): boolean {
    return this.#taken >= this.#options.places
  }

  get isIdle(): boolean {
    return this.#taken === 0
  }

  /** The free place that already holds the longest beginning of these tokens. Call only while not full. The context is made at first use. */
  async take(tokens: readonly Token[]): Promise<Place> {
    this.#taken += 1
    try {
      await this.open()
    } catch (error) {
      this.#taken -= 1
      throw error
    }
    const free = this.#places.filter(place => !place.isBusy)
    const best = free.toSorted((a, b) => sharedLength(b, tokens) - sharedLength(a, tokens))[0]
    if (!best) throw new Error('a lane gave out more places than it has')
    best.isBusy = true
    return best
  }

  /** Makes the context, unless it is there. */
  async open(): Promise<void> {
    try {
      this.#opening ??= this.#make()
      await this.#opening
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  give(place: Place): void {
    place.isBusy = false
    this.#taken -= 1
  }

  /** Frees the context's memory; the next conversation makes it anew. Only while idle. */
  async close(): Promise<void> {
    const context = this.#context
    this.#context = undefined
    this.#opening = undefined
    this.#places = []
    await context?.dispose()
  }

  async #make(): Promise<void> {
    const { contextSize, places, threads } = this.#options
    const context = await this.#model.createContext({ contextSize, sequences: places, batchSize, threads, failedCreationRemedy: false })
    this.#context = context
    this.#places = Array.from({ length: places }, () => ({ sequence: context.getSequence(), isBusy: false }))
  }
}

function sharedLength({ sequence }: Place, tokens: readonly Token[]): number {
  return sequence.compareContextTokens([...tokens]).firstDifferentIndex
}
