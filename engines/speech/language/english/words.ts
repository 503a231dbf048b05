/** Converts abbreviations, titles, Roman numerals, initials, acronyms and camel-case names to
 *  spoken words. */
import { roman } from './numbers.ts'
import { isPronounceable, letters, type NormaliserContext, type NormaliserStep, spokenNumber, spokenOrdinal } from './speaking.ts'

const titles: Record<string, string> = {
  Mr: 'Mister',
  Mrs: 'Missus',
  Ms: 'Miz',
  Dr: 'Doctor',
  Prof: 'Professor',
  Rev: 'Reverend',
  Hon: 'Honorable',
  Gen: 'General',
  Col: 'Colonel',
  Capt: 'Captain',
  Cmdr: 'Commander',
  Lt: 'Lieutenant',
  Sgt: 'Sergeant',
  Cpl: 'Corporal',
  Maj: 'Major',
  Adm: 'Admiral',
  Gov: 'Governor',
  Sen: 'Senator',
  Rep: 'Representative',
  Pres: 'President',
  Supt: 'Superintendent',
  Msgr: 'Monsignor',
  Messrs: 'Messieurs',
  St: 'Saint',
  Mt: 'Mount',
  Ft: 'Fort',
}
/** Abbreviations that are written with a dot. At the end of a sentence, this dot is also the full
 *  stop, so it is kept. */
const abbreviations: Record<string, string> = {
  'e.g': 'for example',
  'i.e': 'that is',
  'a.k.a': 'also known as',
  etc: 'et cetera',
  vs: 'versus',
  approx: 'approximately',
  est: 'established',
  dept: 'department',
  univ: 'university',
  govt: 'government',
  assn: 'association',
  inc: 'Incorporated',
  ltd: 'Limited',
  corp: 'Corporation',
  co: 'Company',
  bros: 'Brothers',
  jr: 'Junior',
  sr: 'Senior',
  esq: 'Esquire',
  ave: 'Avenue',
  blvd: 'Boulevard',
  rd: 'Road',
  ln: 'Lane',
  hwy: 'Highway',
  pkwy: 'Parkway',
  ste: 'Suite',
  apt: 'Apartment',
  bldg: 'Building',
  vol: 'volume',
  vols: 'volumes',
  fig: 'figure',
  figs: 'figures',
  ch: 'chapter',
  pp: 'pages',
  ed: 'edition',
  ext: 'extension',
  tel: 'telephone',
  cf: 'compare',
  et_al: 'et al',
  ca: 'circa',
  viz: 'namely',
  misc: 'miscellaneous',
  max: 'maximum',
  temp: 'temperature',
  incl: 'including',
  excl: 'excluding',
  cont: 'continued',
  dist: 'district',
  intl: 'international',
  natl: 'national',
  avg: 'average',
  ref: 'reference',
  mfg: 'manufacturing',
}
const plain: Record<string, string> = {
  'w/o': 'without',
  'w/': 'with ',
  'b/c': 'because',
  'and/or': 'and or',
  'c/o': 'care of',
  'n/a': 'not applicable',
  'N/A': 'not applicable',
  '24/7': 'twenty-four seven',
  aka: 'also known as',
  vs: 'versus',
  etc: 'et cetera',
  approx: 'approximately',
  PhD: 'P·H·D·',
  'Ph.D': 'P·H·D·',
  'Ph.D.': 'P·H·D·',
  '9/11': 'nine eleven',
  OK: 'okay',
  TV: 'T·V·',
  TVs: 'T·V·s',
}
const ordinalNames =
  /^(?:Pope|King|Queen|Emperor|Tsar|Henry|Louis|Edward|George|William|Charles|James|Richard|Elizabeth|Mary|Napoleon|Pius|Benedict|Leo|Paul|Francis|Gregory|Innocent|Clement|Urban|Julius|Ramses|Ramesses|Frederick|Friedrich|Wilhelm|Philip|Felipe|Carlos|Juan|Alfonso|Alexander|Nicholas|Peter|Catherine|Ivan|Umberto|Emmanuel|Gustav|Christian|Ferdinand|Joseph|Otto|Harald|Haakon|Olav|Edmund|Constantine|Theodosius|Ptolemy|Mehmed|Murad|Margrethe|Baldwin|Cosimo|Victor|Rudolf|Leopold|Maximilian|Stephen|John|Robert|David|Thomas|Howard|Davis)$/
