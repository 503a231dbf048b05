/** Number of characters that are judged at a time. A longer text is judged in pieces, and its worst
 *  piece decides. Adjacent pieces share `overlap` characters, so that a sentence of at most this
 *  length is whole in one of them. */
const pieceLength = 8_000
const overlap = 400

/** Yields the pieces in which the safety rules judge a text; judging one takes less than 20 ms.
 *  Calls and awaits `giveWay` between two of them. */
export async function* judgedPieces(text: string, giveWay: () => Promise<void>): AsyncGenerator<string> {
  for (let start = 0; start === 0 || start < text.length - overlap; start += pieceLength - overlap) {
    if (start > 0) await giveWay()
    yield text.slice(start, start + pieceLength)
  }
}
