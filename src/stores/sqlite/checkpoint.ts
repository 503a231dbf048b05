import type { DatabaseSync } from 'node:sqlite'
import { number } from '../sql/values.ts'
import { describeFault, faultKind } from './faults.ts'

/** Number of frames (pages of 4 KiB) in the write-ahead log that trigger a checkpoint, which
 *  copies them into the database. */
const framesBeforeCheckpoint = 2000
/** Number of commits between two checks of the log's length. Reading the length takes a few
 *  microseconds, so it is not read at every commit. */
const commitsBetweenChecks = 16

/** Keeps the write-ahead log short. Both methods return a message when the disk has failed. When
 *  the disk is only full, they return nothing, and a later call tries again. */
export interface Checkpointer {
  /** Runs a checkpoint when the log has become long enough. Call it after every commit. */
  afterCommit(): string | undefined
  /** Frees disk space by copying as many pages of the log as possible into the database. */
  onFullDisk(): string | undefined
}

export function createCheckpointer(database: DatabaseSync): Checkpointer {
  const look = database.prepare('PRAGMA wal_checkpoint = NOOP')
  const copy = database.prepare('PRAGMA wal_checkpoint = PASSIVE')
  const copyAndShorten = database.prepare('PRAGMA wal_checkpoint = TRUNCATE')
  let commits = 0
  return {
    afterCommit() {
      commits += 1
      if (commits % commitsBetweenChecks !== 0) return undefined
      return messageOf(() => {
        const log = look.get()
        if (log !== undefined && number(log, 'log') - number(log, 'checkpointed') >= framesBeforeCheckpoint) copy.get()
      })
    },
    onFullDisk: () => messageOf(() => copyAndShorten.get()),
  }
}

function messageOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return faultKind(error) === 'broken' ? describeFault(error) : undefined
  }
}
