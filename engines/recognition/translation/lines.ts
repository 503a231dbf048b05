import type { Direction } from './directions.ts'
import { type StreamLine, streamLine } from './line-text.ts'
import { PipelineError } from './pipeline.ts'

/** Largest number of characters that are sent to the programs at once, and largest length of a
 *  line before it is split. */
const mostBatchChars = 50_000
const mostPieceChars = 2000

/** Returns the translated texts with their line breaks. `run` sends input to the programs and
 *  returns their output. When the programs fail on a batch of lines, its halves are translated
 *  separately, and so on. Throws `PipelineError` when they fail on a single line. */
export async function translateLines(
  texts: readonly string[],
  direction: Pick<Direction, 'from' | 'to' | 'mode'>,
  run: (stream: string) => Promise<string>,
): Promise<string[]> {
  const parsed = texts.map(text => text.split(/(\r\n|[\n\r])/).map((line, index) => (index % 2 === 0 ? piecesOf(line, direction) : line)))
  const pieces = parsed.flat().flatMap(part => (typeof part === 'string' ? [] : part))
  const translated = new Map<StreamLine, string>()
  for (const batch of batchesOf(pieces.filter(({ stream }) => stream !== ''))) await translateBatch(batch, { translated, run })
  return parsed.map(parts =>
    parts.map(part => (typeof part === 'string' ? part : part.map(piece => piece.restore(translated.get(piece) ?? '')).join(''))).join(''),
  )
}

/** Splits a long line between words, if possible at the end of a sentence. */
function piecesOf(line: string, direction: Pick<Direction, 'from' | 'to' | 'mode'>): StreamLine[] {
  const pieces: StreamLine[] = []
  let rest = line
  while (rest.length > mostPieceChars) {
    const head = rest.slice(0, mostPieceChars)
    const sentence = Math.max(...['. ', '? ', '! ', '。'].map(end => head.lastIndexOf(end)))
    const cut = sentence > 0 ? sentence + 1 : head.lastIndexOf(' ')
    const length = cut > 0 ? cut : mostPieceChars
    pieces.push(streamLine(rest.slice(0, length), direction))
    rest = rest.slice(length)
  }
  return [...pieces, streamLine(rest, direction)]
}

function batchesOf(pieces: readonly StreamLine[]): StreamLine[][] {
  const batches: StreamLine[][] = []
  let room = 0
  for (const piece of pieces) {
    if (room < piece.stream.length) {
      batches.push([])
      room = mostBatchChars
    }
    batches.at(-1)?.push(piece)
    room -= piece.stream.length
  }
  return batches
}

interface LineTranslation {
  translated: Map<StreamLine, string>
  run(stream: string): Promise<string>
}

async function translateBatch(batch: readonly StreamLine[], work: LineTranslation): Promise<void> {
  const lines = await linesOf(batch, work)
  if (lines) {
    for (const [index, piece] of batch.entries()) work.translated.set(piece, lines[index] ?? '')
    return
  }
  if (batch.length === 1) throw new PipelineError('it gave another number of lines')
  const half = Math.ceil(batch.length / 2)
  await translateBatch(batch.slice(0, half), work)
  await translateBatch(batch.slice(half), work)
}

/** Returns the translated lines of a batch. Undefined when the programs failed: they crashed, left
 *  a line empty, or returned another number of lines than they received. Throws when a shared
 *  library is missing, at the time limit, and when the signal aborts. */
async function linesOf(batch: readonly StreamLine[], { run }: LineTranslation): Promise<string[] | undefined> {
  try {
    const lines = (await run(batch.map(({ stream }) => `${stream}[\n]`).join(''))).split('\n')
    return lines.length === batch.length + 1 && lines.slice(0, -1).every(line => line.trim() !== '') ? lines : undefined
  } catch (error) {
    if (error instanceof PipelineError && error.missingLibrary === undefined) return undefined
    throw error
  }
}
