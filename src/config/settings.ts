import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { OutboundSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { readSecretFile } from '@generation-gateway/kit/setting-file.ts'
import type { NodeRole } from '../core/records/node.ts'
import type { BlobsPlace } from '../stores/open-blobs.ts'
import { blobsOf } from './blobs-settings.ts'
import { engineWorkersOf, needsDatabase, nodeNameOf, rolesOf } from './node-settings.ts'
import { outboundOf, outboundSettings } from './outbound-settings.ts'
import type { SettingSpec } from './setting-spec.ts'
import { isBaseUrl, withoutPassword, wrongSetting } from './setting-values.ts'

/** Every setting of the program. The generated page docs/reference/settings.md lists them. */
export const settings = {
  port: { env: 'PORT', default: '8080', says: 'Port to listen on; 0 takes a free one.' },
  host: {
    env: 'HOST',
    default: '127.0.0.1',
    says: 'Address to listen on: 0.0.0.0 for all IPv4 addresses of the machine, :: for all its IPv4 and IPv6 addresses.',
  },
  dataDir: {
    env: 'GATEWAY_DATA_DIR',
    default: './data',
    says: 'Folder of the database, the blobs and the secrets made at first start; one process owns it. With GATEWAY_DATABASE_URL it holds the temporary files and the engines of this node.',
  },
  databaseUrl: {
    env: 'GATEWAY_DATABASE_URL',
    default: '',
    says: 'Database on PostgreSQL 15 or later that all nodes share, like postgres://user:password@host:5432/gateway?sslmode=verify-full; else the embedded database in GATEWAY_DATA_DIR.',
    secret: true,
  },
  blobsUrl: {
    env: 'GATEWAY_BLOBS_URL',
    default: '',
    says: 'Place of the blobs, which all nodes of a database share: a folder like file:///srv/gateway-blobs, or a bucket like s3://bucket/prefix?endpoint=https://s3.example.com&region=us-east-1&style=path (without endpoint: Amazon S3; style is path or host); else the folder blobs in GATEWAY_DATA_DIR.',
  },
  blobsRedirect: {
    env: 'GATEWAY_BLOBS_REDIRECT',
    default: '0',
    says: '1 answers a valid link to a result with a redirect to the bucket, whose URL is valid for at most 5 minutes; 0 sends the bytes through the gateway. Only with a bucket in GATEWAY_BLOBS_URL that callers can reach.',
  },
  blobCacheMb: {
    env: 'GATEWAY_BLOB_CACHE_MB',
    default: '1024',
    says: 'Disk space (MiB) in GATEWAY_DATA_DIR for local copies of blobs of a bucket, which engines read.',
  },
  awsAccessKeyId: {
    env: 'AWS_ACCESS_KEY_ID',
    default: '',
    says: 'Access key of the bucket in GATEWAY_BLOBS_URL; without it and the next one the profile AWS_PROFILE (else default) of the file AWS_SHARED_CREDENTIALS_FILE (else ~/.aws/credentials).',
    secret: true,
  },
  awsSecretAccessKey: { env: 'AWS_SECRET_ACCESS_KEY', default: '', says: 'Secret of AWS_ACCESS_KEY_ID.', secret: true },
  awsSessionToken: { env: 'AWS_SESSION_TOKEN', default: '', says: 'Token of AWS_ACCESS_KEY_ID, for a key that expires.', secret: true },
  nodeName: {
    env: 'GATEWAY_NODE_NAME',
    default: '',
    says: 'Name of this process among the nodes of a gateway: 1 to 64 letters, digits, dots, dashes and underscores, the first a letter or digit; else its host name and process id.',
  },
  processes: {
    env: 'GATEWAY_PROCESSES',
    default: '1',
    says: 'Processes of the gateway on this machine, which share the port and are a node each, named after GATEWAY_NODE_NAME with -1, -2 and so on; auto takes one per core. Other values than 1 need GATEWAY_DATABASE_URL.',
  },
  roles: {
    env: 'GATEWAY_ROLES',
    default: 'api,work,engines',
    says: 'Roles of this node, separated by commas. api: it serves the interface, the pages and the admin API. work: it runs tasks at upstreams, delivers webhooks and sweeps. engines: it runs the built-in engines, also for nodes without this role. Other values than all three need GATEWAY_DATABASE_URL.',
  },
  nodeUrl: {
    env: 'GATEWAY_NODE_URL',
    default: '',
    says: 'Address at which the other nodes reach this one: a URL like http://10.0.0.5:8080 or https://engines-1.internal, or an IP address like 10.0.0.5 or fd00::5, to which PORT is added. By default, it consists of HOST and PORT, with the host name of the machine instead of 0.0.0.0 and ::.',
  },
  packsDir: {
    env: 'GATEWAY_PACKS_DIR',
    default: '',
    says: 'Folder of the engine packs that npm run setup adds, shared by all data folders; else generation-gateway/packs in the cache folder of the user.',
  },
  accessKey: {
    env: 'GATEWAY_ACCESS_KEY',
    default: '',
    says: 'Access key of the default account; without it one is made at first start and shown once.',
    secret: true,
  },
  config: {
    env: 'GATEWAY_CONFIG',
    default: '',
    says: 'YAML file with accounts, endpoints and models; read again when it changes and on SIGHUP.',
  },
  publicUrl: {
    env: 'GATEWAY_PUBLIC_URL',
    default: '',
    says: 'Base of absolute links, like https://gateway.example or, behind a proxy that takes a path off, https://example.com/gateway; else the Host header of each request.',
  },
  adminKey: {
    env: 'GATEWAY_ADMIN_KEY',
    default: '',
    says: 'Key of the admin API; without it one is made into the file admin.key (mode 0600) of the data folder. GATEWAY_DATABASE_URL requires it.',
    secret: true,
  },
  previousAdminKey: {
    env: 'GATEWAY_ADMIN_KEY_PREVIOUS',
    default: '',
    says: 'Earlier key of the admin API, valid as well while the nodes of a database change to a new one.',
    secret: true,
  },
  metricsKey: {
    env: 'GATEWAY_METRICS_KEY',
    default: '',
    says: 'Key that shows /metrics and the detail of /readyz, for Prometheus; the admin key shows them, too, and programs on this machine need none unless GATEWAY_TRUST_PROXY is set.',
    secret: true,
  },
  openMetrics: {
    env: 'GATEWAY_OPEN_METRICS',
    default: '0',
    says: '1 shows /metrics and the detail of /readyz to everybody: ids of models and targets, and their figures.',
  },
  secretKey: {
    env: 'GATEWAY_SECRET_KEY',
    default: '',
    says: 'Base64 of 32 bytes that encrypt stored secrets; without it one is made into the file secret.key (mode 0600) of the data folder. GATEWAY_DATABASE_URL requires it.',
    secret: true,
  },
  secretKeyFallbacks: {
    env: 'GATEWAY_SECRET_KEY_FALLBACKS',
    default: '',
    says: 'Further secret keys, in the form of GATEWAY_SECRET_KEY and with commas between them, which only decrypt: the next or the former key while the key is changed (gateway reencrypt).',
    secret: true,
  },
  allowPrivateUrls: {
    env: 'GATEWAY_ALLOW_PRIVATE_URLS',
    default: '0',
    says: '1 lets callers name private and loopback addresses in webhooks, input URLs and the links of conversations; for local use.',
  },
  ...outboundSettings,
  trustProxy: {
    env: 'GATEWAY_TRUST_PROXY',
    default: '0',
    says: '1 believes X-Forwarded-For, -Proto and -Host (the last entry of each, which the proxy appends) and -Prefix (a path like /gateway that the proxy takes off); only behind a proxy that sets them.',
  },
  corsOrigins: {
    env: 'GATEWAY_CORS_ORIGINS',
    default: '',
    says: 'Origins that browsers may call from, separated by commas; * for all; empty turns CORS off.',
  },
  logLevel: { env: 'GATEWAY_LOG_LEVEL', default: 'info', says: 'trace, debug, info, warn, error or silent.' },
  engineWorkers: {
    env: 'GATEWAY_ENGINE_WORKERS',
    default: '',
    says: 'Processes of each built-in engine for each process of the gateway; 0 parks the engines (tasks wait); else one per core, at most 4, divided among the processes of GATEWAY_PROCESSES.',
  },
  enginePriority: {
    env: 'GATEWAY_ENGINE_PRIORITY',
    default: 'low',
    says: 'low lets the processes of the engines yield to the gateway and to every other program; normal has them compete, for a machine that is busy with other work.',
  },
  enginePreload: {
    env: 'GATEWAY_ENGINE_PRELOAD',
    default: '1',
    says: '1 starts the built-in engines with the gateway and holds the models that requests without one go to, so that a first answer need not wait; 0 loads them at their first use and lets them go after 10 idle minutes.',
  },
  keepDays: {
    env: 'GATEWAY_KEEP_DAYS',
    default: '7',
    says: 'Days finished tasks and their files are kept; a family that promises longer keeps them longer.',
  },
  maxConnections: {
    env: 'GATEWAY_MAX_CONNECTIONS',
    default: '16384',
    says: 'Connections of callers open at a time; more are answered with 503. This limit and the next two are for the machine: each process of GATEWAY_PROCESSES takes its share.',
  },
  maxConnectionsPerKey: {
    env: 'GATEWAY_MAX_CONNECTIONS_PER_KEY',
    default: '8192',
    says: 'Connections open at a time of one access key; requests over more are answered with 429.',
  },
  maxConnectionsPerAddress: {
    env: 'GATEWAY_MAX_CONNECTIONS_PER_ADDRESS',
    default: '4096',
    says: 'Connections open at a time of one address (of IPv6 its /64) that have not shown a valid key yet; does not hold with GATEWAY_TRUST_PROXY.',
  },
  minFreeMb: { env: 'GATEWAY_MIN_FREE_MB', default: '256', says: 'Free disk space (MiB) below which nothing new is accepted.' },
} as const satisfies Record<string, SettingSpec>

const mostProcesses = 256

/** A sentence about secrets in files, for `--help` and the settings page. */
export const secretFiles = 'A secret may be in a file instead: GATEWAY_ADMIN_KEY_FILE names the file with GATEWAY_ADMIN_KEY, and so on.'

export type SettingName = keyof typeof settings

export interface Config {
  port: number
  host: string
  dataDir: string
  /** URL of the database; undefined for the embedded database. */
  databaseUrl: string | undefined
  blobs: BlobsPlace
  nodeName: string
  /** Number of gateway processes on this machine, at least 1. */
  processes: number
  roles: readonly NodeRole[]
  /** Address of this node for the other nodes, without a trailing slash; undefined when the gateway
   *  derives the address from `nodeHost` and the port on which it listens. */
  nodeUrl: string | undefined
  /** Host name or IP address (without brackets) of this node for the other nodes. */
  nodeHost: string
  packsDir: string
  accessKey: string | undefined
  config: string | undefined
  publicUrl: string | undefined
  adminKey: string | undefined
  previousAdminKey: string | undefined
  metricsKey: string | undefined
  openMetrics: boolean
  secretKey: string | undefined
  secretKeyFallbacks: string[]
  allowPrivateUrls: boolean
  outbound: OutboundSettings
  trustProxy: boolean
  corsOrigins: string[]
  logLevel: string
  engineWorkers: number
  enginePriority: EnginePriority
  enginePreload: boolean
  keepMs: number
  minFreeBytes: number
  maxConnections: number
  maxConnectionsPerKey: number
  maxConnectionsPerAddress: number
}

/** Returns the checked settings from the environment. Throws `invalid_request` with the variable,
 *  its value and the requirement. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const { text, optional, whole, isOn, oneOf } = readersOf(env)
  const dataDir = resolve(text('dataDir'))
  const databaseUrl = databaseUrlOf(optional('databaseUrl'))
  if (databaseUrl !== undefined) for (const name of ['secretKey', 'adminKey'] as const) requireWithDatabase(name, text(name))
  const processes = text('processes') === 'auto' ? availableParallelism() : whole('processes', 1, mostProcesses, ' or auto')
  const outbound = outboundOf(env, { optional, isOn })
  if (databaseUrl === undefined && (processes > 1 || text('processes') === 'auto')) throw needsDatabase(text('processes'))
  return {
    port: whole('port', 0, 65_535),
    host: text('host'),
    dataDir,
    databaseUrl,
    blobs: blobsOf({
      url: optional('blobsUrl'),
      folder: join(dataDir, 'blobs'),
      ...{ env, outbound },
      isRedirecting: isOn('blobsRedirect'),
      cacheBytes: whole('blobCacheMb', 0, 100_000_000) * 1024 * 1024,
    }),
    nodeName: nodeNameOf(optional('nodeName')),
    processes,
    roles: rolesOf(partsOf(text('roles')), databaseUrl !== undefined),
    ...nodeAddressOf(optional('nodeUrl'), text('host')),
    packsDir: packsDirectory(env),
    accessKey: optional('accessKey'),
    config: optional('config'),
    publicUrl: baseUrlOf('publicUrl', optional('publicUrl')),
    adminKey: optional('adminKey'),
    previousAdminKey: optional('previousAdminKey'),
    metricsKey: optional('metricsKey'),
    openMetrics: isOn('openMetrics'),
    secretKey: optional('secretKey'),
    secretKeyFallbacks: entriesOf(text('secretKeyFallbacks')),
    allowPrivateUrls: isOn('allowPrivateUrls'),
    outbound,
    trustProxy: isOn('trustProxy'),
    corsOrigins: entriesOf(text('corsOrigins')),
    logLevel: oneOf('logLevel', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    engineWorkers: text('engineWorkers') === '' ? engineWorkersOf(processes) : whole('engineWorkers', 0, 64),
    enginePriority: oneOf('enginePriority', ['low', 'normal'] as const),
    enginePreload: isOn('enginePreload'),
    keepMs: whole('keepDays', 0, 36_500) * 86_400_000,
    minFreeBytes: whole('minFreeMb', 0, 1_000_000) * 1024 * 1024,
    maxConnections: whole('maxConnections', 1, 1_000_000),
    maxConnectionsPerKey: whole('maxConnectionsPerKey', 1, 1_000_000),
    maxConnectionsPerAddress: whole('maxConnectionsPerAddress', 1, 1_000_000),
  }
}

/** Returns functions that read a setting from the environment; they throw `invalid_request` for a
 *  value that is not allowed. */
function readersOf(env: Record<string, string | undefined>) {
  // An empty variable counts as one that is not set.
  const text = (name: SettingName): string => env[settings[name].env] || fileValue(name, env) || settings[name].default
  const optional = (name: SettingName): string | undefined => text(name) || undefined
  const whole = (name: SettingName, low: number, high: number, or = ''): number => {
    const value = Number(text(name))
    if (Number.isInteger(value) && value >= low && value <= high && text(name).trim() !== '') return value
    throw wrong(name, text(name), `a whole number from ${low} to ${high}${or}`)
  }
  const isOn = (name: SettingName): boolean => {
    const value = text(name).toLowerCase()
    if (['1', 'true', 'yes', 'on'].includes(value)) return true
    if (['0', 'false', 'no', 'off', ''].includes(value)) return false
    throw wrong(name, text(name), '0 or 1')
  }
  const oneOf = <Word extends string>(name: SettingName, words: readonly Word[]): Word => {
    const word = words.find(known => known === text(name))
    if (word !== undefined) return word
    throw wrong(name, text(name), `one of ${words.join(', ')}`)
  }
  return { text, optional, whole, isOn, oneOf }
}

/** Returns the entries of a list whose separators are commas. */
function entriesOf(list: string): string[] {
  return partsOf(list).filter(Boolean)
}

/** Version of the program, from package.json. */
export const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** Returns the content of the file whose path is in the variable `<NAME>_FILE`, for a secret;
 *  undefined when the variable is not set. */
function fileValue(name: SettingName, env: Record<string, string | undefined>): string | undefined {
  const variable = `${settings[name].env}_FILE`
  const file = 'secret' in settings[name] ? env[variable] : undefined
  return file ? readSecretFile(file, variable) : undefined
}

function databaseUrlOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) return value
  throw wrong('databaseUrl', value, 'a URL like postgres://user:password@host:5432/database')
}

