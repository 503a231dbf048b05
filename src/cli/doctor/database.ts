/** The part of `gateway doctor` that checks a database shared by several nodes, and the folder
 *  or bucket in which they keep their blobs. It creates no table and changes no schema. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { destinationOf } from '@generation-gateway/kit/outbound/destination.ts'
import type { Client } from 'pg'
import type { Config } from '../../config/settings.ts'
import type { FileGeneration } from '../../core/records/file-generation.ts'
import { type NodeStatus, nodeRoles } from '../../core/records/node.ts'
import { readMarker } from '../../stores/files/marker.ts'
import { schemaVersions } from '../../stores/migrate.ts'
import type { BlobsPlace } from '../../stores/open-blobs.ts'
import { PostgresConnection } from '../../stores/postgres/connection.ts'
import { connectForTool } from '../../stores/postgres/tool-client.ts'
import { placeOf } from '../../stores/s3/bucket.ts'
import { checkBucketRights } from '../../stores/s3/check.ts'
import { prepareNodeList } from '../../stores/sql/nodes.ts'
import { checkWords } from '../../stores/sql/secret-key/check-words.ts'

/** Runs a check and reports its result in a row with this name. A check that throws means that
 *  the gateway could not start. */
export type Check = (what: string, run: () => Promise<string> | string) => Promise<void>

const clientName = 'gateway doctor'
const notifyMs = 2_000
const rounds = 5

/** Checks the database and the bucket that the settings name. Returns the record of the
 *  configuration file that is in force, if the database has one. */
export async function checkDatabase(config: Config, check: Check): Promise<FileGeneration | undefined> {
  const { databaseUrl, blobs } = config
  if (databaseUrl === undefined) {
    if ('bucket' in blobs) await check('bucket', () => blobsText(blobs, undefined))
    return undefined
  }
  const clients: Client[] = []
  const connect = async (): Promise<Client> => {
    const client = await connectForTool(databaseUrl, clientName)
    clients.push(client)
    return client
  }
  let generation: FileGeneration | undefined
  try {
    await check('database', async () => serverText(await connect(), databaseUrl))
    const [client] = clients
    if (!client) return undefined
    let hasTables = false
    await check('schema', async () => {
      const { from, to } = await schemaVersions(config)
      hasTables = from > 0
      if (from === to) return `version ${from}`
      return from === 0 ? `no tables yet; a start makes version ${to}` : `version ${from}; a start makes it version ${to}`
    })
    await check('notifications', async () => notificationText(client, await connect()))
    await check('clock', () => clockText(client))
    if (hasTables) {
      await check('writes', () => writeText(client))
      await check('nodes', () => nodesText(client))
      await check('secret keys', () => keysText(client))
      generation = await metaValue(client, 'file_generation')
    }
    await check('bucket' in blobs ? 'bucket' : 'folder of blobs', async () =>
      blobsText(blobs, hasTables ? await metaValue(client, 'blobs') : undefined),
    )
  } finally {
    await Promise.all(clients.map(client => client.end()))
  }
  return generation
}

async function serverText(client: Client, url: string): Promise<string> {
  const { rows } = await client.query(`SELECT current_setting('server_version') AS version, current_database() AS database`)
  return `PostgreSQL ${rows[0]?.version} at ${new URL(url).host}, database ${rows[0]?.database}`
}

/** Returns a sentence about the number of secret keys that the secrets in the database need. */
async function keysText(client: Client): Promise<string> {
  const words = await checkWords(new PostgresConnection(query => client.query(query)))
  return words.length > 1 ? `${words.length} are needed until gateway reencrypt has ended` : 'one is needed'
}

/** Measures how long a commit to disk takes, and returns a sentence about it. */
async function writeText(client: Client): Promise<string> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await client.query('BEGIN')
    await client.query(`INSERT INTO meta (name, value) VALUES ('doctor', '') ON CONFLICT (name) DO NOTHING`)
    await client.query(`DELETE FROM meta WHERE name = 'doctor'`)
    await client.query('COMMIT')
    times.push(performance.now() - start)
  }
  return `a commit takes ${Math.min(...times).toFixed(1)} ms at best of ${rounds}`
}

