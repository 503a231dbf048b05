import type { PriceName } from '../../core/records/ledger.ts'

/** The models that the key may use, and their aliases. */
export interface Models {
  /** Returns the models at the endpoint that the path names, or at all endpoints when the path
   *  names no endpoint. Chat models come first, because programs that let a user choose a model
   *  show the first ones. */
  list(): ModelSummary[]
  /** Returns the model with this id or alias. A built-in id or alias may be followed by a date.
   *  Returns undefined when there is no such model, or the key is not allowed to name it. */
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
  /** Id of the model when this name is an alias of it. */
  aliasOf?: string
  /** Price of the model's units, in `currency`; a model without a price is free. */
  price?: { currency: string; amounts: Partial<Record<PriceName, number>> }
  /** The reason why the model cannot be used at the moment; absent when it can. */
  unusable?: string
}
