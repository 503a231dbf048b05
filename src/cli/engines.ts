import { readConfig } from '../config/settings.ts'
import { bestOf } from '../core/routing/catalogue.ts'
import { engines, missingEngines } from '../engines.ts'
import { packManifest } from '../packs/installed.ts'
import { openPacks } from '../packs/packs.ts'
import { table } from './terminal.ts'

/** Returns a table that shows what the engines can do on this machine, for `setup` and `doctor`. An
 *  engine with several packs counts as ready when one of them is installed. */
export function engineTable(): string {
  const packs = openPacks(readConfig(process.env).packsDir, packManifest)
  const states = new Map(packs.table().map(({ id, state }) => [id, state]))
  const isReadyPack = (id: string | undefined): boolean => id !== undefined && states.get(id) === 'ready'
  const installed = engines.map(({ title, capabilities, models = [], packs: own = [] }) => {
    const isReady = own.length === 0 || own.some(pack => isReadyPack(pack.id))
    const best = bestOf(models, { rank: model => model.rank, isUsable: model => isReadyPack(model.name) })
    return [title, capabilities.join(', '), isReady ? 'ready' : 'missing', best?.id ?? '', isReady ? '' : packs.howToGet(own[0]?.id ?? '')]
  })
  const missing = missingEngines.map(({ title, capabilities, howToGet }) => [title, capabilities.join(', '), 'missing', '', howToGet])
  return table(['engine', 'capabilities', 'state', 'default model', 'why'], [...installed, ...missing])
}
