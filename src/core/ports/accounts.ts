/** The ports of accounts, access keys and endpoints, and of the keys that sign links. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FileCandidate, FileGeneration, FileStanding } from '../records/file-generation.ts'
import type { Quota } from '../records/ledger.ts'

export interface Account {
  id: string
  name: string
  /** Origin of the entry. `yaml` entries belong to the configuration file: when the file no
   *  longer has them, their keys are revoked at reload. An entry made elsewhere and named in the
   *  file as well reads as `yaml` where the file sets its values, and returns to its stored
   *  values once the file no longer names it. */
  source: 'first-start' | 'admin' | 'yaml'
  webhookSecret?: string
  limits?: Limits
  createdAt: number
}

/** Limits of use; nothing is limited by default. */
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
  /** Limits of the account, shared by all of its keys; read with the key. */
  accountLimits?: Limits
  expiresAt?: number
  revokedAt?: number
  source: 'first-start' | 'admin' | 'yaml'
  createdAt: number
}

/** The secret with which the holder of an access key signs tokens (docs/decisions/0039). Stores
 *  keep it encrypted. */
export interface TokenSecret {
  keyId: string
  secret: string
  createdAt: number
}

export interface EndpointRoute {
  /** A fixed model of the family; absent: the family's own rule chooses. */
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

/** Values of the configuration file for accounts, keys and endpoints that were made elsewhere. */
export interface Overlay {
  accounts: readonly AccountOverlay[]
  keys: readonly AccessKey[]
  endpoints: readonly Endpoint[]
}

/** Absent fields keep their stored values. */
export type AccountOverlay = Pick<Account, 'id'> & Partial<Pick<Account, 'name' | 'limits' | 'webhookSecret'>>

/** Accounts, keys and endpoints in force: reads return the overlay's values where it has any for
 *  a stored entry. */
export interface AccountStore extends StoredAccounts {
  /** The stored entries without the overlay. */
  readonly stored: StoredAccounts
  /** Replaces the previous overlay. It is not stored: the reader of the file sets it again after
   *  each start. A key that the operator has revoked stays revoked. */
  overlay(overlay: Overlay): void
}

/** The accounts, keys and endpoints of a configuration file that belong to the file. */
export interface FileEntries {
  accounts: readonly Account[]
  keys: readonly AccessKey[]
  endpoints: readonly Endpoint[]
}

export interface StoredAccounts {
  /** True when other nodes may use the store at the same time. */
  readonly isShared: boolean
  putAccount(account: Account): Promise<void>
  accounts(): Promise<Account[]>
  account(id: string): Promise<Account | undefined>
  putKey(key: AccessKey): Promise<void>
  keys(accountId?: string): Promise<AccessKey[]>
  key(id: string): Promise<AccessKey | undefined>
  keyBySha256(sha256: string): Promise<AccessKey | undefined>
  revokeKey(id: string, at: number): Promise<boolean>
  /** Replaces the key's previous secret. */
  putTokenSecret(secret: TokenSecret): Promise<void>
  /** False when the key has no secret. */
  removeTokenSecret(keyId: string): Promise<boolean>
  /** Throws `store_unavailable` when it was encrypted with another secret key. */
  tokenSecret(keyId: string): Promise<TokenSecret | undefined>
  /** Ids of the keys that have a token secret. */
  keysWithTokenSecret(): Promise<string[]>
  putEndpoint(endpoint: Endpoint): Promise<void>
  removeEndpoint(accountId: string, name: string): Promise<boolean>
  endpoints(accountId?: string): Promise<Endpoint[]>
  endpoint(accountId: string, name: string): Promise<Endpoint | undefined>
  /** The configuration file in force; undefined before the first. */
  fileGeneration(): Promise<FileGeneration | undefined>
  /** Puts the entries of a file in force, in one commit: writes those of source `yaml`, revokes
   *  keys and removes endpoints of that source that `entries` lacks, and notes the generation.
   *  Entries of another source are left as they are. Of an `older` file only the note is written.
   *  `planned` is the number of the generation that the caller saw before it read what is stored,
   *  0 for none; `stale`, and nothing is written, when another file came in between. */
  applyFile(entries: FileEntries, candidate: FileCandidate, planned: number): Promise<FileStanding | 'stale'>
  /** Grows with every write of the above. Caches compare it, and drop all they hold when it has
   *  moved: a reading that begins after the move sees the write. After a write of this node it has
   *  moved when the write resolves; after one of another node within 2 s, or 5 s while
   *  notifications do not arrive. Answers from memory. Nothing may be cached longer than that
   *  without comparing it. */
  revision(): number
}

/** Signing keys of links, encrypted at rest. */
export interface SecretStore {
  putSigningKey(key: { id: string; secret: Buffer; createdAt: number }): Promise<void>
  /** Newest first; links are signed with the first and verified with the first two. */
  signingKeys(): Promise<{ id: string; secret: Buffer; createdAt: number }[]>
  /** Grows when a signing key was written, by any node, as `StoredAccounts.revision` does. */
  revision(): number
}
