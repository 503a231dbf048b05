/** Extracts the text from the markup in feeds. A feed may be malicious, so the time of every
 *  step must grow at most in proportion to the length of the text. */

/** Largest number of characters of markup that are read; the rest is ignored. */
const longestMarkup = 200_000
/** Names of the character entities of HTML 4, and those of HTML 5 for letters of Latin and
 *  Cyrillic alphabets and for ASCII signs. The names of a range stand in the order of its
 *  characters; `-` is a character without a name. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const greek =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega'
const latinExtended =
  'Amacr amacr Abreve abreve Aogon aogon Cacute cacute Ccirc ccirc Cdot cdot Ccaron ccaron Dcaron dcaron Dstrok dstrok Emacr emacr - - Edot edot Eogon eogon Ecaron ecaron Gcirc gcirc Gbreve gbreve Gdot gdot Gcedil - Hcirc hcirc Hstrok hstrok Itilde itilde Imacr imacr - - Iogon iogon Idot imath IJlig ijlig Jcirc jcirc Kcedil kcedil kgreen Lacute lacute Lcedil lcedil Lcaron lcaron Lmidot lmidot Lstrok lstrok Nacute nacute Ncedil ncedil Ncaron ncaron napos ENG eng Omacr omacr - - Odblac odblac OElig oelig Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute Scirc scirc Scedil scedil Scaron scaron Tcedil tcedil Tcaron tcaron Tstrok tstrok Utilde utilde Umacr umacr Ubreve ubreve Uring uring Udblac udblac Uogon uogon Wcirc wcirc Ycirc ycirc Yuml Zacute zacute Zdot zdot Zcaron zcaron'
const cyrillic =
  'IOcy DJcy GJcy Jukcy DScy Iukcy YIcy Jsercy LJcy NJcy TSHcy KJcy - Ubrcy DZcy Acy Bcy Vcy Gcy Dcy IEcy ZHcy Zcy Icy Jcy Kcy Lcy Mcy Ncy Ocy Pcy Rcy Scy Tcy Ucy Fcy KHcy TScy CHcy SHcy SHCHcy HARDcy Ycy SOFTcy Ecy YUcy YAcy acy bcy vcy gcy dcy iecy zhcy zcy icy jcy kcy lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy chcy shcy shchcy hardcy ycy softcy ecy yucy yacy - iocy djcy gjcy jukcy dscy iukcy yicy jsercy ljcy njcy tshcy kjcy - ubrcy dzcy'
const ascii = 'excl - num dollar percnt - - lpar rpar ast plus comma - period sol'
const others: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", Tab: ' ', NewLine: ' ', inodot: 'ı', dash: '‐', hyphen: '‐', horbar: '―' },
  ...{ colon: ':', semi: ';', equals: '=', quest: '?', commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']' },
  ...{ Hat: '^', lowbar: '_', grave: '`', lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
  ...{ fnof: 'ƒ', circ: 'ˆ', tilde: '˜', ensp: ' ', emsp: ' ', thinsp: ' ' },
  ...{ zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚' },
  ...{ ldquo: '“', rdquo: '”', bdquo: '„', dagger: '†', Dagger: '‡', bull: '•', hellip: '…', permil: '‰', prime: '′', Prime: '″' },
  ...{ lsaquo: '‹', rsaquo: '›', oline: '‾', frasl: '⁄', euro: '€', trade: '™', larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔' },
  ...{ forall: '∀', part: '∂', exist: '∃', empty: '∅', nabla: '∇', isin: '∈', notin: '∉', ni: '∋', prod: '∏', sum: '∑', minus: '−' },
  ...{ lowast: '∗', radic: '√', prop: '∝', infin: '∞', ang: '∠', and: '∧', or: '∨', cap: '∩', cup: '∪', int: '∫', there4: '∴', sim: '∼' },
  ...{
    cong: '≅',
    asymp: '≈',
    ne: '≠',
    equiv: '≡',
    le: '≤',
    ge: '≥',
    sub: '⊂',
    sup: '⊃',
    loz: '◊',
    spades: '♠',
    clubs: '♣',
    hearts: '♥',
    diams: '♦',
  },
}
const ranges = [
  [ascii, 0x21],
  [latin, 0xa0],
  [latinExtended, 0x100],
  [greek, 0x391],
  [cyrillic, 0x401],
] as const
const entities: ReadonlyMap<string, string> = new Map([
  ...ranges.flatMap(([names, first]) => names.split(' ').map((name, index) => [name, String.fromCharCode(first + index)] as const)),
  ...Object.entries(others),
])
/** The characters that HTML gives the numbers 128 to 159: those of Windows-1252. */
const windows1252 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, index) => 128 + index))

