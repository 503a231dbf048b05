import { tmpdir } from 'node:os'
import { drivers } from '../drivers/index.ts'
import { table } from './terminal.ts'

/** What the built-in engines can do on this machine, as `setup` and `doctor` show it. */
export function engineTable(): string {
  const rows = drivers
    .filter(spec => spec.kind === 'engine')
    .map(spec => {
      const engine = spec.open({ scratchDirectory: tmpdir(), cores: 0, log: { info: () => {}, warn: () => {} } })
      const reason = engine.unusable?.({})
      return [spec.title, spec.capabilities.join(', '), reason === undefined ? 'ready' : 'missing', reason ?? '']
    })
  return table(['engine', 'capabilities', 'state', 'why'], rows)
}