/** Throws when this secret is not set. Called when a database is used: nodes with keys of their
 *  own could not decrypt what the others have written (secret key), or would accept different
 *  admin keys. */
function requireWithDatabase(name: 'secretKey' | 'adminKey', value: string): void {
  if (value !== '') return
  const { env } = settings[name]
  throw new GatewayError('invalid_request', `${env} is not set; with GATEWAY_DATABASE_URL it must be, to the same value on every node.`, {
    field: env,
  })
}

function partsOf(list: string): string[] {
  return list.split(',').map(part => part.trim())
}

/** Returns the address of this node for the other nodes. When the setting is an IP address, returns
 *  it without a port, because the port is known only when the gateway listens. */
function nodeAddressOf(value: string | undefined, host: string): Pick<Config, 'nodeUrl' | 'nodeHost'> {
  // An IPv6 address with a zone (fe80::1%eth0) is not accepted, because a URL cannot contain it.
  if (value !== undefined && isIP(value) !== 0 && !value.includes('%')) return { nodeUrl: undefined, nodeHost: value }
  return { nodeUrl: baseUrlOf('nodeUrl', value, ', or an IP address'), nodeHost: host }
}

function baseUrlOf(name: 'publicUrl' | 'nodeUrl', value: string | undefined, or = ''): string | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (!isBaseUrl(url)) throw wrong(name, withoutPassword(value), `an http or https URL without query, user name or password${or}`)
  return url.href.replace(/\/+$/, '')
}

function wrong(name: SettingName, value: string, mustBe: string): GatewayError {
  return wrongSetting(settings[name].env, 'secret' in settings[name] ? '(secret)' : JSON.stringify(value), mustBe)
}