/** Matches the beginning of a tag, a declaration or an instruction, but not of an address in angle
 *  brackets (`<ann@example.org>`). */
const tagStart = /<(?![\w.+-]{1,64}@|[a-z]{2,8}:\/\/)(?:\/?[\p{L}_:]|[?!]\p{L})/uy

/** Returns the XML with each less-than sign that begins no tag, comment or CDATA section written
 *  as `&lt;`: publishers forget that (`1 < 2`, `I <3 you`, `a<b</title>`). */
export function withEscapedSigns(xml: string): string {
  const parts: string[] = []
  let copied = 0
  let hasComments = true
  for (let at = xml.indexOf('<'), close = xml.indexOf('>'); at >= 0; ) {
    const next = xml.indexOf('<', at + 1)
    // Each search continues where the last one ended, so all of them together read the text once.
    if (close >= 0 && close < at) close = xml.indexOf('>', at)
    const isComment = hasComments && xml.startsWith('<!--', at)
    const isSection = isComment || xml.startsWith('<![CDATA[', at)
    const end = isSection ? xml.indexOf(isComment ? '-->' : ']]>', at) : -1
    if (isSection && !isComment && end < 0) break
    if (isComment && end < 0) hasComments = false
    if (end < 0 && !isTag(xml, { at, next, close })) {
      parts.push(xml.slice(copied, at), '&lt;')
      copied = at + 1
    }
    at = end < 0 ? next : xml.indexOf('<', end)
  }
  return parts.length === 0 ? xml : parts.join('') + xml.slice(copied)
}

/** True when the sign at `at` begins a tag. `next` is the place of the next less-than sign, `close`
 *  that of the next greater-than sign, -1 when there is none. */
function isTag(xml: string, { at, next, close }: { at: number; next: number; close: number }): boolean {
  tagStart.lastIndex = at
  if (!tagStart.test(xml)) return false
  if (/[?!]/.test(xml[at + 1] ?? '')) return true
  if (next < 0 || (close >= 0 && close < next)) return true
  // The value of an attribute may contain the next less-than sign.
  return /[="']/.test(xml.slice(at, next))
}

/** Removes one layer of escaping: replaces entities by their characters, and CDATA sections by
 *  their contents. */
export function unescapedOnce(markup: string): string {
  const parts = markup.slice(0, longestMarkup).split('<![CDATA[')
  return parts
    .map((part, index) => {
      const end = index === 0 ? 0 : part.indexOf(']]>')
      if (index === 0 || end < 0) return index === 0 ? decoded(part) : part
      return part.slice(0, end) + decoded(part.slice(end + 3))
    })
    .join('')
}

/** Returns the plain text of markup, without tags, entities and remaining CDATA marks. A `<`
 *  before anything but a letter, `/`, `!` or `?` is a less-than sign. White space becomes a
 *  single space. */
export function plain(markup: string): string {
  const text = withoutCdata(markup.slice(0, longestMarkup).toWellFormed())
  const read = decoded(withoutScripts(text).replace(/<[a-z/!?][^<>]*>/gi, ' '))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return /^<!\[CDATA\[.*\]\]>$/.test(read) ? withoutCdata(read).trim() : read
}

function withoutCdata(text: string): string {
  return text.replaceAll('<![CDATA[', '').replaceAll(']]>', '')
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z0-9]{1,30}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name) ?? entities.get(name.toLowerCase()) ?? all
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    if (code >= 128 && code < 160) return windows1252.charAt(code - 128)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
}

/** Returns the markup without scripts and styles. A script or style that is not closed is removed
 *  to the end of the text. */
function withoutScripts(html: string): string {
  const kept: string[] = []
  let from = 0
  for (const { 1: name = '', index } of html.matchAll(/<(script|style)\b/gi)) {
    if (index < from) continue
    kept.push(html.slice(from, index))
    const close = new RegExp(`</${name}[^<>]*>?`, 'gi')
    close.lastIndex = index
    from = close.test(html) ? close.lastIndex : html.length
  }
  kept.push(html.slice(from))
  return kept.join(' ')
}
