import type { AccessKey, Account, Endpoint, Limits, SecretStore, StoredAccounts } from '../../core/ports/store.ts'
import type { SealBox } from './seal.ts'
import type { Connection, Statement } from './statements.ts'
import { type Cell, number, optionalNumber, optionalText, type Row, text } from './values.ts'
import type { Writer } from './writer.ts'

const sources: ReadonlyMap<string, Account['source']> = new Map([
  ['first-start', 'first-start'],
  ['admin', 'admin'],
  ['yaml', 'yaml'],
])

/** All statements list their columns by name, because a newer program may add columns to the
 *  table while this one runs. */
const accountColumns = 'id, name, source, webhook_secret, limits, created_at'
const keyColumns = ['id', 'account_id', 'name', 'sha256', 'hint', 'scopes', 'limits', 'expires_at', 'revoked_at', 'source', 'created_at']
  .map(column => `access_keys.${column}`)
  .join(', ')
const endpointColumns = 'account_id, name, routes, source, created_at'

/** The other nodes of a store that several processes share. */
export interface OtherNodes {
  /** Returns a number that grows whenever this process learns that accounts, keys, endpoints or
   *  signing keys have changed in the database, by its own writes or by those of other nodes. */
  changes(): number
}

interface Parts {
  connection: Connection
  writer: Writer
  box: SealBox
  otherNodes: OtherNodes | undefined
}

export function createAccountStore({ connection, writer, box, otherNodes }: Parts): StoredAccounts {
  let revision = 1
  const read = (sql: string): Statement => connection.prepare(sql)
  const keys = `SELECT ${keyColumns}, accounts.limits AS account_limits FROM access_keys LEFT JOIN accounts ON accounts.id = access_keys.account_id`
  const listKeys = read(`${keys} WHERE CAST(?1 AS TEXT) IS NULL OR account_id = ?1 ORDER BY access_keys.created_at, access_keys.id`)
  const findKey = read(`${keys} WHERE sha256 = ?`)
  const findKeyById = read(`${keys} WHERE access_keys.id = ?`)
  const listEndpoints = read(
    `SELECT ${endpointColumns} FROM endpoints WHERE CAST(?1 AS TEXT) IS NULL OR account_id = ?1 ORDER BY account_id, name`,
  )
  const findEndpoint = read(`SELECT ${endpointColumns} FROM endpoints WHERE account_id = ? AND name = ?`)

  async function write<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work
    revision += 1
    return result
  }

  return {
    isShared: otherNodes !== undefined,
    async putKey(key) {
      await write(writer.run('putRow', { table: 'access_keys', cells: keyCells(key) }))
    },
    keys: async accountId => (await listKeys.all(accountId ?? null)).map(toKey),
    async key(id) {
      const row = await findKeyById.get(id)
      return row && toKey(row)
    },
    async keyBySha256(sha256) {
      const row = await findKey.get(sha256)
      return row === undefined ? undefined : toKey(row)
    },
    async limitKey(id, limits) {
      await write(writer.run('limitKey', { id, limits: toText(limits) }))
    },
    revokeKey: (id, at) => write(writer.run('revokeKey', { id, at })),
    async putEndpoint(endpoint) {
      await write(writer.run('putRow', { table: 'endpoints', cells: endpointCells(endpoint) }))
    },
    removeEndpoint: (accountId, name) => write(writer.run('removeEndpoint', { accountId, name })),
    endpoints: async accountId => (await listEndpoints.all(accountId ?? null)).map(toEndpoint),
    async endpoint(accountId, name) {
      const row = await findEndpoint.get(accountId, name)
      return row === undefined ? undefined : toEndpoint(row)
    },
    ...accountRows({ connection, writer, box }, write),
    ...tokenSecrets({ connection, writer, box }, write),
    ...fileGenerations({ connection, writer, box }, write),
    revision: () => otherNodes?.changes() ?? revision,
  }
}

function accountRows(
  { connection, writer, box }: Omit<Parts, 'otherNodes'>,
  write: <Result>(work: Promise<Result>) => Promise<Result>,
): Pick<StoredAccounts, 'putAccount' | 'changeAccount' | 'limitAccount' | 'accounts' | 'account'> {
  const list = connection.prepare(`SELECT ${accountColumns} FROM accounts ORDER BY created_at, id`)
  const find = connection.prepare(`SELECT ${accountColumns} FROM accounts WHERE id = ?`)
  return {
    async putAccount(account) {
      await write(writer.run('putRow', { table: 'accounts', cells: accountCells(account, box) }))
    },
    async changeAccount(id, { name = null, webhookSecret, limits }, at) {
      const secret = webhookSecret === undefined ? null : box.seal(webhookSecret, accountContext(id))
      await write(writer.run('changeAccount', { id, name, secret, limits: toText(limits), at }))
    },
    async limitAccount(id, limits) {
      await write(writer.run('limitAccount', { id, limits: toText(limits) }))
    },
    accounts: async () => (await list.all()).map(row => toAccount(row, box)),
    async account(id) {
      const row = await find.get(id)
      return row && toAccount(row, box)
    },
  }
}

