/** Runs the commands `gateway export` and `gateway import`. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { givenSecretKeys } from '../config/secrets.ts'
import { type Config, version } from '../config/settings.ts'
import { exportStore } from '../stores/moving/export.ts'
import { importStore } from '../stores/moving/import.ts'
import { megabytes, type Progress, progressOn } from '../stores/moving/progress.ts'
import { assertDatabase } from '../stores/sqlite/database.ts'
import { withFileFaults } from './file-faults.ts'
import { print, table } from './terminal.ts'
import { readTrustedConfig } from './trusted-config.ts'

const exportHelp = `gateway export FOLDER
  Writes everything that the store of the settings has into a new folder: the rows of all tables and the files
  (blobs), each with checks. Stop the gateway first; copy a running one with gateway backup. Of a database whose nodes
  are at work the rows of one moment are exported, as a copy. Started again after an interruption, it goes on.
    --without-blobs     Leaves the files out: copy the folder of the blobs by other means.`

const importHelp = `gateway import FOLDER
  Brings an exported folder into the empty store of the settings, a data folder or a database, and compares what
  arrived. GATEWAY_SECRET_KEY has to be that of the source. Started again after an interruption, it goes on.`

/** Runs `gateway export`. Throws the errors of `exportStore`, and `invalid_request` for wrong
 *  arguments. */
export async function runExport(args: string[]): Promise<void> {
  const { folder, values } = folderOf(args, { help: exportHelp, options: { 'without-blobs': { type: 'boolean' } } })
  if (folder === undefined) return
  const config = readTrustedConfig()
  if (config.databaseUrl === undefined) assertDatabase(config.dataDir)
  const start = performance.now()
  const exporting = {
    ...{ settings: config, blobs: config.blobs, ...givenSecretKeys(config, 'the gateway'), folder },
    ...{ withBlobs: values['without-blobs'] !== true, program: version },
  }
  const { tables, blobs, liveNodes } = await workOn(folder, progress => exportStore({ ...exporting, progress }))
  const rows = tables.reduce((sum, each) => sum + each.rows, 0)
  print(rowsTable(tables))
  print(`Exported ${rows} rows and ${blobs.blobs} blobs (${megabytes(blobs.bytes)}) in ${seconds(start)} to ${folder}.`)
  printMissing(blobs.missing)
  if (liveNodes > 0)
    print(`${liveNodes} nodes are at work: this is a copy of one moment. Do not start a gateway on it that does their tasks a second time.`)
  print('The folder holds prompts, results and hashes of keys: keep it as safe as the store. The secret key is not in it.')
}

/** Runs `gateway import`. Throws the errors of `importStore`, and `invalid_request` for wrong
 *  arguments. */
export async function runImport(args: string[]): Promise<void> {
  const { folder } = folderOf(args, { help: importHelp, options: {} })
  if (folder === undefined) return
  const config = readTrustedConfig()
  const start = performance.now()
  const importing = { settings: config, blobs: config.blobs, ...givenSecretKeys(config, 'the source'), folder }
  const { manifest, blobs, isContinued } = await workOn(folder, progress => importStore({ ...importing, progress }))
  const rows = manifest.tables.reduce((sum, each) => sum + each.rows, 0)
  if (isContinued) print('An earlier import of this folder was continued.')
  print(rowsTable(manifest.tables))
  const files = manifest.hasBlobs ? `${blobs.blobs} blobs (${megabytes(blobs.bytes)})` : 'no blobs'
  print(`Imported ${rows} rows and ${files} in ${seconds(start)} into ${placeOf(config)}; counts and hashes are those of the source.`)
  printMissing(manifest.missingBlobs)
}

interface FolderCommand {
  /** The folder that the command was given; undefined when the command printed its help instead. */
  folder: string | undefined
  values: Readonly<Record<string, unknown>>
}

/** Reads the arguments of a command that takes one folder. Throws `invalid_request` with the help
 *  text. */
export function folderOf(
  args: string[],
  { help, options }: { help: string; options: NonNullable<ParseArgsConfig['options']> },
): FolderCommand {
  const allOptions = { ...options, help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = parseArgs({ args, options: allOptions, allowPositionals: true })
  const [folder, ...more] = positionals
  if (values.help === true) {
    print(help)
    return { folder: undefined, values }
  }
  if (folder === undefined || more.length > 0) throw new GatewayError('invalid_request', `The command takes one folder.\n\n${help}`)
  return { folder, values }
}

/** Returns the result of work on a folder, and shows its progress on the terminal meanwhile. An
 *  error of the file system is replaced by one sentence (`withFileFaults` in file-faults.ts). */
export function workOn<Result>(folder: string, work: (progress: Progress) => Promise<Result>): Promise<Result> {
  const progress = progressOn(process.stderr)
  return withFileFaults(folder, work(progress)).finally(progress.clear)
}

export function seconds(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`
}

function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? dataDir : 'the database'
}

function rowsTable(tables: readonly { name: string; rows: number }[]): string {
  return table(
    ['table', 'rows'],
    tables.map(({ name, rows }) => [name, String(rows)]),
  )
}

export function printMissing(missing: readonly string[]): void {
  if (missing.length === 0) return
  print(`${missing.length} blobs that rows name are missing or damaged in the source, and are not moved (the first: ${missing[0]}).`)
}
