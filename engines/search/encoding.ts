/** Detects the character encoding of a file or a response. */

/** Returns the text of a feed. The encoding is taken from the first bytes (`encodingOf`), else
 *  from the content type, else from the XML declaration; the default, also for an unknown
 *  encoding, is UTF-8. */
export function feedText(bytes: Buffer, contentType: string): string {
  const encoding = encodingOf(bytes) ?? /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? declared.exec(bytes.toString('latin1', 0, 200))?.[1]
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const declared = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/i

/** Returns the encoding that the byte order mark shows, or that a zero byte beside the first
 *  character shows (UTF-16); undefined when neither is there. */
function encodingOf([first, second, third]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first !== undefined && first > 0 && second === 0) return 'utf-16le'
  return first === 0 && second !== undefined && second > 0 ? 'utf-16be' : undefined
}
