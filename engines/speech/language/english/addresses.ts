/** Converts links, mail addresses, file names, versions, telephone numbers and hashtags to spoken
 *  words. */
import { cardinal, spokenDigits } from './numbers.ts'
import { letters, type NormaliserContext, type NormaliserStep, readOrSpell } from './speaking.ts'

const ends = 'com|org|net|edu|gov|info|biz|name|dev|app|io|ai|co|uk|us|ca|de|fr|es|it|br|in|jp|cn|ru|eu|au|nl|ch|at|se|no|tv|me|ly|gg|xyz'
const files =
  'pdf|docx?|xlsx?|pptx?|txt|csv|json|ya?ml|xml|html?|css|jsx?|tsx?|py|rb|go|rs|java|cpp|hpp|sh|bat|exe|dll|zip|tar|gz|jpe?g|png|gif|svg|webp|mp3|mp4|wav|flac|ogg|mov|avi|md|log|ini|cfg|toml|sql|env|lock|onnx|bin'

export const readAddresses: NormaliserStep = (text, speaking) =>
  text
    .replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, address => spokenAddress(address, speaking))
    .replace(
      new RegExp(
        `\\b(?:([a-z][a-z\\d+.-]*):\\/\\/|www\\.)[^\\s<>"“”]+|\\b(?:[a-z\\d-]+\\.)+(?:${ends})(?:\\/[^\\s<>"“”]*|\\b(?!\\.?[\\w@]))`,
        'gi',
      ),
      (link, scheme) => {
        const [, body = '', tail = ''] = /^(.*?)([.,;:!?)\]'’»]*)$/s.exec(link) ?? []
        // The scheme of a web link (`https`) is not spoken.
        const rest = /^https?$/i.test(scheme ?? '') ? body.replace(/^https?:\/\//i, '') : body
        return spokenAddress(rest.replace(/(?<=.)\/$/, ''), speaking) + tail
      },
    )
    .replace(/(?<![\w/])(?:[A-Za-z]:\\|~?\/|\.{1,2}\/)[\w.-]+(?:[\\/][\w.-]+)*[\\/]?/g, path => {
      const tail = /\.+$/.exec(path)?.[0] ?? ''
      return spokenAddress(path.slice(0, path.length - tail.length), speaking) + tail
    })
    .replace(new RegExp(`\\b[\\w-]+(?:\\.[\\w-]+)*\\.(?:${files})\\b(?!\\.\\w)`, 'gi'), name =>
      /^[\d.]+$/.test(name) ? name : spokenAddress(name, speaking),
    )
    .replace(/(?<![\w#&])#(\p{L}[\p{L}\p{M}\p{N}_]*)/gu, (_, tag: string) => `hashtag ${namePieces(tag, speaking)}`)
    .replace(/(?<![\w@])@(\p{L}[\w.]*\w)/gu, (_, name: string) => `at ${namePieces(name, speaking)}`)
    .replace(/\b(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\b(?!\.\d)/g, address =>
      address
        .split('.')
        .map(part => spokenDigits(part))
        .join(' dot '),
    )
    .replace(
      /(?<![\w.])(version )?v?(?!\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})\b(?!\.\d))(\d+(?:\.\d+){2,})\b/gi,
      (whole, name, number: string) => `${name ?? (/^v/i.test(whole) ? 'version ' : '')}${dotted(number)}`,
    )
    .replace(/(?<![\w.])([Vv]ersion )?v(?:\. ?)?(\d+(?:\.\d+)?)\b/g, (_, name, number: string) => `${name ?? 'version '}${dotted(number)}`)
    .replace(telephone, number => spokenTelephone(number))

const telephone =
  /(?<![\w.,-])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,5}\)?[ .-]?){1,5}\d{2,}|(?:1[ .-])?\(\d{3}\) ?\d{3}[ .-]\d{4}|(?:1[ .-])?\d{3}([.-])\d{3}\1\d{4}|\d{3}-\d{4}|0\d{2,4} \d{3,4} \d{3,4})(?![\w-]|\.\d)/g

function spokenTelephone(number: string): string {
  const groups = number.split(/\D+/).filter(group => group !== '')
  const read = groups.map(group => (/^[1-9]00$/.test(group) ? cardinal(group) : spokenDigits(group))).join(', ')
  return number.startsWith('+') ? `plus ${read}` : read
}

function dotted(number: string): string {
  return number
    .split('.')
    .map(part => (/^0\d/.test(part) ? spokenDigits(part) : cardinal(part)))
    .join(' point ')
}

const signs: Record<string, string> = {
  '.': 'dot',
  '@': 'at',
  '/': 'slash',
  '\\': 'backslash',
  ':': 'colon',
  '-': 'dash',
  _: 'underscore',
  '+': 'plus',
  '?': 'question mark',
  '=': 'equals',
  '&': 'and',
  '#': 'hash',
  '%': 'percent',
  '~': 'tilde',
}

function spokenAddress(address: string, speaking: NormaliserContext): string {
  const pieces = address.match(/\p{L}+|\d+|./gu) ?? []
  const read = pieces.map((piece, index) => {
    if (/^\d/.test(piece)) return piece.length < 3 && !piece.startsWith('0') ? cardinal(piece) : spokenDigits(piece)
    if (!/^\p{L}/u.test(piece)) return signs[piece] ?? piece
    if (pieces[index - 1] === '.' && /^(?:edu|io|ai|tv|uk|us)$/i.test(piece)) return letters(piece)
    if (pieces[index - 1] === '.' && new RegExp(`^(?:${files})$`, 'i').test(piece)) return fileEnd(piece)
    return namePieces(piece, speaking)
  })
  return read.filter(piece => piece !== '').join(' ')
}

function fileEnd(piece: string): string {
  return /^(?:zip|bin|log|env|lock|doc|bat|go|rust|java|toml|ini)$/i.test(piece) ? piece.toLowerCase() : letters(piece)
}

/** Splits a name into words: `ThrowbackThursday` becomes `Throwback Thursday`, `snake_case` becomes
 *  `snake underscore case`. */
function namePieces(name: string, speaking: NormaliserContext): string {
  const pieces = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}|\d+|[_.]/gu) ?? [name]
  return pieces
    .map(piece => {
      if (piece === '_') return 'underscore'
      if (piece === '.') return 'dot'
      if (/^\d/.test(piece)) return piece.length < 3 ? cardinal(piece) : spokenDigits(piece)
      return readOrSpell(piece, speaking)
    })
    .join(' ')
}
