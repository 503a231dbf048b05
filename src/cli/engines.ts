import { readConfig } from '../config.ts'
import { drivers } from '../drivers/index.ts'
import { openPacks } from '../engines/packs/packs.ts'
import { table } from './terminal.ts'

/** What the built-in engines can do on this machine, as `setup` and `doctor` show it. An engine that works from packs needs one of them. */
export function engineTable(): string {
  const packs = openPacks(readConfig(process.env).packsDir)
  const rows = drivers
    .filter(spec => spec.kind === 'engine')
    .map(({ title, capabilities }) => {
      const own = packs.table().filter(pack => capabilities.some(capability => capability === pack.capability))
      const isReady = own.length === 0 || own.some(pack => pack.state === 'ready')
      return [title, capabilities.join(', '), isReady ? 'ready' : 'missing', isReady ? '' : packs.howToGet(own[0]?.id ?? '')]
    })
  return table(['engine', 'capabilities', 'state', 'why'], rows)
}
