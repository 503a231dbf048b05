import type { AccessKey, Account, AccountOverlay, AccountStore, Endpoint, Overlay, StoredAccounts } from '../core/ports/store.ts'

/** Returns the accounts of a store with the entries of the configuration file laid over them
 *  (see `overlay` in docs/glossary.md). */
export function overlaidAccounts(stored: StoredAccounts): AccountStore {
  let configuredAccounts = new Map<string, AccountOverlay>()
  let configuredKeys = new Map<string, AccessKey>()
  let configuredEndpoints = new Map<string, Endpoint>()
  let changes = 0

  const account = (base: Account): Account => {
    const said = configuredAccounts.get(base.id)
    if (said === undefined) return base
    // An account gets the source `yaml` when the configuration file sets its limits.
    return { ...base, ...said, source: said.limits === undefined ? base.source : 'yaml' }
  }
  const key = (base: AccessKey): AccessKey => {
    const isRevokedByOperator = base.source === 'admin' && base.revokedAt !== undefined
    const said = isRevokedByOperator ? base : (configuredKeys.get(base.id) ?? base)
    const accountLimits = configuredAccounts.get(base.accountId)?.limits ?? base.accountLimits
    return accountLimits === undefined ? said : { ...said, accountLimits }
  }
  const endpoint = (base: Endpoint): Endpoint => configuredEndpoints.get(nameOf(base)) ?? base

  return {
    ...stored,
    stored,
    overlay: (next: Overlay) => {
      configuredAccounts = new Map(next.accounts.map(each => [each.id, each]))
      configuredKeys = new Map(next.keys.map(each => [each.id, each]))
      configuredEndpoints = new Map(next.endpoints.map(each => [nameOf(each), each]))
      changes += 1
    },
    accounts: async () => (await stored.accounts()).map(account),
    account: async id => {
      const base = await stored.account(id)
      return base && account(base)
    },
    keys: async accountId => (await stored.keys(accountId)).map(key),
    key: async id => {
      const base = await stored.key(id)
      return base && key(base)
    },
    keyBySha256: async sha256 => {
      const base = await stored.keyBySha256(sha256)
      return base && key(base)
    },
    endpoints: async accountId => (await stored.endpoints(accountId)).map(endpoint),
    endpoint: async (accountId, name) => {
      const base = await stored.endpoint(accountId, name)
      return base && endpoint(base)
    },
    revision: () => stored.revision() + changes,
  }
}

function nameOf({ accountId, name }: Pick<Endpoint, 'accountId' | 'name'>): string {
  return `${accountId}/${name}`
}
