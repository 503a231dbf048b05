/** Number of characters that are judged at a time. A longer text is judged in pieces, and the
 *  verdict on the worst piece counts. Adjacent pieces share `overlap` characters, so that every
 *  sentence of up to 400 characters is completely in one of them. */
const pieceLength = 8_000
const overlap = 400

/** Yields the pieces of a text; the safety rules judge each of them in less than 20 ms. Awaits
 *  `giveWay` between two pieces. */
export async function* judgedPieces(text: string, giveWay: () => Promise<void>): AsyncGenerator<string> {
  for (let start = 0; start === 0 || start < text.length - overlap; start += pieceLength - overlap) {
    if (start > 0) await giveWay()
    yield text.slice(start, start + pieceLength)
  }
}
