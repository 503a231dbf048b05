import type { PriceName } from '../../core/records/ledger.ts'

/** Models the key may use and their aliases. */
export interface Models {
  /** At one endpoint when the path names one, else at all. Chat models come first: programs that
   *  let a user choose a model show the first ones. */
  list(): ModelSummary[]
  /** Returns one of these by id, alias, or alias followed by a date; undefined when the key may
   *  not name it. */
  named(name: string): ModelSummary | undefined
  /** Ids of all families, in their order. */
  familyIds(): string[]
}

/** A name that a key may write into `model`. */
export interface ModelSummary {
  id: string
  title: string
  families: string[]
  /** Unix milliseconds. */
  createdAt: number
  /** Id of the model that this is another name of. */
  aliasOf?: string
  /** Price of its units, in `currency`; absent: free. */
  price?: { currency: string; amounts: Partial<Record<PriceName, number>> }
  /** The reason why it cannot be used at the moment. */
  unusable?: string
}
