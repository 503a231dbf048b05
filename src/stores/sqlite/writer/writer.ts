import type { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { loadMigrations } from '../../sql/migrations.ts'
import type { Call } from '../../sql/operations.ts'
import { WriteContext } from '../../sql/write/context.ts'
import { createRunCalls } from '../../sql/write/handlers.ts'
import { createCheckpointer } from '../checkpoint.ts'
import { SqliteConnection } from '../connection.ts'
import { openForWriting } from '../database.ts'
import { describeFault } from '../faults.ts'
import type { WriterOptions, WriterReply, WriterRequest } from '../messages.ts'
import { migrate } from '../migrations.ts'
import { type CommitOutcome, createGroupCommit } from './group-commit.ts'

// The writer thread, which has the only connection that writes. Each transaction contains all calls
// that have arrived since the previous one.
const port = parentPort
if (port === null) throw new TypeError('writer.ts runs as a worker thread')

const options: WriterOptions = workerData
const database = start()
if (database !== undefined) serve(database)

function start(): DatabaseSync | undefined {
  let opened: DatabaseSync | undefined
  try {
    opened = openForWriting(options.databaseFile, options.synchronous)
    migrate(opened, loadMigrations(options.migrationsFolder))
    return opened
  } catch (error) {
    opened?.close()
    reply({ kind: 'refused', message: describeFault(error) })
    return undefined
  }
}

function serve(connection: DatabaseSync): void {
  const context = new WriteContext(new SqliteConnection(connection))
  const commitCalls = createGroupCommit(connection, context, createRunCalls(context))
  const checkpointer = createCheckpointer(connection)
  let failure: string | undefined

  // When an fsync has failed, a repeated fsync may succeed although the data is not on disk.
  // Therefore no write is accepted after the first failure.
  function commit(calls: Call[]): CommitOutcome {
    if (failure !== undefined) return { ok: false, fault: 'broken', message: failure }
    const outcome = commitCalls(calls)
    if (!outcome.ok && outcome.fault === 'broken') failure = outcome.message
    return outcome
  }

  function commitInbox(first: WriterRequest): void {
    const { calls, requests, closes } = drain(first)
    if (calls.length > 0) {
      const outcome = commit(calls)
      if (outcome.ok) reply({ kind: 'done', requests, answers: outcome.answers, signals: outcome.signals })
      else reply({ kind: 'failed', requests, calls: calls.length, fault: outcome.fault, message: outcome.message })
      if (failure === undefined) {
        if (outcome.ok) failure = checkpointer.afterCommit()
        else if (outcome.fault === 'disk-full') failure = checkpointer.onFullDisk()
        if (failure !== undefined) reply({ kind: 'broken', message: failure })
      }
    }
    if (closes) close(connection)
  }

  port?.on('message', commitInbox)
  reply({ kind: 'ready' })
}

function drain(first: WriterRequest): { calls: Call[]; requests: number; closes: boolean } {
  const calls: Call[] = []
  let requests = 0
  let closes = false
  for (let request: WriterRequest | undefined = first; request !== undefined; request = nextRequest()) {
    if (request.kind === 'close') closes = true
    else {
      calls.push(...request.calls)
      requests += 1
    }
  }
  return { calls, requests, closes }
}

function nextRequest(): WriterRequest | undefined {
  return port === null ? undefined : receiveMessageOnPort(port)?.message
}

function close(connection: DatabaseSync): void {
  connection.close()
  reply({ kind: 'closed' })
  port?.close()
}

function reply(message: WriterReply): void {
  port?.postMessage(message)
}
