/** Decodes base64 text piece by piece and rejects everything that is not base64. */

type Base64Fault = 'prefix' | 'alphabet' | 'padding' | 'control'

export class Base64Error extends Error {
  readonly fault: Base64Fault
  constructor(fault: Base64Fault) {
    super(`not base64: ${fault}`)
    this.fault = fault
  }

  /** Says what is wrong, for a sentence that begins with the name of the field. */
  get problem(): string {
    if (this.fault === 'prefix') return 'is a data URL without ";base64,"; data:<media type>;base64,<data> is accepted.'
    return this.fault === 'padding' ? 'is not valid base64: its padding or length is wrong.' : 'is not valid base64.'
  }
}

// Size of the text buffer: a multiple of 4, so that a full buffer of clean text decodes without a
// remainder.
const textBytes = 64 * 1024
// Longest `data:` prefix, up to the comma, in characters. No known media type needs more.
const maxPrefix = 256

/** Takes characters as ASCII bytes with JSON escapes already resolved, and passes decoded bytes to
 *  `emit` in pieces of at most 48 KiB. Accepts both alphabets (`+/` and `-_`), spaces and missing
 *  padding. A `data:<type>;base64,` prefix of up to 256 characters is removed and its type kept as
 *  written; the text after it may be percent-encoded (RFC 2397). Throws `Base64Error`. */
export class Base64Decoder {
  readonly #emit: (bytes: Buffer) => void
  readonly #text = Buffer.allocUnsafeSlow(textBytes)
  #length = 0
  /** Number of characters, 0 to 3, that remain from an earlier piece because they did not fill a
   *  group of four. They stand at the front of the text buffer and are all valid base64
   *  characters. */
  #kept = 0
  #started = false
  #pads = 0
  #isDataUrl = false
  #mediaType: string | undefined

  constructor(emit: (bytes: Buffer) => void) {
    this.#emit = emit
  }

  /** Media type of the data URL prefix, as the caller wrote it; undefined for bare base64. Known
   *  from the first emit on. */
  get mediaType(): string | undefined {
    return this.#mediaType
  }

  append(source: Buffer, start: number, end: number): void {
    let from = start
    while (from < end) {
      const to = Math.min(end, from + textBytes - this.#length)
      source.copy(this.#text, this.#length, from, to)
      this.#length += to - from
      from = to
      if (this.#length === textBytes) this.#decode(false)
    }
  }

  appendByte(code: number): void {
    this.#text[this.#length++] = code
    if (this.#length === textBytes) this.#decode(false)
  }

  /** Decodes the rest and prepares the decoder for the next value. */
  end(): void {
    this.#decode(true)
    this.#length = 0
    this.#kept = 0
    this.#started = false
    this.#pads = 0
  }

  #decode(isLast: boolean): void {
    if (!this.#started) this.#cutPrefix()
    if (this.#pads > 0 || !this.#decodeClean()) this.#decodeLoose(isLast)
    if (isLast) this.#decodeTail()
  }

  /** Decodes text without spaces, padding or invalid characters, which is the usual case; returns
   *  false for other text. Node's decoder skips spaces, padding and invalid characters, so a result
   *  that is shorter than expected shows that the text contains some of them. */
  #decodeClean(): boolean {
    const whole = this.#length - (this.#length % 4)
    const bytes = Buffer.allocUnsafe((whole / 4) * 3)
    if (bytes.write(this.#text.toString('latin1', 0, whole), 'base64') !== bytes.length) return false
    if (!isClean(this.#text.toString('latin1', whole, this.#length))) return false
    if (whole > 0) this.#emit(bytes)
    this.#text.copyWithin(0, whole, this.#length)
    this.#kept = this.#length - whole
    this.#length = this.#kept
    return true
  }

  #decodeLoose(isLast: boolean): void {
    const text = this.#text.toString('latin1', 0, this.#length)
    if (hasControl(text)) throw new Base64Error('control')
    // A percent-encoded character at the end may be incomplete until the next piece arrives.
    const [cut = ''] = this.#isDataUrl && !isLast ? (/%[0-9a-f]?$/i.exec(text) ?? []) : []
    const whole = text.slice(0, text.length - cut.length)
    const packed = (this.#isDataUrl ? percentDecoded(whole) : whole).replaceAll(' ', '')
    this.#length = this.#decodePacked(packed)
    this.#length += this.#text.write(cut, this.#length, 'latin1')
  }

  /** Decodes text without spaces. Returns the number of characters that remain. */
  #decodePacked(packed: string): number {
    const firstPad = packed.indexOf('=')
    const body = firstPad < 0 ? packed : packed.slice(0, firstPad)
    if (!isClean(body)) throw new Base64Error('alphabet')
    if (this.#pads > 0 && body.length > this.#kept) throw new Base64Error('padding')
    this.#pads += packed.length - body.length
    if (this.#pads > 2 || !/^=*$/.test(packed.slice(body.length))) throw new Base64Error('padding')
    const whole = body.length - (body.length % 4)
    if (whole > 0) this.#emit(Buffer.from(body.slice(0, whole), 'base64'))
    this.#kept = this.#text.write(body.slice(whole), 'latin1')
    return this.#kept
  }

  #decodeTail(): void {
    const rest = this.#text.toString('latin1', 0, this.#length)
    if (rest.length === 1) throw new Base64Error('padding')
    if (this.#pads > 0 && (rest.length + this.#pads) % 4 !== 0) throw new Base64Error('padding')
    if (rest !== '') this.#emit(Buffer.from(rest, 'base64'))
  }

  #cutPrefix(): void {
    this.#started = true
    this.#mediaType = undefined
    const head = this.#text.toString('latin1', 0, Math.min(this.#length, maxPrefix))
    this.#isDataUrl = /^ *data:/i.test(head)
    if (!this.#isDataUrl) return
    // The URL standard allows spaces before the URL and around `base64`.
    const match = /^ *data:([^,;]*)(?:;[^,;]*)*?; *base64 *,/i.exec(head)
    if (match === null) throw new Base64Error('prefix')
    this.#mediaType = match[1]?.trim() || undefined
    this.#text.copyWithin(0, match[0].length, this.#length)
    this.#length -= match[0].length
  }
}

/** Decodes a whole base64 string or data URL at once, by the same rules as the streaming decoder
 *  above. The value must be short enough to stay in memory. Skips line breaks, tabs and form
 *  feeds. Throws `Base64Error`. */
export function decodeBase64(text: string): { bytes: Buffer; mediaType: string | undefined } {
  const pieces: Buffer[] = []
  const decoder = new Base64Decoder(bytes => pieces.push(bytes))
  const source = Buffer.from(text.replace(/[\t\n\f\r]+/g, ''))
  decoder.append(source, 0, source.length)
  decoder.end()
  return { bytes: Buffer.concat(pieces), mediaType: decoder.mediaType }
}

function isClean(text: string): boolean {
  return /^[A-Za-z0-9+/\-_]*$/.test(text)
}

/** Resolves `%2B` and the like. Encoded line breaks and tabs are left out, as unencoded ones
 *  are. */
function percentDecoded(text: string): string {
  return text
    .replace(/%(?:09|0a|0c|0d)/gi, '')
    .replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x20) return true
  return false
}
