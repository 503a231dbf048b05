import type { Membership } from '../../core/ports/membership.ts'
import type { OtherNodes } from './account-store.ts'
import type { Connection } from './statements.ts'
import { number, text } from './values.ts'
import type { Writer } from './writer.ts'

interface Parts {
  connection: Connection
  writer: Writer
  otherNodes: OtherNodes | undefined
  exclusively: Membership['exclusively']
}

/** Returns the view that this process has of the other nodes of the store. */
export function createMembership({ connection, writer, otherNodes, exclusively }: Parts): Membership {
  const find = connection.prepare('SELECT value FROM meta WHERE name = ?')
  const count = connection.prepare('SELECT count(*) AS live FROM nodes WHERE dead = 0 AND expires_at > ?')
  return {
    isShared: otherNodes !== undefined,
    exclusively,
    async fact(name) {
      const row = await find.get(name)
      return row === undefined ? undefined : text(row, 'value')
    },
    async setFact(name, value) {
      await writer.run('putRow', { table: 'meta', cells: [name, value] })
    },
    liveNodes: async now => number((await count.get(now)) ?? {}, 'live'),
  }
}
