import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type {
  SearchKeywordRequest,
  SearchKeywordResult,
  SearchRecord,
  SearchTopResult,
  SearchVerticalRequest,
  SearchVerticalResult,
} from '@generation-gateway/kit/requests/search.ts'
import type { IndexRecord, ListEntry } from './records.ts'
import { indexed, phrasesOf } from './words.ts'

const dayMs = 86_400_000
const busyMs = 5_000
/** Time in ms after which records of feeds are deleted. The time is a little longer than the half
 *  year that searches go back. */
const feedLifeMs = 200 * dayMs
/** Number of records in one commit. Storing them takes about 50 ms with texts of usual length. */
export const recordsOfCommit = 100
/** Largest number of records in the hot list of a topic. */
const mostOfTopic = 50

/** For each sort option of the platforms, the SQL order of the records
 *  (docs/interface/text.md#search). */
const orders: Readonly<Record<string, string>> = {
  _1: 'likes DESC',
  popularity_descending: 'likes DESC',
  _2: 'published DESC',
  time_descending: 'published DESC',
  pubdate: 'published DESC',
  click: 'plays DESC',
  dm: 'comments DESC',
  stow: 'favourites DESC',
}

const schema = `
  CREATE TABLE IF NOT EXISTS records (
    key INTEGER PRIMARY KEY, platform TEXT NOT NULL, id TEXT NOT NULL, topic TEXT, title TEXT NOT NULL, text TEXT NOT NULL, url TEXT NOT NULL,
    published INTEGER, author TEXT, thumbnail TEXT, plays INTEGER, comments INTEGER, likes INTEGER, shares INTEGER, favourites INTEGER, reads INTEGER,
    heat INTEGER, read_at INTEGER NOT NULL, origin TEXT NOT NULL, UNIQUE (platform, id));
  CREATE INDEX IF NOT EXISTS by_topic ON records (topic, platform, published);
  CREATE INDEX IF NOT EXISTS by_origin ON records (origin, read_at);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
  CREATE TABLE IF NOT EXISTS lists (code INTEGER PRIMARY KEY, entries TEXT NOT NULL, read_at INTEGER NOT NULL, origin TEXT NOT NULL);`

const counters = ['plays', 'comments', 'likes', 'shares', 'favourites', 'reads', 'heat'] as const

/** The origin of a record. */
type Origin = 'imported' | 'feed' | 'sample'

export interface RecordPlace {
  platform?: string | undefined
  topic?: string | undefined
}

type Row = Record<string, string | number | null>

/** The search index in a data folder: records, the words in them, and the latest hot lists.
 *  Several processes may have it open at the same time. Times are Unix milliseconds. */
export class IndexStore implements Disposable {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /** Opens the index; creates the folder and the file when they are missing. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#database = new DatabaseSync(join(folder, 'index.db'), { timeout: busyMs })
    this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`)
  }

  /** Adds records; a record with the same platform and id is replaced. Commits `recordsOfCommit`
   *  records at a time, so that other writers wait only briefly. */
  add(records: readonly IndexRecord[], readAt: number, origin: Origin): void {
    for (let at = 0; at < records.length; at += recordsOfCommit) {
      this.commit(() => {
        for (const record of records.slice(at, at + recordsOfCommit)) this.#put(record, readAt, origin)
      })
    }
  }

  /** Deletes records that have not been in a feed for `feedLifeMs`. */
  forgetOld(now: number): void {
    this.commit(() => this.#remove("origin = 'feed' AND read_at < ?", now - feedLifeMs))
  }

  saveList(code: number, entries: readonly ListEntry[], readAt: number, origin: Origin): void {
    const save = this.#run('INSERT OR REPLACE INTO lists (code, entries, read_at, origin) VALUES (?, ?, ?, ?)')
    save.run(code, JSON.stringify(entries), readAt, origin)
  }

  list(code: number): (Omit<SearchTopResult, 'age'> & { readAt: number }) | undefined {
    const row = this.#run('SELECT entries, read_at FROM lists WHERE code = ?').get(code) as Row | undefined
    return row && { entries: JSON.parse(String(row.entries)), readAt: Number(row.read_at) }
  }

  /** True when the index contains a record or a hot list that is not sample data. */
  hasOwn(): boolean {
    return (
      this.#run("SELECT 1 FROM records WHERE origin <> 'sample' UNION ALL SELECT 1 FROM lists WHERE origin <> 'sample' LIMIT 1").get() !==
      undefined
    )
  }

  /** Returns the time at which the oldest sample record was added; undefined when there are no
   *  sample records. */
  sampledAt(): number | undefined {
    const row = this.#run("SELECT min(read_at) AS at FROM records WHERE origin = 'sample'").get() as Row | undefined
    return row?.at === null || row === undefined ? undefined : Number(row.at)
  }

  removeSamples(): void {
    this.commit(() => {
      this.#remove("origin = 'sample'")
      this.#run("DELETE FROM lists WHERE origin = 'sample'").all()
    })
  }

  #remove(which: string, ...values: number[]): void {
    // `all()` is used instead of `run()`, which throws here: it would return the id of the last
    // row, and in the full-text table this id is too large for a number.
    this.#run(`DELETE FROM words WHERE rowid IN (SELECT key FROM records WHERE ${which})`).all(...values)
    this.#run(`DELETE FROM records WHERE ${which}`).all(...values)
  }

