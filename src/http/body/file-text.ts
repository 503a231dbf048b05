/** Reads a multipart part that holds a file, or a text in place of the file: a data URL, which
 *  is decoded as it arrives, or a link. */
import { Base64Decoder } from '@generation-gateway/kit/media/base64-decoder.ts'

/** Longest link in bytes. */
const mostUrlBytes = 8_192
const dataUrl = 'data:'
const link = /^https?:\/\//i

/** Takes the bytes of the part as they arrive, and returns the bytes of the file that the part
 *  contains. */
export class FileText {
  /** The link that the part contained in place of a file; undefined before the end of the part,
   *  and for a part without a link. */
  url: string | undefined
  /** The kind of content; `undecided` until enough bytes have arrived to recognize it. */
  #kind: 'undecided' | 'file' | 'data-url' | 'link'
  #head = Buffer.alloc(0)
  #pieces: Buffer[] = []
  #decoder: Base64Decoder | undefined

  constructor(mayBeText: boolean) {
    this.#kind = mayBeText ? 'undecided' : 'file'
  }

  /** Media type of a data URL, as the caller wrote it. */
  get mediaType(): string | undefined {
    return this.#decoder?.mediaType
  }

  /** Takes the next chunk of the part and returns the bytes of the file that could be decoded so
   *  far. Throws a `Base64Error`. */
  take(chunk: Buffer): Buffer[] {
    if (this.#kind === 'file') return [chunk]
    if (this.#kind === 'data-url') return this.#decoded(chunk)
    this.#head = Buffer.concat([this.#head, chunk])
    if (this.#kind === 'undecided') this.#kind = kindOf(this.#head)
    const isOpen = this.#kind === 'undecided' || (this.#kind === 'link' && this.#head.length <= mostUrlBytes)
    return isOpen ? [] : this.#begin()
  }

  /** Ends the part and returns the remaining bytes of the file. Throws a `Base64Error`. */
  end(): Buffer[] {
    if (this.#kind === 'undecided') return [this.#head]
    if (this.#kind === 'link') this.url = this.#head.toString('utf8').trim()
    this.#decoder?.end()
    return this.#pieces.splice(0)
  }

  /** Called once the kind is known; a link that is too long counts as a file. Returns the bytes
   *  of the file that have arrived so far. */
  #begin(): Buffer[] {
    const head = this.#head
    this.#head = Buffer.alloc(0)
    if (this.#kind === 'data-url') return this.#decoded(head)
    this.#kind = 'file'
    return [head]
  }

  #decoded(chunk: Buffer): Buffer[] {
    this.#decoder ??= new Base64Decoder(bytes => this.#pieces.push(bytes))
    // Line breaks are removed: when curl reads the data URL from a file, it sends the line breaks
    // of that file, too.
    const text =
      chunk.includes(0x0a) || chunk.includes(0x0d) ? Buffer.from(chunk.toString('latin1').replace(/[\r\n]+/g, ''), 'latin1') : chunk
    this.#decoder.append(text, 0, text.length)
    return this.#pieces.splice(0)
  }
}

function kindOf(head: Buffer): 'undecided' | 'file' | 'data-url' | 'link' {
  const text = head.toString('latin1', 0, 8).toLowerCase()
  if (text.startsWith(dataUrl)) return 'data-url'
  if (link.test(text)) return 'link'
  return [dataUrl, 'http://', 'https://'].some(beginning => beginning.startsWith(text)) ? 'undecided' : 'file'
}
