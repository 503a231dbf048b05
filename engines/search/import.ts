/** The command `gateway search import`: adds the records in files to the index, even while a
 *  gateway uses it. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { EngineCommand } from '@generation-gateway/kit/driver.ts'
import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import { feedText } from './encoding.ts'
import { IndexStore } from './index-store.ts'
import { type IndexRecord, readRecord } from './records.ts'
import { lists } from './sources.ts'

const batch = 500
/** Largest feed file in bytes, because a feed is read as a whole. Files of JSON lines are read
 *  line by line and may be larger. */
const mostFeedBytes = 64 * 2 ** 20
const longestLine = 1_000_000
/** Matches the beginning of a feed: XML, JSON over several lines, or a JSON Feed in one line, whose
 *  members stand in any order. A JSON line has neither a version nor items. */
const feedBeginning = /^[\s\ufeff]*(?:<|\{\s*[\r\n]|\{\s*"version"\s*:|\{.*"(?:items"\s*:\s*\[|https?:\/\/jsonfeed\.org\/))/s

const help = `gateway search import FILE... [--platform WORD] [--topic WORD] [--code NUMBER]

Puts the records of files into the search index, each in the place of the one of the same platform and id.
A file is JSON lines, or a feed: RSS, Atom or JSON Feed.

  --platform WORD  What its records count as where they do not say: plat_a, plat_b, plat_c or a word of yours.
  --topic WORD     The vertical hot list that they go into where they do not say: food, beauty, automobile.
  --code NUMBER    The feed is this hot list, too: ${[...lists.keys()].join(', ')}.

A line: {"title": ..., "url": ..., "id": ..., "platform": ..., "topic": ..., "text": ..., "published": "2027-01-31T08:00:00Z",
"author": {"name": ..., "avatar": ..., "followers": 0}, "thumbnail": ..., "counts": {"plays": 0, "comments": 0, "likes": 0, "shares": 0,
"favourites": 0, "reads": 0, "heat": 0}}; title and url are needed, and platform where --platform names none.`

interface Usual {
  platform?: string | undefined
  topic?: string | undefined
  code?: number | undefined
}

export const importCommand: EngineCommand = {
  says: 'Fill the search index from JSON lines and feeds',
  help,
  run: async (args, { dataDirectory, print }) => {
    const { files, usual } = asked(args)
    using store = new IndexStore(dataDirectory)
    for (const file of files) {
      const isFeed = feedBeginning.test(await beginning(file))
      const { count, left } = isFeed ? await takeFeed(store, file, usual) : await takeLines(store, file, usual)
      print(`${file}: ${count} records${leftOut(left)}`)
    }
  },
}

interface ImportResult {
  count: number
  /** Number of rejected items, by reason. */
  left: ReadonlyMap<string, number>
}

const none: ImportResult['left'] = new Map()

/** Returns a text such as `, 3 items left out: 2 without a title, 1 without a link`. */
function leftOut(left: ImportResult['left']): string {
  const count = [...left.values()].reduce((sum, each) => sum + each, 0)
  if (count === 0) return ''
  return `, ${count} item${count === 1 ? '' : 's'} left out: ${[...left].map(([reason, each]) => `${each} ${reason}`).join(', ')}`
}

function asked(args: string[]): { files: string[]; usual: Usual } {
  const { values, positionals } = parsed(args)
  const code = values.code === undefined ? undefined : Number(values.code)
  if (positionals.length === 0) throw new GatewayError('invalid_request', 'search import needs a file. Try: gateway search import --help')
  if (code !== undefined && !lists.has(code))
    throw new GatewayError('invalid_request', `--code is ${values.code}; it has to be one of ${[...lists.keys()].join(', ')}.`)
  for (const name of ['platform', 'topic'] as const) {
    if (values[name] !== undefined && !/^[a-z0-9_]{1,40}$/.test(values[name]))
      throw new GatewayError('invalid_request', `--${name} is ${values[name]}; it has to be 1 to 40 of a-z, 0-9 and _.`)
  }
  return { files: positionals, usual: { platform: values.platform, topic: values.topic, code } }
}

function parsed(args: string[]) {
  try {
    const option = { type: 'string' } as const
    return parseArgs({ args, allowPositionals: true, options: { platform: option, topic: option, code: option } })
  } catch (error) {
    throw new GatewayError('invalid_request', errorMessage(error))
  }
}

async function beginning(file: string): Promise<string> {
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
    return feedText(buffer.subarray(0, bytesRead), '')
  } catch (error) {
    throw new GatewayError('invalid_request', `${file} cannot be read: ${errorMessage(error)}`)
  }
}

async function takeFeed(store: IndexStore, file: string, { platform, topic, code }: Usual): Promise<ImportResult> {
  const { size } = await stat(file)
  if (size > mostFeedBytes)
    throw new GatewayError('invalid_request', `${file} has ${size} bytes; a feed has at most ${mostFeedBytes}. JSON lines may be longer.`)
  if (platform === undefined)
    throw new GatewayError('invalid_request', `${file} is a feed: --platform has to say what its records count as.`)
  // The module is imported here and not at the top of this file, because no other command needs the
  // XML reader.
  const { entriesOf, readFeed, recordsOf } = await import('./feeds.ts')
  await using handle = await open(file)
  const { items, left } = readFeed(feedText(await handle.readFile(), ''))
  const now = Date.now()
  store.add(recordsOf(items, { platform, topic, now }), now, 'imported')
  if (code !== undefined) store.saveList(code, entriesOf(items), now, 'imported')
  return { count: items.length, left }
}

async function takeLines(store: IndexStore, file: string, usual: Usual): Promise<ImportResult> {
  if (usual.code !== undefined) throw new GatewayError('invalid_request', `--code is for feeds; ${file} has JSON lines.`)
  const records: IndexRecord[] = []
  let [number, count] = [0, 0]
  const flush = (): void => {
    store.add(records, Date.now(), 'imported')
    count += records.splice(0).length
  }
  for await (const line of linesOf(file)) {
    number += 1
    const text = line.replace(/^\ufeff/, '').trim()
    if (text === '') continue
    if (text.length > longestLine) throw new GatewayError('invalid_request', `Line ${number}: it has more than ${longestLine} characters.`)
    records.push(readRecord(text, number, usual))
    if (records.length >= batch) flush()
  }
  flush()
  return { count, left: none }
}

/** Yields the lines of a file. A line that is too long is yielded as far as it was read, and ends
 *  the reading. The caller sees its length and rejects it. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const part of createReadStream(file, 'utf8')) {
    const lines = (rest + part).split(/\r?\n/)
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > longestLine) break
  }
  yield rest
}
