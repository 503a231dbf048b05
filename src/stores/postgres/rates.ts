import type { LeaseRequest, Leases, RateTokens } from '../../core/ports/rates.ts'
import type { Clock } from '../../core/ports/store.ts'
import { Listeners } from '../listeners.ts'
import type { Statement } from '../sql/statements.ts'
import { number, type Row } from '../sql/values.ts'
import { PostgresConnection } from './connection.ts'
import { unavailable } from './faults.ts'
import { inTime } from './in-time.ts'
import { PostgresLink } from './link.ts'
import type { PostgresTimes } from './times.ts'

/** Time in milliseconds within which the database must answer; otherwise it counts as
 *  unreachable. */
const answerMs = 2_000

/** SQL: the present time in Unix milliseconds, from parameter 9 in tests, else from the
 *  database's clock. */
const now = `COALESCE(CAST(?9 AS BIGINT), CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT))`
/** SQL: the time at which the lease of a token ends when the token is used at `usedAt`. Ends are
 *  rounded to half seconds, so that a row has at most 124 different ends. The token can be taken
 *  again a minute after this end, which is at least 60.5 s after its use. */
const endOf = (usedAt: string) => `(${usedAt} / 500 + 2) * 500`
const aheadEnd = `(${now} / 500 + 3) * 500`

/** Takes tokens in a single statement, so that the row is locked for no longer than it runs. It
 *  is an insert that updates an existing row: unlike a plain update, it always finds the row by
 *  its key and computes with its newest version. For a new row, `granted` is -1, and the caller
 *  runs the statement again. The commit does not wait for the disk. A crash can therefore lose
 *  the leases of the last second; the nodes take this into account (`SharedRateLimiter`). */
const takeTokens = `
  INSERT INTO rates (id, ends, tokens, granted, ahead) VALUES (?1, '{}', '{}', -1, 0)
  ON CONFLICT (id) DO UPDATE SET (ends, tokens, granted, ahead) = (
    WITH unused AS (SELECT * FROM unnest(CAST(?5 AS BIGINT[]), CAST(?6 AS INT[])) AS unused (ending, tokens)),
    uncounted AS (
      SELECT ${endOf(`(${now} - age)`)} AS ending, requests
      FROM unnest(CAST(?7 AS INT[]), CAST(?8 AS INT[])) AS uncounted (age, requests)),
    held AS (
      SELECT ending, GREATEST(0, tokens - COALESCE((SELECT SUM(unused.tokens) FROM unused WHERE unused.ending = taken.ending), 0)) AS tokens
      FROM unnest(rates.ends, rates.tokens) AS taken (ending, tokens) WHERE ending > ${now} - 60000
      UNION ALL SELECT ending, requests FROM uncounted WHERE ending > ${now} - 60000),
    room AS (SELECT GREATEST(0, CAST(?2 AS INT) - COALESCE(SUM(tokens), 0)) AS left_over FROM held),
    answer AS (
      SELECT LEAST(left_over, CAST(?3 AS INT)) AS granted,
        LEAST(CAST(?4 AS INT), FLOOR((left_over - LEAST(left_over, CAST(?3 AS INT))) / 8)) AS ahead FROM room),
    next AS (
      SELECT ending, SUM(tokens) AS tokens FROM (
        SELECT ending, tokens FROM held
        UNION ALL SELECT ${endOf(now)}, granted FROM answer
        UNION ALL SELECT ${aheadEnd}, ahead FROM answer) AS parts
      GROUP BY ending HAVING SUM(tokens) > 0)
    SELECT COALESCE((SELECT array_agg(ending ORDER BY ending) FROM next), '{}'),
      COALESCE((SELECT array_agg(CAST(tokens AS INT) ORDER BY ending) FROM next), '{}'), granted, ahead
    FROM answer)
  RETURNING rates.granted, rates.ahead, ${aheadEnd} AS ahead_end, ${aheadEnd} - ${now} AS lasts_ms,
    GREATEST(0, CAST(?2 AS INT) - (SELECT COALESCE(SUM(taken), 0) FROM unnest(rates.tokens) AS taken)) AS free,
    COALESCE(rates.ends[1] + 60000 - ${now}, 0) AS next_in_ms, COALESCE(rates.ends[cardinality(rates.ends)] + 60000 - ${now}, 0) AS all_in_ms,
    (SELECT COUNT(DISTINCT session) FROM nodes WHERE dead = 0) AS nodes,
    set_config('synchronous_commit', 'off', true) AS commits`

/** Implements `RateTokens` on PostgreSQL. It has its own connection, so that its statements
 *  never wait for a batch of writes. All times are those of the database, so that differences
 *  between the clocks of the nodes have no effect. */
export class PostgresRates implements RateTokens {
  readonly #link: PostgresLink
  readonly #clock: Clock | undefined
  readonly #losses = new Listeners<undefined>()
  readonly #take: Statement
  readonly #count: Statement

  /** `clock` replaces the database's clock in tests. */
  constructor({ url, times, nodeName }: { url: string; times: PostgresTimes; nodeName: string }, clock?: Clock) {
    this.#link = new PostgresLink({ url, times, name: `${nodeName} counts rates`, onLoss: () => this.#losses.publish(undefined) })
    this.#clock = clock
    const connection = new PostgresConnection(this.#link.send)
    this.#take = connection.prepare(takeTokens)
    this.#count = connection.prepare('SELECT COUNT(DISTINCT session) AS nodes FROM nodes WHERE dead = 0')
  }

  lease(request: LeaseRequest): Promise<Leases> {
    return this.#inTime(this.#lease(request))
  }

  nodes(): Promise<number> {
    return this.#inTime(this.#nodes())
  }

  onLoss(listener: () => void): () => void {
    return this.#losses.subscribe(listener)
  }

  /** Drops the connection, and reports the loss to the listeners. Call it when the database is
   *  known to be unreachable. */
  drop(): void {
    this.#link.drop()
    this.#losses.publish(undefined)
  }

  close(): Promise<void> {
    this.#losses.clear()
    return this.#link.close()
  }

  async #lease({ id, perMinute, waiting, ahead, unused, uncounted }: LeaseRequest): Promise<Leases> {
    const unusedLeases = `{${unused.map(({ lease }) => lease)}}`
    const unusedTokens = `{${unused.map(({ tokens }) => tokens)}}`
    const ages = `{${uncounted.map(({ ageMs }) => ageMs)}}`
    const requests = `{${uncounted.map(each => each.requests)}}`
    const values = [id, perMinute, waiting, ahead, unusedLeases, unusedTokens, ages, requests, this.#clock?.now() ?? null]
    const leases = toLeases((await this.#take.get(...values)) ?? {})
    return leases.granted < 0 ? toLeases((await this.#take.get(...values)) ?? {}) : leases
  }

  async #nodes(): Promise<number> {
    return number((await this.#count.get()) ?? {}, 'nodes')
  }

  async #inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await inTime(answer, answerMs)
    } catch (error) {
      // After the drop, the next request opens a new connection, or fails when it cannot.
      this.#link.drop()
      throw unavailable(error)
    }
  }
}

function toLeases(row: Row): Leases {
  return {
    granted: number(row, 'granted'),
    ahead: { lease: number(row, 'ahead_end'), tokens: number(row, 'ahead'), lastsMs: number(row, 'lasts_ms') },
    free: number(row, 'free'),
    nextInMs: number(row, 'next_in_ms'),
    allInMs: number(row, 'all_in_ms'),
    nodes: number(row, 'nodes'),
  }
}
