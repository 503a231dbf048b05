import { parseArgs } from 'node:util'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { Outbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { isOffline, type Pack, type PackSource } from '@generation-gateway/kit/packs.ts'
import { readConfig } from '../config/settings.ts'
import { type InstallProgress, type InstallResult, installPack } from '../packs/install.ts'
import { packManifest } from '../packs/installed.ts'
import { describeSource, packBytes, sizeText } from '../packs/manifest.ts'
import { findPack, openPacks, type Packs } from '../packs/packs.ts'
import { engineTable } from './engines.ts'
import { onStop } from './on-stop.ts'
import { print, table } from './terminal.ts'

const help = `gateway setup [names] [--all] [--offline] [--list]
  Adds the engine packs that npm ci cannot bring: the default ones, or those that are named (npm run setup -- text-1.5b).
  Asks nothing, changes nothing that is ready, and goes on where an earlier run was stopped.
  --all      Every pack there is, also the large ones.
  --offline  Gets nothing; verifies files that were put there by hand and shows what is ready. GATEWAY_OFFLINE=1 does the same,
             also for npm test, which then skips the tests of missing packs by name.
  --list     Shows the packs and where they come from.
Packs live in GATEWAY_PACKS_DIR. Exit code 1 when a pack that was asked for is not ready in the end; a default pack that cannot be had is told, and is no error.`

/** Installs the engine packs and prints a table of their states; then throws
 *  `capability_unavailable` when a requested pack is not ready. */
export async function runSetup(args: string[], manifest: readonly Pack[] = packManifest): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      ...{ all: { type: 'boolean' }, offline: { type: 'boolean' }, list: { type: 'boolean' } },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  if (values.help) return print(help)
  if (values.list) return print(sourceTable(manifest))
  const named = values.all ? manifest : positionals.map(name => findPack(name, manifest))
  const wanted = named.length > 0 ? named : manifest.filter(pack => pack.isDefault)
  const { packsDir: directory, outbound: given } = readConfig(process.env)
  const outbound = new Outbound(given)
  const offline = values.offline === true || isOffline(process.env)
  if (offline) print('Offline: nothing is got, only files that are here count.')
  const failures = await installAll(wanted, { directory, offline, outbound })
  const packs = openPacks(directory, manifest)
  print(`${packTable(packs, failures)}\nFolder of the packs: ${directory}\n\n${engineTable()}`)
  const lacking = packs.table().filter(({ id, state }) => state !== 'ready' && named.some(pack => pack.id === id))
  if (lacking.length > 0)
    throw new GatewayError('capability_unavailable', `Not ready: ${lacking.map(pack => pack.id).join(', ')}. The table says why.`)
}

/** Returns a table of all packs. `failures` contains, by pack, why this run of setup could not
 *  install it. */
export function packTable(packs: Packs, failures: ReadonlyMap<string, string> = new Map()): string {
  if (packs.table().length === 0) return 'No engine that is installed here has packs.'
  const rows = packs.table().map(({ id, capability, bytes, licence, state, reason = '' }) => {
    const failure = failures.get(id)
    return [id, capability, sizeText(bytes), licence, state, failure === undefined ? reason : `${failure}; ${reason}`]
  })
  return table(['pack', 'capability', 'size', 'licence', 'state', 'why'], rows)
}

function isUntried(source: PackSource): boolean {
  return source.kind === 'made' ? source.of.some(({ sources: [first] }) => first?.untried === true) : source.untried === true
}

function sourceTable(manifest: readonly Pack[]): string {
  const rows = manifest.map(pack => {
    const sources = pack.files.flatMap(file =>
      file.sources.map(source => describeSource(source) + (isUntried(source) ? ' (not tried by us)' : '')),
    )
    return [
      pack.id,
      pack.title,
      sizeText(packBytes(pack)),
      pack.licence,
      pack.isDefault ? 'yes' : 'by name',
      [...new Set(sources)].join(', then '),
    ]
  })
  return table(['pack', 'title', 'size', 'licence', 'default', 'from'], rows)
}

