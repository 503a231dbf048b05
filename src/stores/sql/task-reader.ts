import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import type { StoredBlob } from '../../core/ports/blobs.ts'
import type {
  DeadWebhook,
  StoredRequest,
  StoreStats,
  SubmitOutcome,
  TaskFilter,
  TaskStore,
  UsageFilter,
  UsageTotal,
} from '../../core/ports/store.ts'
import type { UsageLine } from '../../core/ports/usage.ts'
import { type Artifact, isFinal, type Task, type TaskEvent, type TaskState } from '../../core/records/task.ts'
import { type EachStatement, prepareEach } from './each.ts'
import type { SealBox } from './seal.ts'
import { type Condition, SlicedReader } from './sliced-reader.ts'
import type { Connection, Statement } from './statements.ts'
import { runSteps, StepStatement } from './steps.ts'
import { blobColumns, requestColumns, taskColumns, toEvent, toStoredBlob, toStoredRequest, toTask } from './task-rows.ts'
import { number, optionalNumber, optionalText, type Row, text } from './values.ts'
import { findReference } from './write/blobs.ts'
import { unindexed } from './write/jobs.ts'
import { prepareEarlier } from './write/submit.ts'

/** Number of days whose usage one statement reads. */
const usageDaysAtOnce = 7

/** Reads tasks, and the rows that belong to them, from the database. */
export class TaskReader {
  readonly #connection: Connection
  readonly #box: SealBox
  readonly #slices: SlicedReader
  readonly #byId: Statement
  readonly #claimed: EachStatement
  readonly #request: Statement
  readonly #byReference: Statement
  readonly #earlier: ReturnType<typeof prepareEarlier>
  readonly #events: Statement
  readonly #blob: Statement
  readonly #detail: Statement
  readonly #origin: Statement
  readonly #reference: Statement
  readonly #usage: Statement
  readonly #nextQueue: Statement