const numbered =
  /^(?:chapters?|parts?|act|scene|sections?|volumes?|book|phase|articles?|mark|type|level|stage|class|grade|episode|round|appendix|figure|table|page|pages|vol|unit|lesson|step|title|war|bowl|fantasy|apollo|gemini|category|tier|canto|rule|amendment|group|schedule|annex|division|corps|wave|season|pillar)$/i

export const readWords: NormaliserStep = (text, speaking) => {
  let read = text.replace(
    /(?<![\p{L}\d/])(?:24\/7|9\/11|w\/o(?!\p{L})|w\/(?=\s?\p{L})|b\/c|c\/o|and\/or|n\/a|N\/A)(?![\d/])/gu,
    short => plain[short] ?? short,
  )
  read = readTitles(read)
  read = read
    .replace(/\b([Nn]os?|[Nn]rs?)\. ?(?=\d)|№ ?(?=\d)/g, name => (/s\./i.test(name) ? 'numbers ' : 'number '))
    .replace(/(?<![\w#&])#(?=\d)/g, 'number ')
    .replace(/\bp\. ?(?=\d)/g, 'page ')
    .replace(/\bsecs?\. ?(?=\d)/gi, 'section ')
    .replace(/\bet al\./g, 'et al')
    .replace(/(?<![\p{L}.])(\p{L}[\p{L}.]*?)\.(?=$|[\s,;:!?)”"'’—-])/gu, (whole, word: string, at: number, all: string) =>
      spelledOut(whole, word, all.slice(at + whole.length)),
    )
    .replace(/(?<![\p{L}.·])(?:aka|vs|etc|approx|Ph\.?D\.?|OK|TVs?)(?![\p{L}.])/gu, word => plain[word] ?? word)
  return readInitials(readRomans(read, speaking))
}

/** Expands titles by their position: `Dr. Smith` is a doctor, `Mulholland Dr.` a drive; `St. Mary`
 *  is a saint, `Main St.` a street. */
function readTitles(text: string): string {
  return text
    .replace(/\b(Dr|St|Mt|Ft)\.?(?=\s+(?:\p{Lu}|[\uE000-\uF8FF]))/gu, (whole, title: string, at: number, all: string) => {
      const isName = /(?:^|\s)\d+\s+(?:\p{Lu}[\p{L}']*\s+)+$/u.test(all.slice(0, at))
      const isStreet =
        (isName ||
          (/\p{L}\p{Ll}+(?:'s)? $/u.test(all.slice(0, at)) && /^\s+(?:and|in|at|near|on|[A-Z]{2}\b)/.test(all.slice(at + whole.length)))) &&
        title !== 'Mt'
      return isStreet ? roads[title]! : titles[title]!
    })
    .replace(/\b(Dr|St)\.?(?=$|[\s,;:!?)])/g, (whole, title: string, at: number, all: string) => {
      if (!/\p{L}\s+$|\d(?:st|nd|rd|th)\s+$/u.test(all.slice(0, at))) return whole === title ? whole : titles[title]!
      return whole.endsWith('.') && at + whole.length === all.length ? `${roads[title]}.` : roads[title]!
    })
    .replace(
      /\b(Mr|Mrs|Ms|Messrs)\b\.?|\b(Prof|Rev|Hon|Gen|Col|Capt|Cmdr|Lt|Sgt|Cpl|Maj|Adm|Gov|Sen|Rep|Pres|Supt|Msgr)\.(?=\s+\p{Lu})/gu,
      (_, polite, title) => titles[polite ?? title]!,
    )
}

const roads: Record<string, string> = { Dr: 'Drive', St: 'Street', Ft: 'Fort' }

function spelledOut(whole: string, word: string, after: string): string {
  const long = abbreviations[word.toLowerCase()]
  const isLast = /^["”'’)]*\s*$/.test(after)
  if (long === undefined || (isLast && /^(?:co|max|ed|ch|ca|ref|est|temp|ext|dist|cont|fig)$/i.test(word))) return whole
  // These abbreviations are also names or words: `max. value` means "maximum value", but `Max. He
  // left` is a name. So a capitalised one stays.
  if (/^\p{Lu}/u.test(word) && /^(?:max|ed|temp|ref|dist)$/i.test(word)) return whole
  return isLast ? `${long}.` : long
}

function readRomans(text: string, speaking: NormaliserContext): string {
  return text.replace(
    /(?<![\p{L}\d.·'’-])([IVXLCDM]+|[ivxl]+)(?![\p{L}\d·'’]|\.\p{L}|-\p{L})/gu,
    (whole, numeral: string, at: number, all: string) => {
      const value = roman(numeral.toUpperCase())
      const before = /([\p{L}'’]+)\.? +$/u.exec(all.slice(0, at))?.[1] ?? ''
      if (value === undefined) return whole
      const digits = String(value)
      if (numbered.test(before)) return spokenNumber(digits, speaking)
      if (numeral !== numeral.toUpperCase()) return /\($/.test(all.slice(0, at)) && numeral !== 'l' ? spokenNumber(digits, speaking) : whole
      const isAlone = numeral.length === 1
      if (
        ordinalNames.test(before) &&
        (!isAlone ||
          (numeral === 'I'
            ? /^[,.;:!?)]?\s*$|^\s*(?:of|and|was|is|had|the)\b|^[,;)]/.test(all.slice(at + 1))
            : numeral !== 'C' && numeral !== 'D' && numeral !== 'M' && numeral !== 'L'))
      )
        return `the ${spokenOrdinal(digits, speaking)}`
      if (/^ (?:century|centuries|dynasty)\b/i.test(all.slice(at + whole.length))) return spokenOrdinal(digits, speaking)
      if (isAlone || /[LCDM]/.test(numeral)) return whole
      return spokenNumber(digits, speaking)
    },
  )
}

/** Converts letters with dots to letters spoken by their names: `J. R. R. Tolkien`, `U.S.`,
 *  `a.m.`. */
function readInitials(text: string): string {
  return text
    .replace(
      /(?<![\p{L}.·])((?:\p{L}\.){2,})(\p{L}(?![\p{L}.]))?/gu,
      (_, dotted: string, last: string | undefined, at: number, all: string) => {
        const after = all.slice(at + dotted.length + (last ? 1 : 0))
        return `${letters(`${dotted}${last ?? ''}`.replaceAll('.', ''))}${/^["”'’)]*\s*$/.test(after) && !last ? '.' : ''}`
      },
    )
    .replace(/(?<![\p{L}.·'’])(\p{Lu})\.(?=\s*\p{Lu})/gu, (_, letter) => `${letter}·`)
    .replace(/·(?=\p{Lu}\p{Ll})/gu, '· ')
}

const readAsWords = new Set(
  `NASA NATO UNESCO UNICEF OPEC NAFTA SCUBA LASER RADAR SONAR AIDS COVID PIN RAM ROM GIF JPEG LAN WAN SIM SWAT FEMA NOAA NIMBY YOLO FOMO ASAP
  BASIC COBOL ASCII GUI CAPTCHA DOS FIFA UEFA IKEA NIKE ASEAN OSHA POTUS SCOTUS MIDI RAID SAT GMAT CAD HIPAA SARS MERS ICE DARPA ESOP HAZMAT TED
  OXFAM INTERPOL YAML JSON BIOS CMOS VAT WASP AWOL`.split(/\s+/),
)
/** Short words that are sometimes written in capitals for emphasis. Every other word of two or
 *  three capitals, except those of `readAsWords`, is taken as an abbreviation and spelled. */
const emphasised = new Set(
  `A I NO NOT ALL AND THE YOU YOUR CAN BUT FOR NOW NEW ONE TWO SIX TEN OUT OFF ON IN OF TO AT BY BE DO GO HE SHE MY ME WE SO IF OR AS IS AN UP OUR HIS HER HOW WHY
  ARE WAS HAS HAD GET GOT LET SEE SAY TRY USE WAY DAY MAN BAD BIG OLD ANY OWN RUN STOP END YES BUY FREE TOP HOT RED TOO MAY DID SAW SAD FUN WIN ASK HEY OH AH HA WOW
  ITS HIM AGO ADD ACT CAT DOG CAR SUN EAT FEW FAR FLY CRY DIE EGG EYE FIT FIX GUN HIT JOB KEY LAW LAY LEG LIE LOT LOW MAP MIX NET NOR ODD OIL PAY PUT RAW ROW SEA SET SIT SKY SON TEA TEN TIE TOY VAN WAR WET WON YET ZOO`.split(
    /\s+/,
  ),
)

export const readAcronyms: NormaliserStep = (text, { isWord }) => {
  const isShouted = !/\p{Ll}/u.test(text.replace(/·s/g, '')) && (text.match(/\p{Lu}{2,}/gu)?.length ?? 0) > 2
  return (
    (isShouted ? quiet(text, isWord) : text)
      .replace(/(?<![\p{L}·])(\p{Lu}{1,5}(?:&\p{Lu}{1,5})+)(?![\p{L}·])/gu, (_, names: string) =>
        names.split('&').map(letters).join(' and '),
      )
      // Matches letters that cannot be pronounced as a word: html, mc.
      .replace(/(?<![\p{L}\p{M}·'’])[b-df-hj-np-tv-xz]{2,5}(?![\p{L}\p{M}·'’])/gu, word => (isWord(word) ? word : letters(word)))
      .replace(/(?<![\p{L}·])(\p{Lu}{2,})(['’]?s)?(?![\p{L}·])/gu, (whole, caps: string, s: string | undefined) => {
        const isRead =
          readAsWords.has(caps) ||
          emphasised.has(caps) ||
          (caps.length > 3 && (isWord(caps.toLowerCase()) || (caps.length > 4 && isPronounceable(caps))))
        return isRead || (s === undefined && caps === 'OK') ? whole : `${letters(caps)}${s ?? ''}`
      })
      .replace(/(?<![\p{L}\p{M}·'’])\p{L}*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll})\p{L}*(?![·])/gu, word => camel(word, isWord))
      .replace(/(?<![\p{L}\p{M}·'’\uE000-\uF8FF])([B-HJ-Zb-hj-z])(?![\p{L}\p{M}·'’])/gu, '$1·')
      .replace(/·'S\b/g, "·'s")
  )
}

/** Converts words in capitals for emphasis to lower case. Abbreviations stay in capitals. */
function quiet(text: string, isWord: (word: string) => boolean): string {
  return text.replace(/(?<![\p{L}·])\p{Lu}{2,}(?![\p{L}·])/gu, caps =>
    !readAsWords.has(caps) && (emphasised.has(caps) || caps.length > 5 || (caps !== 'US' && isWord(caps.toLowerCase())))
      ? caps.toLowerCase()
      : caps,
  )
}

/** Converts `iPhone` to `I· Phone`, and `macOS` to `mac O·S·`. A name stays whole if the lexicon
 *  knows it or if it begins with Mc, Mac, De or the like. */
function camel(word: string, isWord: (word: string) => boolean): string {
  if (/^(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|O)\p{Lu}\p{Ll}+$/u.test(word) || /^\p{Lu}+s$/u.test(word))
    return /^\p{Lu}{2,}s$/u.test(word) ? `${letters(word.slice(0, -1))}s` : word
  if (isWord(word) && !/\p{Lu}{2}/u.test(word)) return word
  const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? [word]
  return parts
    .map(part => (/^\p{Lu}{2,}$/u.test(part) && !readAsWords.has(part) ? letters(part) : part.length === 1 ? letters(part) : part))
    .join(' ')
}