/** Installs the packs and returns the reasons of the failed ones, by pack. At Ctrl-C, ends the
 *  programs that it has started, keeps the downloaded bytes, and throws `cancelled`. */
async function installAll(
  wanted: readonly Pack[],
  { directory, offline, outbound }: { directory: string; offline: boolean; outbound: Outbound },
): Promise<Map<string, string>> {
  const stopping = new AbortController()
  using _ = onStop(() =>
    stopping.abort(new GatewayError('cancelled', 'Stopped. What came so far is kept; the next setup goes on from there.')),
  )
  const failures = new Map<string, string>()
  for (const pack of wanted) {
    const display = showProgress(pack)
    const result = await installPack(pack, {
      directory,
      outbound,
      isOffline: offline,
      signal: stopping.signal,
      onProgress: display.show,
    }).finally(display.clear)
    if (result.state === 'failed') failures.set(pack.id, result.reason)
    const reported = outcomeOf(result)
    if (reported !== undefined && !(offline && result.state === 'failed')) print(`${pack.id}: ${reported}`)
  }
  return failures
}

function outcomeOf(result: InstallResult): string | undefined {
  if (result.state === 'failed') return 'could not be added'
  switch (result.how) {
    case 'already':
      return undefined
    case 'verified':
      return 'verified the files that were here'
    case 'added':
      return 'added'
  }
}

interface Display {
  show(progress: InstallProgress): void
  /** Removes the progress bar. */
  clear(): void
}

const barMs = 100
const barColumns = 16
const clearLine = '\r\u001b[2K'

/** Returns a display of the progress. On a terminal it is a bar that is redrawn; elsewhere it
 *  prints a line for each source, and one for each quarter of the bytes. */
function showProgress(pack: Pack): Display {
  const { isTTY } = process.stdout
  let lastStep = ''
  let drawnAt = 0
  let isDrawn = false
  const clear = () => {
    if (isDrawn) process.stdout.write(clearLine)
    isDrawn = false
  }
  return {
    clear,
    show(progress) {
      if (progress.phase === 'refused') {
        clear()
        return print(`${pack.id}: ${lineOf(progress)}`)
      }
      const step = stepOf(progress)
      const isStep = step !== lastStep
      lastStep = step
      if (!isTTY) {
        if (isStep) print(`${pack.id}: ${lineOf(progress)}`)
        return
      }
      if (!isStep && performance.now() - drawnAt < barMs) return
      drawnAt = performance.now()
      isDrawn = true
      process.stdout.write(`${clearLine}${pack.id}  ${barOf(progress)}`.slice(0, (process.stdout.columns || 80) + clearLine.length - 1))
    },
  }
}

/** Returns a text that changes when a new line about the progress has to be printed: at each
 *  phase, source and quarter of a download. */
function stepOf(progress: InstallProgress): string {
  if (progress.phase !== 'getting') return progress.phase
  return `${progress.from} ${Math.floor((4 * progress.bytes) / progress.totalBytes)}`
}

function lineOf(progress: InstallProgress): string {
  switch (progress.phase) {
    case 'waiting':
      return 'waiting for another setup that is running'
    case 'verifying':
      return `verifying ${progress.file}`
    case 'refused':
      return `not from ${progress.from}: ${progress.reason}`
    case 'getting':
      return `${sizeText(progress.bytes)} of ${sizeText(progress.totalBytes)} from ${progress.from}`
  }
}

function barOf(progress: InstallProgress): string {
  if (progress.phase !== 'getting') return lineOf(progress)
  const share = progress.bytes / progress.totalBytes
  const full = Math.floor(share * barColumns)
  return `[${'#'.repeat(full)}${'.'.repeat(barColumns - full)}] ${String(Math.floor(share * 100)).padStart(3)} %  ${lineOf(progress)}`
}