  /** True when the index contains a record of this platform and topic. A platform or topic that is
   *  undefined is not compared. */
  holds({ platform, topic }: RecordPlace): boolean {
    const found = this.#run('SELECT 1 FROM records WHERE (?1 IS NULL OR platform = ?1) AND (?2 IS NULL OR topic = ?2) LIMIT 1')
    return found.get(platform ?? null, topic ?? null) !== undefined
  }

  /** Returns the records that contain all words of the keyword, or, when there are none, those
   *  that contain at least one. Records of several platforms alternate in the result. */
  keyword(request: SearchKeywordRequest, now: number): SearchKeywordResult {
    const phrases = phrasesOf(request.keyword)
    if (phrases.length === 0) return { records: [], total: 0, age: { readAt: now, isStale: false } }
    const all = this.#matching(phrases.join(' AND '), request, now)
    return all.total > 0 || phrases.length === 1 ? all : this.#matching(phrases.join(' OR '), request, now)
  }

  #matching(match: string, request: SearchKeywordRequest, now: number): SearchKeywordResult {
    const { platform, days, order = '', page, pageSize } = request
    const rank = `${orders[order] ?? 'score'}, published DESC, key`
    const rows = this.#run(
      `WITH hits AS (SELECT rowid AS hit, bm25(words, 4.0, 1.0) AS score FROM words WHERE words MATCH ?1),
         found AS (SELECT r.*, score, row_number() OVER (PARTITION BY platform ORDER BY ${rank}) AS turn FROM hits JOIN records r ON r.key = hit
           WHERE (?2 IS NULL OR platform = ?2) AND (?3 IS NULL OR published >= ?3))
       SELECT *, count(*) OVER () AS total, min(read_at) OVER () AS oldest FROM found ORDER BY turn, ${rank} LIMIT ?4 OFFSET ?5`,
    ).all(match, platform ?? null, days === undefined ? null : now - days * dayMs, pageSize, (page - 1) * pageSize) as Row[]
    const total = rows[0] ? Number(rows[0].total) : this.#total(match, platform, days === undefined ? null : now - days * dayMs)
    const age = { readAt: Number(rows[0]?.oldest ?? now), isStale: false }
    const more = page * pageSize < total ? { cursor: String(page + 1) } : {}
    return { records: rows.map(recordOf), total, age, ...more }
  }

  /** Returns the number of records that match. Needed only when the requested page is empty. */
  #total(match: string, platform: string | undefined, since: number | null): number {
    const row = this.#run(
      `SELECT count(*) AS total FROM words JOIN records r ON r.key = words.rowid
       WHERE words MATCH ?1 AND (?2 IS NULL OR platform = ?2) AND (?3 IS NULL OR published >= ?3)`,
    ).get(match, platform ?? null, since) as Row
    return Number(row.total)
  }

  /** Returns the records of a topic that have the most likes, bookmarks, comments and shares
   *  together. */
  vertical({ topic, platform, days }: SearchVerticalRequest, now: number): SearchVerticalResult {
    const rows = this.#run(
      `SELECT *, 0.0 + ifnull(likes, 0) + ifnull(favourites, 0) + ifnull(comments, 0) + ifnull(shares, 0) AS sum, min(read_at) OVER () AS oldest FROM records
       WHERE topic = ?1 AND platform = ?2 AND published >= ?3 ORDER BY sum DESC, published DESC LIMIT ${mostOfTopic}`,
    ).all(topic, platform, now - days * dayMs) as Row[]
    return { records: rows.map(recordOf), total: rows.length, age: { readAt: Number(rows[0]?.oldest ?? now), isStale: false } }
  }

  #put(record: IndexRecord, readAt: number, origin: Origin): void {
    const { platform, id, topic, title, text, url, publishedAt, author, thumbnailUrl, counts } = record
    const old = this.#run('SELECT key FROM records WHERE platform = ? AND id = ?').get(platform, id) as Row | undefined
    if (old) {
      this.#run('DELETE FROM words WHERE rowid = ?').all(old.key ?? null)
      this.#run('DELETE FROM records WHERE key = ?').all(old.key ?? null)
    }
    const { lastInsertRowid } = this.#run(
      `INSERT INTO records (platform, id, topic, title, text, url, published, author, thumbnail, read_at, origin, ${counters.join(', ')})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?${', ?'.repeat(counters.length)})`,
    ).run(
      platform,
      id,
      topic ?? null,
      title,
      text,
      url,
      publishedAt ?? null,
      author === undefined ? null : JSON.stringify(author),
      thumbnailUrl ?? null,
      readAt,
      origin,
      ...counters.map(name => counts[name] ?? null),
    )
    this.#run('INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)').run(lastInsertRowid, indexed(title), indexed(text))
  }

  /** Runs the work in one transaction: other processes see all that it writes, or nothing. */
  commit(work: () => void): void {
    if (this.#database.isTransaction) {
      work()
      return
    }
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      work()
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }

  #run(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}

function recordOf(row: Row): SearchRecord {
  const text = (name: string): string => String(row[name] ?? '')
  const record: SearchRecord = {
    id: text('id'),
    platform: text('platform'),
    title: text('title'),
    text: text('text'),
    url: text('url'),
    counts: {},
  }
  if (row.published !== null) record.publishedAt = Number(row.published)
  if (row.author !== null) record.author = JSON.parse(text('author'))
  if (row.thumbnail !== null) record.thumbnailUrl = text('thumbnail')
  if (row.origin === 'sample') record.isSample = true
  for (const name of counters) if (row[name] !== null) record.counts[name] = Number(row[name])
  return record
}