async function notificationText(listener: Client, sender: Client): Promise<string> {
  const channel = `doctor_${randomUUID().replaceAll('-', '')}`
  const start = performance.now()
  const arrived = new Promise<number>(resolve => listener.once('notification', () => resolve(performance.now() - start)))
  await listener.query(`LISTEN ${channel}`)
  await sender.query('SELECT pg_notify($1, $2)', [channel, ''])
  const ms = await Promise.race([arrived, sleep(notifyMs, undefined, { ref: false })])
  await listener.query(`UNLISTEN ${channel}`)
  if (ms === undefined) return 'do not arrive, as behind a pooler of transactions: nodes feel changes of others within 5 s instead of 2 s'
  return 'arrive'
}

async function clockText(client: Client): Promise<string> {
  const before = Date.now()
  const time = await timeOf(client)
  const offset = Math.round(time - (before + Date.now()) / 2)
  return offset === 0 ? 'as the database’s' : `${Math.abs(offset)} ms ${offset > 0 ? 'behind' : 'ahead of'} the database’s, which counts`
}

/** Returns the database's time, in Unix milliseconds. */
async function timeOf(client: Client): Promise<number> {
  const { rows } = await client.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time')
  return Number(rows[0]?.time)
}

async function nodesText(client: Client): Promise<string> {
  const list = prepareNodeList(new PostgresConnection(query => client.query(query)))
  const living = (await list(Math.round(await timeOf(client)))).filter(({ isAlive }) => isAlive)
  if (living.length === 0) return 'none runs'
  const versions = new Set(living.map(({ facts }) => facts?.version))
  const note = versions.size > 1 ? '; they run different versions' : ''
  return living.map(nodeText).join(', ') + note
}

function nodeText({ name, facts }: NodeStatus): string {
  if (facts === undefined) return name
  const { version, state, roles = nodeRoles } = facts
  return `${name} (${[version, state, ...(roles.length < nodeRoles.length ? [roles.join(' and ')] : [])].join(', ')})`
}

/** Returns the parsed value of a row of `meta`. */
async function metaValue<Value>(client: Client, name: string): Promise<Value | undefined> {
  const { rows } = await client.query('SELECT value FROM meta WHERE name = $1', [name])
  return rows[0] === undefined ? undefined : JSON.parse(rows[0].value)
}

/** Checks the folder or bucket that contains the blobs. `noted` is the marker that the database
 *  contains; a marker in the folder or bucket must be the same. */
async function blobsText(place: BlobsPlace, noted: { id: string } | undefined): Promise<string> {
  if ('folder' in place) return folderText(place.folder, noted)
  const { bucket } = place
  const proxy = bucket.route?.().proxyFor(destinationOf(bucket.endpoint))
  const shown = `${placeOf(bucket)} at ${bucket.endpoint.origin}${proxy === undefined ? '' : ` by the proxy ${proxy.name}`}`
  return sharedText(shown, await checkBucketRights(bucket), noted)
}

async function folderText(folder: string, noted: { id: string } | undefined): Promise<string> {
  const file = join(folder, `doctor-${randomUUID()}`)
  try {
    await writeFile(file, '', { mode: 0o600 })
    await rm(file)
  } catch (error) {
    if (Object(error).code === 'ENOENT') return `${folder} is not there; a start makes it`
    throw error
  }
  return sharedText(folder, await readMarker(folder), noted)
}

/** Returns a sentence about the marker `found` in the folder or bucket of the blobs. Throws
 *  `store_unavailable` when the marker belongs to another database. */
function sharedText(place: string, found: string | undefined, noted: { id: string } | undefined): string {
  if (noted !== undefined && found !== undefined && found !== noted.id)
    throw new GatewayError(
      'store_unavailable',
      `${place} belongs to another database; GATEWAY_BLOBS_URL names the folder or the bucket that all nodes share.`,
    )
  return noted !== undefined && found === noted.id ? `${place}, shared with the other nodes` : `${place}, can be written`
}