  constructor(connection: Connection, box: SealBox) {
    this.#connection = connection
    this.#box = box
    this.#slices = new SlicedReader(connection)
    this.#byId = connection.prepare(`SELECT ${taskColumns} FROM tasks WHERE id = ?`)
    this.#request = connection.prepare(`SELECT ${requestColumns} FROM tasks WHERE id = ?`)
    this.#byReference = connection.prepare(`SELECT ${taskColumns} FROM tasks WHERE account_id = ? AND client_reference = ?`)
    const steps = { dialect: connection.dialect, prepare: (sql: string) => new StepStatement(connection.prepare(sql)) }
    this.#earlier = prepareEarlier(steps)
    this.#claimed = prepareEach(
      steps,
      ({ text, join }) => `SELECT ${taskColumns}, ${requestColumns} FROM tasks ${join} WHERE id = ${text(0)}`,
    )
    this.#usage = connection.prepare(
      'SELECT id, account_id, key_id, model, unit, units, cost_micros, at FROM usage WHERE id >= ? AND id < ? ORDER BY id',
    )
    this.#events = connection.prepare(
      'SELECT task_id, sequence, at, type, data FROM task_events WHERE task_id = ? AND sequence > ? ORDER BY sequence',
    )
    this.#nextQueue = connection.prepare('SELECT queue FROM jobs WHERE queue > ? ORDER BY queue LIMIT 1')
    this.#blob = connection.prepare(`SELECT ${blobColumns} FROM blobs WHERE id = ?`)
    this.#reference = connection.prepare(findReference)
    this.#detail = connection.prepare('SELECT detail FROM task_details WHERE task_id = ?')
    this.#origin = connection.prepare(
      `SELECT detail, blobs.id, outputs FROM blobs JOIN task_details USING (task_id) JOIN tasks ON tasks.id = task_id
       WHERE sha256 = ? AND blobs.account_id = ? AND kind = 'output' ORDER BY task_id DESC LIMIT 1`,
    )
  }

  /** Returns a task and the number of characters of its row. */
  async get(id: string): Promise<{ task: Task; characters: number } | undefined> {
    const row = await this.#byId.get(id)
    return row && { task: toTask(row, this.#box), characters: charactersOf(row) }
  }

  /** Returns the rows of some tasks with their requests, by id. */
  async claimed(ids: readonly string[]): Promise<Map<string, Row>> {
    const rows = await runSteps(this.#claimed.get(ids.map(id => [id])))
    return new Map(rows.map(row => [text(row, 'id'), row]))
  }

  /** Reads a row of `claimed`: the task with its request, as a worker needs it. */
  toClaimed(row: Row): { task: Task; request: StoredRequest } {
    return { task: toTask(row, this.#box), request: toStoredRequest(row) }
  }

  async request(id: string): Promise<StoredRequest | undefined> {
    const row = await this.#request.get(id)
    return row && toStoredRequest(row)
  }

  async taskUsage(id: string): Promise<UsageLine[]> {
    // The range contains all ids that begin with the task's id and a colon, because `;` is the
    // character after `:`.
    return (await this.#usage.all(`${id}:`, `${id};`)).map(toUsageLine)
  }

  async earlier({
    accountId,
    clientReference,
    idempotency,
    createdAt,
  }: Parameters<TaskStore['earlier']>[0]): Promise<SubmitOutcome | undefined> {
    const row = { accountId, clientReference: clientReference ?? null, idempotency: idempotency ?? null, createdAt }
    return (await runSteps(this.#earlier([row]))).of(row)
  }

  async getByReference(accountId: string, clientReference: string): Promise<Task | undefined> {
    return this.#toTask(await this.#byReference.get(accountId, clientReference))
  }

  async list(filter: TaskFilter, now: number): Promise<Task[]> {
    const { accountId, state, family, model, endpoint, idempotencyKey, scopes, before, after, oldestFirst, limit } = filter
    const { isIn, list } = this.#connection.dialect
    // In the scopes of a key, an empty list allows everything.
    const listed = (values: readonly string[] | undefined) => (values === undefined || values.length === 0 ? undefined : list(values))
    const rows = await this.#slices.list({
      table: 'tasks',
      columns: taskColumns,
      indexed: given([
        ['account_id = ?', accountId],
        [
          'id = (SELECT task_id FROM idempotency WHERE account_id = ? AND key = ? AND expires_at > ?)',
          accountId ?? '',
          idempotencyKey,
          now,
        ],
        ['family = ?', family],
        ...(family === undefined ? stateConditions(state, accountId) : []),
      ]),
      checked: given([
        [`${unindexed('state')} = ?`, family === undefined ? undefined : state],
        ['model = ?', model],
        ['endpoint = ?', endpoint],
        [isIn(unindexed('family')), listed(scopes?.families)],
        [isIn('endpoint'), listed(scopes?.endpoints)],
        [isIn('model'), listed(scopes?.models)],
        ['expires_at > 0'],
      ]),
      by: 'id',
      order: oldestFirst ? 'asc' : 'desc',
      after: oldestFirst ? after : before,
      limit,
    })
    return rows.map(row => toTask(row, this.#box))
  }

  async events(taskId: string, afterSequence: number): Promise<TaskEvent[]> {
    return (await this.#events.all(taskId, afterSequence)).map(toEvent)
  }

  async detail(taskId: string): Promise<JsonObject | undefined> {
    return toDetail(await this.#detail.get(taskId))
  }

  async origin(accountId: string, sha256: string): Promise<{ detail: JsonObject; index: number } | undefined> {
    const row = await this.#origin.get(sha256, accountId)
    const detail = toDetail(row)
    return row && detail && { detail, index: indexIn(text(row, 'outputs'), text(row, 'id')) }
  }

  async blob(id: string): Promise<StoredBlob | undefined> {
    const row = await this.#blob.get(id)
    return row === undefined ? undefined : toStoredBlob(row)
  }

  async unreferenced(keys: string[]): Promise<string[]> {
    const found = await Promise.all(keys.map(key => this.#reference.get(key)))
    return keys.filter((_, index) => found[index] === undefined)
  }

  async usage({ accountId, keyId, from, to }: UsageFilter): Promise<UsageTotal[]> {
    const days = await this.#usageDays(utcDay(from), utcDay(to - 1))
    const found: Row[][] = []
    for (let first = 0; first < days.length; first += usageDaysAtOnce) {
      const conditions = given([
        [this.#connection.dialect.isIn('day'), this.#connection.dialect.list(days.slice(first, first + usageDaysAtOnce))],
        ['account_id = ?', accountId],
        ['key_id = ?', keyId],
      ])
      const statement = this.#connection.prepare(
        `SELECT day, account_id, key_id, model, unit, units, cost_micros FROM usage_days
         WHERE ${conditions.map(([sql]) => sql).join(' AND ')} ORDER BY day, account_id, key_id, model, unit`,
      )
      if (first > 0) await this.#slices.turn()
      found.push(await statement.all(...conditions.flatMap(([, ...values]) => values)))
    }
    return found.flat().map(toUsageTotal)
  }

  /** Returns every day from the first to the last day with usage in the range, also the days
   *  without usage between them. The range includes the days `from` and `to`. */
  async #usageDays(from: string, to: string): Promise<string[]> {
    const ofRange = 'FROM usage_days WHERE day >= ?1 AND day <= ?2'
    const row = await this.#connection
      .prepare(`SELECT (SELECT min(day) ${ofRange}) AS first, (SELECT max(day) ${ofRange}) AS last`)
      .get(from, to)
    const [first, last] = [row && optionalText(row, 'first'), row && optionalText(row, 'last')]
    if (!first || !last) return []
    const days: string[] = []
    for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs) days.push(utcDay(at))
    return days
  }

  async deadWebhooks({ accountId, limit }: { accountId?: string; limit: number }): Promise<DeadWebhook[]> {
    const account = accountId ?? null
    const rows = await this.#connection
      .prepare(
        `SELECT outbox.id, outbox.task_id, tasks.account_id, tasks.webhook_url, outbox.attempt, outbox.last_status, outbox.last_error
         FROM outbox JOIN tasks ON tasks.id = outbox.task_id
         WHERE outbox.state = 'dead' AND (CAST(?1 AS TEXT) IS NULL OR tasks.account_id = ?1) ORDER BY outbox.run_at DESC, outbox.id LIMIT ?2`,
      )
      .all(account, limit)
    return rows.map(toDeadWebhook)
  }

  /** Returns the names of all queues. Takes one index lookup for each name, however many jobs
   *  there are. */
  async queues(): Promise<string[]> {
    const names: string[] = []
    for (let row = await this.#nextQueue.get(''); row !== undefined; row = await this.#nextQueue.get(text(row, 'queue')))
      names.push(text(row, 'queue'))
    return names
  }

  async stats(): Promise<StoreStats> {
    const queues = new Map<string, StoreStats['queues'][number]>()
    const counted = await this.#connection
      .prepare('SELECT queue, state, count(*) AS count, min(run_at) AS oldest FROM jobs GROUP BY queue, state')
      .all()
    for (const row of counted) {
      const queue = text(row, 'queue')
      const counts = queues.get(queue) ?? { queue, ready: 0, leased: 0, parked: 0 }
      const oldest = text(row, 'state') === 'ready' ? { oldestReadyAt: number(row, 'oldest') } : {}
      queues.set(queue, { ...counts, ...oldest, [text(row, 'state')]: number(row, 'count') })
    }
    const webhooks = await this.#connection.prepare(`SELECT state = 'dead' AS dead, count(*) AS count FROM outbox GROUP BY 1`).all()
    const countOf = (dead: number) => webhooks.reduce((sum, row) => (number(row, 'dead') === dead ? sum + number(row, 'count') : sum), 0)
    const open = await this.#connection.prepare('SELECT count(*) AS count FROM open_lines').get()
    const openLines = open === undefined ? 0 : number(open, 'count')
    return { queues: [...queues.values()], webhooksDue: countOf(0), webhooksDead: countOf(1), openLines }
  }

  #toTask(row: Row | undefined): Task | undefined {
    return row === undefined ? undefined : toTask(row, this.#box)
  }
}

/** Returns the conditions without those that contain undefined, which stands for a filter that the
 *  caller has not set. */
function given(conditions: readonly (readonly [string, ...(string | number | undefined)[]])[]): Condition[] {
  const isGiven = (condition: (typeof conditions)[number]): condition is Condition => !condition.includes(undefined)
  return conditions.filter(isGiven)
}

/** Returns the conditions for a state. The state is written into the statement instead of passed
 *  as a parameter, so that the database can use an index that covers only some states. */
function stateConditions(state: TaskState | undefined, accountId: string | undefined): [string][] {
  if (state === undefined) return []
  // The tasks of all accounts that have not ended are few, and they are exactly those that have
  // jobs, so they are found through the jobs.
  const hasJob: [string][] =
    isFinal(state) || accountId !== undefined ? [] : [['EXISTS (SELECT 1 FROM jobs WHERE jobs.task_id = tasks.id)']]
  return [[`state = '${state}'`], ...hasJob]
}

function toDetail(row: Row | undefined): JsonObject | undefined {
  return row === undefined ? undefined : JSON.parse(text(row, 'detail'))
}

function charactersOf(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function toUsageTotal(row: Row): UsageTotal {
  return { day: text(row, 'day'), ...countedIn(row) }
}

function toUsageLine(row: Row): UsageLine {
  return { id: text(row, 'id'), ...countedIn(row), at: number(row, 'at') }
}

/** Returns the members that usage lines and usage totals have in common. */
function countedIn(row: Row): Omit<UsageLine, 'id' | 'at'> {
  return {
    accountId: text(row, 'account_id'),
    keyId: text(row, 'key_id'),
    model: text(row, 'model'),
    unit: text(row, 'unit'),
    units: number(row, 'units'),
    costMicros: number(row, 'cost_micros'),
  }
}

function toDeadWebhook(row: Row): DeadWebhook {
  const webhook: DeadWebhook = {
    id: text(row, 'id'),
    taskId: text(row, 'task_id'),
    accountId: text(row, 'account_id'),
    url: text(row, 'webhook_url'),
    attempts: number(row, 'attempt'),
  }
  const status = optionalNumber(row, 'last_status')
  if (status !== null) webhook.lastStatus = status
  const error = optionalText(row, 'last_error')
  if (error !== null) webhook.lastError = error
  return webhook
}

/** Returns the index of an artifact among a task's outputs, from the task's row. */
function indexIn(outputs: string, id: string): number {
  const artifacts: Artifact[] = JSON.parse(outputs)
  return artifacts.find(artifact => artifact.id === id)?.index ?? 0
}
