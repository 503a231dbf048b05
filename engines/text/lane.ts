/** A lane is a llama.cpp context with places for several conversations, which are decoded together.
 *  The conversations in a lane have the same maximum length. */
import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp'

/** Largest number of tokens that are decoded in one step. The limit bounds the working memory (the
 *  logits of a step), and the time for which a long prompt delays other conversations. */
const batchSize = 256

interface LaneOptions {
  contextSize: number
  places: number
  threads: number
}

export interface LaneSlot {
  sequence: LlamaContextSequence
  /** The owner of the conversation in this place; undefined when the place is free. */
  holder: { account: string | undefined } | undefined
}

export class Lane {
  readonly contextSize: number
  readonly #options: LaneOptions
  readonly #model: LlamaModel
  #context: LlamaContext | undefined
  #opening: Promise<void> | undefined
  #places: LaneSlot[] = []
  /** Number of places of the lane that are taken, by account. */
  readonly #taken = new Map<string | undefined, number>()

  constructor(model: LlamaModel, options: LaneOptions) {
    this.contextSize = options.contextSize
    this.#options = options
    this.#model = model
  }

  /** Number of free places. */
  get free(): number {
    let taken = 0
    for (const count of this.#taken.values()) taken += count
    return this.#options.places - taken
  }

  get isIdle(): boolean {
    return this.#taken.size === 0
  }

  /** Returns the number of places that the account holds. */
  heldBy(account: string | undefined): number {
    return this.#taken.get(account) ?? 0
  }

  /** Takes the free place whose cached tokens have the longest beginning in common with `tokens`.
   *  The lane must have a free place. The context is created on first use. */
  async take(account: string | undefined, tokens: readonly Token[]): Promise<LaneSlot> {
    this.#count(account, 1)
    try {
      await this.open()
    } catch (error) {
      this.#count(account, -1)
      throw error
    }
    const free = this.#places.filter(place => !place.holder)
    const best = free.toSorted((a, b) => sharedLength(b, tokens) - sharedLength(a, tokens))[0]
    if (!best) throw new Error('a lane gave out more places than it has')
    best.holder = { account }
    return best
  }

  /** Creates the context unless it exists. */
  async open(): Promise<void> {
    try {
      this.#opening ??= this.#make()
      await this.#opening
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  give(place: LaneSlot): void {
    if (place.holder) this.#count(place.holder.account, -1)
    place.holder = undefined
  }

  #count(account: string | undefined, change: number): void {
    const count = this.heldBy(account) + change
    if (count > 0) this.#taken.set(account, count)
    else this.#taken.delete(account)
  }

  /** Frees the memory of the context. The next conversation creates it again. The caller must make
   *  sure that no conversation is running. */
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
    this.#places = Array.from({ length: places }, () => ({ sequence: context.getSequence(), holder: undefined }))
  }
}

function sharedLength({ sequence }: LaneSlot, tokens: readonly Token[]): number {
  return sequence.compareContextTokens([...tokens]).firstDifferentIndex
}
