/** The port of accounts, access keys and endpoints. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Quota } from '../records/ledger.ts'

export interface Account {
  id: string
  name: string
  /** Who made it. `yaml` entries are the file's: gone from it, their keys are revoked at reload. What others made and the file names as well reads as `yaml` where the file has its say, and is as it was before once the file no longer names it. */
  source: 'first-start' | 'admin' | 'yaml'
  webhookSecret?: string
  limits?: Limits
  createdAt: number
}

/** How much may be used; nothing is limited by default. */
export interface Limits {
  ratePerMinute?: number
  concurrentTasks?: number
  quotas?: Quota[]
}

export interface KeyScopes {
  /** Empty: all. */
  endpoints: string[]
  families: string[]
  models: string[]
}

export interface AccessKey {
  id: string
  accountId: string
  name: string
  /** SHA-256 of the key, hex; the key itself is never stored. */
  sha256: string
  /** Last four characters, to recognise it in lists. */
  hint: string
  scopes: KeyScopes
  limits?: Limits
  /** Those of the account, which all of its keys share; read with the key. */
  accountLimits?: Limits
  expiresAt?: number
  revokedAt?: number
  source: 'first-start' | 'admin' | 'yaml'
  createdAt: number
}

/** What the holder of an access key signs tokens with (docs/decisions/0039). Stores keep it encrypted. */
export interface TokenSecret {
  keyId: string
  secret: string
  createdAt: number
}

export interface EndpointRoute {
  /** A fixed model of the family; absent: chosen by the family's own rule. */
  model?: string
  /** Further settings of the family's route (`response_shape`). */
  settings?: JsonObject
}

export interface Endpoint {
  accountId: string
  name: string
  /** Family id -> route. `'*'` gives every family its automatic route. */
  routes: Record<string, EndpointRoute>
  source: 'first-start' | 'admin' | 'yaml'
  createdAt: number
}

/** What the configuration file says of accounts, keys and endpoints that others made. */
export interface Overlay {
  accounts: readonly AccountOverlay[]
  keys: readonly AccessKey[]
  endpoints: readonly Endpoint[]
}

/** What is absent stays as it is stored. */
export type AccountOverlay = Pick<Account, 'id'> & Partial<Pick<Account, 'name' | 'limits' | 'webhookSecret'>>

/** Accounts, keys and endpoints as they are in force: where an overlay has something to say of a stored one, reads give that. */
export interface AccountStore extends StoredAccounts {
  /** As they are without the overlay. */
  readonly stored: StoredAccounts
  /** Takes the place of the overlay before. It is not stored: whoever reads the file gives it anew. A key that the operator has revoked stays revoked. */
  overlay(overlay: Overlay): void
}

export interface StoredAccounts {
  putAccount(account: Account): Promise<void>
  accounts(): Promise<Account[]>
  putKey(key: AccessKey): Promise<void>
  keys(accountId?: string): Promise<AccessKey[]>
  keyBySha256(sha256: string): Promise<AccessKey | undefined>
  revokeKey(id: string, at: number): Promise<boolean>
  /** Takes the place of the key's earlier one. */
  putTokenSecret(secret: TokenSecret): Promise<void>
  /** False when the key has none. */
  removeTokenSecret(keyId: string): Promise<boolean>
  /** Throws `store_unavailable` when it was encrypted with another secret key. */
  tokenSecret(keyId: string): Promise<TokenSecret | undefined>
  /** Ids of the keys that have one. */
  keysWithTokenSecret(): Promise<string[]>
  putEndpoint(endpoint: Endpoint): Promise<void>
  removeEndpoint(accountId: string, name: string): Promise<boolean>
  endpoints(accountId?: string): Promise<Endpoint[]>
  endpoint(accountId: string, name: string): Promise<Endpoint | undefined>
  /** Changes whenever one of the above is written: caches compare it. */
  revision(): number
}