function tokenSecrets(
  { connection, writer, box }: Omit<Parts, 'otherNodes'>,
  write: <Result>(work: Promise<Result>) => Promise<Result>,
): Pick<StoredAccounts, 'putTokenSecret' | 'removeTokenSecret' | 'tokenSecret' | 'keysWithTokenSecret'> {
  const find = connection.prepare('SELECT key_id, secret, created_at FROM token_secrets WHERE key_id = ?')
  const list = connection.prepare('SELECT key_id FROM token_secrets ORDER BY key_id')
  return {
    async putTokenSecret({ keyId, secret, createdAt }) {
      const sealed = box.seal(secret, tokenContext(keyId))
      await write(writer.run('putRow', { table: 'token_secrets', cells: [keyId, sealed, createdAt] }))
    },
    removeTokenSecret: keyId => write(writer.run('removeTokenSecret', { keyId })),
    async tokenSecret(keyId) {
      const row = await find.get(keyId)
      if (row === undefined) return undefined
      return { keyId, secret: box.open(text(row, 'secret'), tokenContext(keyId)).toString(), createdAt: number(row, 'created_at') }
    },
    keysWithTokenSecret: async () => (await list.all()).map(row => text(row, 'key_id')),
  }
}

function fileGenerations(
  { connection, writer, box }: Omit<Parts, 'otherNodes'>,
  write: <Result>(work: Promise<Result>) => Promise<Result>,
): Pick<StoredAccounts, 'fileGeneration' | 'applyFile'> {
  const find = connection.prepare(`SELECT value FROM meta WHERE name = 'file_generation'`)
  return {
    async fileGeneration() {
      const row = await find.get()
      return row && JSON.parse(text(row, 'value'))
    },
    applyFile({ accounts, keys, endpoints }, candidate, planned) {
      const rows = {
        accounts: accounts.map(account => accountCells(account, box)),
        access_keys: keys.map(keyCells),
        endpoints: endpoints.map(endpointCells),
      }
      return write(writer.run('applyFile', { rows, candidate, planned }))
    },
  }
}

export function createSecretStore({ connection, writer, box, otherNodes }: Parts): SecretStore {
  const list = connection.prepare('SELECT id, secret, created_at FROM signing_keys ORDER BY created_at DESC, id DESC')
  let revision = 1
  return {
    revision: () => otherNodes?.changes() ?? revision,
    async putSigningKey({ id, secret, createdAt }) {
      await writer.run('putRow', { table: 'signing_keys', cells: [id, box.seal(secret, signingContext(id)), createdAt] })
      revision += 1
    },
    async signingKeys() {
      return (await list.all()).map(row => {
        const id = text(row, 'id')
        return { id, secret: box.open(text(row, 'secret'), signingContext(id)), createdAt: number(row, 'created_at') }
      })
    },
  }
}

export function accountContext(id: string): string {
  return `account ${id}`
}

export function tokenContext(keyId: string): string {
  return `token secret ${keyId}`
}

export function signingContext(id: string): string {
  return `signing key ${id}`
}

function accountCells({ id, name, source, webhookSecret, limits, createdAt }: Account, box: SealBox): Cell[] {
  const sealed = webhookSecret === undefined ? null : box.seal(webhookSecret, accountContext(id))
  return [id, name, source, sealed, toText(limits), createdAt]
}

function keyCells(key: AccessKey): Cell[] {
  return [
    key.id,
    key.accountId,
    key.name,
    key.sha256,
    key.hint,
    JSON.stringify(key.scopes),
    toText(key.limits),
    key.expiresAt ?? null,
    key.revokedAt ?? null,
    key.source,
    key.createdAt,
  ]
}

function endpointCells({ accountId, name, routes, source, createdAt }: Endpoint): Cell[] {
  return [accountId, name, JSON.stringify(routes), source, createdAt]
}

function toText(limits: Limits | undefined): string | null {
  return limits === undefined ? null : JSON.stringify(limits)
}

function toAccount(row: Row, box: SealBox): Account {
  const id = text(row, 'id')
  const account: Account = { id, name: text(row, 'name'), source: toSource(row), createdAt: number(row, 'created_at') }
  const sealed = optionalText(row, 'webhook_secret')
  if (sealed !== null) account.webhookSecret = box.open(sealed, accountContext(id)).toString()
  const limits = optionalText(row, 'limits')
  if (limits !== null) account.limits = JSON.parse(limits)
  return account
}

function toKey(row: Row): AccessKey {
  const key: AccessKey = {
    id: text(row, 'id'),
    accountId: text(row, 'account_id'),
    name: text(row, 'name'),
    sha256: text(row, 'sha256'),
    hint: text(row, 'hint'),
    scopes: JSON.parse(text(row, 'scopes')),
    source: toSource(row),
    createdAt: number(row, 'created_at'),
  }
  const limits = optionalText(row, 'limits')
  if (limits !== null) key.limits = JSON.parse(limits)
  const accountLimits = optionalText(row, 'account_limits')
  if (accountLimits !== null) key.accountLimits = JSON.parse(accountLimits)
  const expiresAt = optionalNumber(row, 'expires_at')
  if (expiresAt !== null) key.expiresAt = expiresAt
  const revokedAt = optionalNumber(row, 'revoked_at')
  if (revokedAt !== null) key.revokedAt = revokedAt
  return key
}

function toEndpoint(row: Row): Endpoint {
  return {
    accountId: text(row, 'account_id'),
    name: text(row, 'name'),
    routes: JSON.parse(text(row, 'routes')),
    source: toSource(row),
    createdAt: number(row, 'created_at'),
  }
}

function toSource(row: Row): Account['source'] {
  const source = sources.get(text(row, 'source'))
  if (source === undefined) throw new TypeError('column source holds an unknown value')
  return source
}
