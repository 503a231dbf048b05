/** Ports (interfaces to the store) for accounts, access keys and endpoints, and for the keys
 *  that sign links. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FileCandidate, FileGeneration, FileStanding } from '../records/file-generation.ts'
import type { Quota } from '../records/ledger.ts'

export interface Account {
  id: string
  name: string
  /** Origin of the entry. An entry with the source `yaml` belongs to the configuration file: when
   *  the file no longer contains it, its keys are revoked at the next reload. The file may also set
   *  values of an entry from another source. Reads then return the values of the file, with the
   *  source `yaml` if the file sets limits. When the file no longer contains the entry, its stored
   *  values apply again. */
  source: 'first-start' | 'admin' | 'yaml'
  webhookSecret?: string
  limits?: Limits
  createdAt: number
}

export type AccountChanges = Partial<Pick<Account, 'name' | 'webhookSecret' | 'limits'>>

/** Limits of the use of a key or an account; a limit that is absent does not apply. */
export interface Limits {
  ratePerMinute?: number
  concurrentTasks?: number
  quotas?: Quota[]
}

export interface KeyScopes {
  /** Names of endpoints that the key may use. In this list and the two that follow it, an empty
   *  list allows every name. */
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
  /** Last four characters of the key, by which its owner recognises it in lists. */
  hint: string
  scopes: KeyScopes
  limits?: Limits
  /** Limits of the key's account, which all keys of the account share. These limits are read
   *  together with the key. */
  accountLimits?: Limits
  expiresAt?: number
  revokedAt?: number
  source: 'first-start' | 'admin' | 'yaml'
  createdAt: number
}

/** The secret with which the holder of an access key signs tokens (docs/decisions/0039). Stores
 *  encrypt it. */
export interface TokenSecret {
  keyId: string
  secret: string
  createdAt: number
}

export interface EndpointRoute {
  /** The model that the route always uses; when absent, the family's own rule chooses one. */
  model?: string
  /** Further settings of the route, such as `response_shape`; each family defines its own. */
  settings?: JsonObject
}

export interface Endpoint {
  accountId: string
  name: string
  /** Routes by family id. A route under `'*'` applies to every family that has no route of its
   *  own. */
  routes: Record<string, EndpointRoute>
  source: 'first-start' | 'admin' | 'yaml'
  createdAt: number
}

/** Values that the configuration file sets for entries (accounts, keys, endpoints) that were
 *  created in another way. */
export interface Overlay {
  accounts: readonly AccountOverlay[]
  keys: readonly AccessKey[]
  endpoints: readonly Endpoint[]
}

/** The values that the file sets for an account; an absent field keeps its stored value. */
export type AccountOverlay = Pick<Account, 'id'> & Partial<Pick<Account, 'name' | 'limits' | 'webhookSecret'>>

/** Accounts, keys and endpoints with the values that apply now: the stored values, or the values of
 *  the overlay where it sets any. */
export interface AccountStore extends StoredAccounts {
  /** The stored accounts, keys and endpoints without the overlay. */
  readonly stored: StoredAccounts
  /** Replaces the previous overlay. The overlay is not stored: the code that reads the
   *  configuration file sets it again after each start. A key that the operator has revoked stays
   *  revoked. */
  overlay(overlay: Overlay): void
}

/** The accounts, keys and endpoints that belong to a configuration file. */
export interface FileEntries {
  accounts: readonly Account[]
  keys: readonly AccessKey[]
  endpoints: readonly Endpoint[]
}

export interface StoredAccounts {
  /** True when other nodes may use the store at the same time. */
  readonly isShared: boolean
  putAccount(account: Account): Promise<void>
  /** Changes, in one commit, only those fields of the account that `changes` contains, and only
   *  those of its limits that `changes.limits` contains. Changes of other fields that another
   *  caller makes at the same time are kept. Creates the account with the source `admin` when it
   *  does not exist. */
  changeAccount(id: string, changes: AccountChanges, at: number): Promise<void>
  /** Replaces the limits of an account; undefined removes them. Changes nothing else. */
  limitAccount(id: string, limits: Limits | undefined): Promise<void>
  accounts(): Promise<Account[]>
  account(id: string): Promise<Account | undefined>
  putKey(key: AccessKey): Promise<void>
  keys(accountId?: string): Promise<AccessKey[]>
  key(id: string): Promise<AccessKey | undefined>
  keyBySha256(sha256: string): Promise<AccessKey | undefined>
  /** Replaces the limits of a key; undefined removes them. Changes nothing else, so that a
   *  revocation by another node in the meantime stays. */
  limitKey(id: string, limits: Limits | undefined): Promise<void>
  revokeKey(id: string, at: number): Promise<boolean>
  /** Stores the token secret of a key in place of its previous one. */
  putTokenSecret(secret: TokenSecret): Promise<void>
  /** Removes the token secret of a key; false when the key has none. */
  removeTokenSecret(keyId: string): Promise<boolean>
  /** Returns the token secret of a key; undefined when it has none. Throws `store_unavailable` when
   *  the secret was encrypted with another secret key. */
  tokenSecret(keyId: string): Promise<TokenSecret | undefined>
  /** Returns the ids of the keys that have a token secret. */
  keysWithTokenSecret(): Promise<string[]>
  putEndpoint(endpoint: Endpoint): Promise<void>
  removeEndpoint(accountId: string, name: string): Promise<boolean>
  endpoints(accountId?: string): Promise<Endpoint[]>
  endpoint(accountId: string, name: string): Promise<Endpoint | undefined>
  /** Returns the configuration file that applies now; undefined before the first one. */
  fileGeneration(): Promise<FileGeneration | undefined>
  /** Applies the entries of a configuration file in one commit. The entries are written with the
   *  source `yaml`. Keys that an earlier file created and that `entries` lacks are revoked; such
   *  endpoints are removed. Entries from other sources are unchanged. The new generation is stored.
   *
   *  When the file is older than the one that applies, the call only records that the node has read
   *  the file, and returns `older`. `planned` is the number of the generation that applied when the
   *  caller read the stored entries, 0 for none. When another file has been applied since then, the
   *  call writes nothing and returns `stale`. */
  applyFile(entries: FileEntries, candidate: FileCandidate, planned: number): Promise<FileStanding | 'stale'>
  /** Returns a number that grows with every write of accounts, keys and endpoints; answers from
   *  memory. A cache compares the number and drops its contents when the number has changed:
   *  reads that begin after the change see the write. After a write of this node, the number has
   *  changed when the write resolves; after a write of another node, it changes within 2 s, or 5
   *  s while notifications do not arrive. A cache must therefore compare the number again after
   *  5 s at the latest. */
  revision(): number
}

/** The keys that sign links; they are encrypted in the store. */
export interface SecretStore {
  putSigningKey(key: { id: string; secret: Buffer; createdAt: number }): Promise<void>
  /** Returns the signing keys, newest first. Links are signed with the first and verified with the
   *  first two. */
  signingKeys(): Promise<{ id: string; secret: Buffer; createdAt: number }[]>
  /** Returns a number that grows whenever a node has written a signing key.
   *  `StoredAccounts.revision` says how soon the number changes on other nodes. */
  revision(): number
}
