import { readFile, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ffmpegProgram } from '@generation-gateway/kit/audio/ffmpeg-program.ts'
import type { DriverSpec, PackFiles } from '@generation-gateway/kit/driver.ts'
import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import { createInspection } from '@generation-gateway/kit/media/open-inspection.ts'
import type { Outbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import { catalogueOf } from '../config/catalogue-of.ts'
import { type LoadedConfig, loadConfigFile } from '../config/config-file.ts'
import { pricesSentence } from '../config/prices/origins.ts'
import { readConfig, version } from '../config/settings.ts'
import { unknownSettings } from '../config/unknown-settings.ts'
import type { MappedBucket } from '../core/ports/buckets.ts'
import type { FileGeneration } from '../core/records/file-generation.ts'
import { drivers as upstreamDrivers } from '../drivers/index.ts'
import { knownEngines } from '../engine-runs/known-engines.ts'
import { families } from '../families/index.ts'
import { checkMappedBucket, mappedIn } from '../mapped-buckets.ts'
import { manifestOf } from '../packs/manifest.ts'
import { openPacks } from '../packs/packs.ts'
import { prepareDataFolder } from '../stores/files/data-folder.ts'
import { engineFolderOf } from '../stores/files/open.ts'
import { readOwner } from '../stores/sqlite/open.ts'
import { type Check, checkDatabase } from './doctor/database.ts'
import { familyTable } from './doctor/families.ts'
import { addressTable, checkOutbound } from './doctor/outbound.ts'
import { conversationTable } from './doctor/targets.ts'
import { packTable } from './setup.ts'
import { print, table } from './terminal.ts'

const answerMs = 3000

/** Checks everything that the gateway needs to start, without starting it. Prints a table of the
 *  results, and throws `invalid_request` when something would prevent the start. */
export async function runDoctor(): Promise<void> {
  const rows: string[][] = []
  let isBroken = false
  const check: Check = async (what, run) => {
    try {
      rows.push([what, 'ok', await run()])
    } catch (error) {
      isBroken = true
      rows.push([what, 'wrong', errorMessage(error)])
    }
  }
  const config = readConfig(process.env)
  const running: { url?: string | undefined } = {}
  await check('program', () => `version ${version} on Node ${process.version}`)
  const unknown = unknownSettings(process.env)
  if (unknown.length > 0) rows.push(['settings', 'unknown', unknown.join(' ')])
  await check('data folder', async () => {
    const owner = readOwner(config.dataDir)
    running.url = owner?.url
    if (owner) return `${config.dataDir}, in use by process ${owner.pid ?? '?'}${owner.url ? ` at ${owner.url}` : ''}`
    // This check creates missing folders, as a start would. They are removed again, because
    // `doctor` must change nothing.
    for (const made of prepareDataFolder(config.dataDir).reverse()) await rmdir(made)
    return `${config.dataDir}, free`
  })
  const { engines, missingEngines } = await knownEngines(config.roles)
  const known = { families, drivers: [...engines, ...upstreamDrivers], missingEngines }
  const runsEngines = config.roles.includes('engines')
  rows.push(['roles', 'ok', `${config.roles.join(', ')}${runsEngines ? '' : '; engines run on other nodes'}`])
  const outbound = await checkOutbound(config.outbound, check)
  const generation = await checkDatabase(config, check)
  const file = config.config
  let loaded: LoadedConfig | undefined
  if (file === undefined)
    rows.push(['configuration file', 'none', 'GATEWAY_CONFIG is not set: the default account on the built-in engines'])
  else {
    await check('configuration file', () => {
      loaded = loadConfigFile(file, known, process.env)
      return [`${file}: ${loaded.file.accounts?.length ?? 0} accounts, ${loaded.models.length} models`, ...loaded.warnings].join('; ')
    })
  }
  for (const mapped of mappedIn(loaded?.file.buckets)) rows.push(await mappedRow(mapped, outbound))
  const prices = loaded && pricesSentence(loaded, known.drivers)
  if (prices !== undefined) rows.push(['prices', 'ok', prices])
  rows.push(await ffmpegRow())
  print(table(['check', 'result', 'detail'], rows))
  const packs = openPacks(config.packsDir, manifestOf(engines))
  // This module is loaded only here, because it loads all engines.
  if (runsEngines) print(`\n${(await import('./engines.ts')).engineTable()}`)
  print(`\n${packTable(packs)}`)
  await printTargets(known, loaded, { packs, outbound })
  const targets = running.url === undefined ? undefined : await targetTable(running.url)
  for (const shown of [targets, generation && differingFiles(generation)]) if (shown !== undefined) print(`\n${shown}`)
  if (isBroken) throw new GatewayError('invalid_request', 'What is wrong above would stop a start.')
}

/** Prints a table of the families, and tables of the targets in the configuration file. */
async function printTargets(
  known: Parameters<typeof catalogueOf>[0],
  loaded: LoadedConfig | undefined,
  tools: { packs: PackFiles; outbound: Outbound },
): Promise<void> {
  const opened = openDrivers(known.drivers, tools)
  try {
    print(`\n${familyTable(catalogueOf(known, loaded), opened)}`)
    const upstreams = new Map([...opened].filter(([id]) => upstreamDrivers.some(spec => spec.id === id)))
    const addresses = addressTable(loaded?.models ?? [], { drivers: upstreamDrivers, outbound: tools.outbound })
    if (addresses !== undefined) print(`\n${addresses}`)
    const conversations = await conversationTable(loaded?.models ?? [], upstreams)
    if (conversations !== undefined) print(`\n${conversations}`)
  } finally {
    await Promise.all([...opened.values()].map(driver => driver.close?.()))
  }
}

/** Returns the row about a bucket that the configuration file maps. The gateway also starts when
 *  the bucket cannot be used, and then answers requests that name it with 503. */
async function mappedRow(mapped: MappedBucket, outbound: Outbound): Promise<string[]> {
  const what = `bucket ${mapped.name}`
  try {
    await checkMappedBucket(mapped, { env: process.env, outbound })
    return [what, 'ok', `${mapped.url}, can be listed, read and written`]
  } catch (error) {
    return [what, 'unusable', errorMessage(error)]
  }
}

/** Returns the row about ffmpeg. A gateway without ffmpeg still starts; it then refuses requests
 *  that need sound or video. */
async function ffmpegRow(): Promise<string[]> {
  try {
    const { path, version, from } = await ffmpegProgram()
    return ['ffmpeg', 'ok', `version ${version} of ${from}: ${path}`]
  } catch (error) {
    return ['ffmpeg', 'missing', errorMessage(error)]
  }
}

/** Opens every driver, so that its capabilities can be listed. Opening a driver does not start any
 *  work. */
function openDrivers(drivers: readonly DriverSpec[], { packs, outbound }: { packs: PackFiles; outbound: Outbound }): Map<string, Driver> {
  const log = { info: () => {}, warn: () => {} }
  const scratchDirectory = tmpdir()
  const inspection = createInspection({ scratchDirectory, onLog: () => {} })
  const tools = { packs, scratchDirectory, cores: 0, allowPrivateUrls: false, outbound, inspection, log }
  const { dataDir } = readConfig(process.env)
  return new Map(drivers.map(spec => [spec.id, spec.open({ ...tools, dataDirectory: engineFolderOf(dataDir, spec.id) })]))
}

/** Returns a header with the admin key, if this user may read the key. With GATEWAY_TRUST_PROXY,
 *  the gateway shows the targets in `/readyz` only with a key (unless GATEWAY_OPEN_METRICS is
 *  set), even to programs on the same machine. */
async function keyHeaders(): Promise<Record<string, string>> {
  const { adminKey, dataDir } = readConfig(process.env)
  const key = adminKey ?? (await readFile(join(dataDir, 'admin.key'), 'utf8').catch(() => '')).trim()
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}

/** Returns a table of the nodes and their configuration files. Returns undefined when the file of
 *  every node has the same accounts, keys and endpoints as the file that is in force. */
function differingFiles(generation: FileGeneration): string | undefined {
  const { node, sha256, modifiedAt, nodes } = generation
  if (!nodes.some(each => each.sha256 !== sha256)) return undefined
  const rows = nodes.map(each => fileRow(each, each.sha256 === sha256 ? 'the same' : 'differs'))
  return `${table(['node', 'configuration file', 'sha256', 'modified'], [fileRow({ node, sha256, modifiedAt }, 'in force'), ...rows])}
Of the nodes that differ, the accounts, keys and endpoints of the file are not in force.`
}

function fileRow({ node, sha256, modifiedAt }: Pick<FileGeneration, 'node' | 'sha256' | 'modifiedAt'>, state: string): string[] {
  return [node, state, sha256.slice(0, 12), new Date(modifiedAt).toISOString()]
}

async function answerOf(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: await keyHeaders(), signal: AbortSignal.timeout(answerMs) })
  return response.json()
}

/** Returns a table of the targets in the readiness answer of the running gateway. Returns a
 *  sentence with the reason when the gateway does not answer, and undefined when the answer
 *  contains no targets. */
async function targetTable(url: string): Promise<string | undefined> {
  let answer: unknown
  try {
    answer = await answerOf(`${url}/readyz`)
  } catch (error) {
    return `The gateway at ${url} does not tell its targets: ${errorMessage(error)}`
  }
  const { targets } = Object(answer)
  if (!Array.isArray(targets)) return undefined
  const rows = targets.map(entry => {
    const { target, state, reason } = Object(entry)
    return [target, state, reason].map(value => (typeof value === 'string' ? value : ''))
  })
  return table(['target', 'state', 'why'], rows)
}
