import { readConfig } from '../config.ts'
import { bestOf } from '../core/routing/catalogue.ts'
import { drivers } from '../drivers/index.ts'
import { families } from '../families/index.ts'
import { openPacks } from '../packs/packs.ts'
import { table } from './terminal.ts'

/** What the built-in engines can do on this machine, as `setup` and `doctor` show it. An engine that works from packs needs one of them. */
export function engineTable(): string {
  const packs = openPacks(readConfig(process.env).packsDir)
  const rows = drivers
    .filter(spec => spec.kind === 'engine')
    .map(({ id, title, capabilities }) => {
      const own = packs.table().filter(pack => capabilities.some(capability => capability === pack.capability))
      const isReady = own.length === 0 || own.some(pack => pack.state === 'ready')
      const isReadyPack = (name: string | undefined): boolean => own.some(pack => pack.id === name && pack.state === 'ready')
      const models = families.flatMap(({ family }) => family.models).filter(model => model.engine === id)
      const best = bestOf(models, { rank: model => model.rank, isUsable: model => isReadyPack(model.engineModel) })
      return [
        title,
        capabilities.join(', '),
        isReady ? 'ready' : 'missing',
        best?.id ?? '',
        isReady ? '' : packs.howToGet(own[0]?.id ?? ''),
      ]
    })
  return table(['engine', 'capabilities', 'state', 'default model', 'why'], rows)
}
