/** Reads the prompt for a page of reference pictures, in several languages. Finds the kind of the
 *  page, its texts, and the remaining words, which may be an instruction. */
import { squeezed } from './instruction/clauses.ts'

export type PageKind = 'postcard' | 'poster' | 'card' | 'instant' | 'collage'

interface PageWords {
  /** Kind of page; absent when the words name none. */
  kind?: PageKind
  /** Texts to write on the page. */
  texts: string[]
  /** The prompt without its texts and without the words about the page and the references; may be
   *  empty. */
  rest: string
}

/** Largest number of characters of a prompt that are read; every instruction has this limit
 *  (docs/decisions/0012). */
const mostRead = 2000
/** Limits: number of texts on a page, and characters of one text. */
const most = { texts: 3, characters: 120 }

const kinds: readonly (readonly [PageKind, RegExp])[] = [
  [
    'postcard',
    /\b(?:picture |holiday |travel |vintage )?post ?cards?\b|\b(?:ansichts|post)karten?\b|\bcartes? postales?\b|\b(?:tarjetas? postal(?:es)?|postales?|cart[õã]o[- ]postal)\b|\bcartolin[ae]\b|\bansichtkaart(?:en)?\b|открытк\p{L}*|بطاقة بريدية|पोस्टकार्ड|明信片|絵はがき|絵葉書|ポストカード|엽서/giu,
  ],
  [
    'card',
    /\b(?:greeting|birthday|christmas|thank[- ]you|wedding|holiday|invitation) cards?\b|\b(?:gru(?:ß|ss)|geburtstags|weihnachts)karten?\b|\bcartes? de (?:vœux|voeux)\b|\btarjetas? de felicitaci[oó]n\b|贺卡|賀卡|グリーティングカード|카드/giu,
  ],
  [
    'poster',
    /\b(?:movie |film |travel |event |concert )?(?:posters?|flyers?|banners?|book ?covers?|album covers?|magazine covers?|ads?|adverts?|advertisements?)\b|\bplakate?n?\b|\baffiches?\b|\b(?:p[oó]ster(?:es)?|cartel(?:es)?|cartaz(?:es)?)\b|\b(?:locandin|manifest)[aeio]\b|плакат\p{L}*|постер\p{L}*|ملصق|पोस्टर|海报|海報|ポスター|포스터/giu,
  ],
  ['instant', /\b(?:polaroids?|instant (?:photos?|pictures?|photographs?))\b|拍立得|宝丽来|ポラロイド|폴라로이드/giu],
  [
    'collage',
    /\b(?:photo |picture )?(?:coll?ages?|montages?|mood ?boards?|grids?|contact sheets?|scrap ?books?(?: pages?)?|photo ?walls?|gallery walls?|album pages?|photo ?albums?|triptychs?|diptychs?|compilations?|overviews?|side by side)\b|\bbildercollagen?\b|\bmosaïques?\b|коллаж\p{L}*|كولاج|कोलाज|拼贴画?|拼图|拼接|コラージュ|콜라주/giu,
  ],
]

const quoted =
  /"([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]|«\s?([^»\n]{1,200}?)\s?»|「([^」\n]{1,200})」|『([^』\n]{1,200})』|《([^》\n]{1,200})》|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])|‘([^’\n]{1,200})’/gu
/** Matches a text for the page that has no quotation marks: words with capital letters after a word
 *  such as "says" or "title". */
const capitals =
  /\b(?:says?|saying|reads?|reading|titled|entitled|labell?ed|captioned|(?:[Tt]he )?(?:[Tt]ext|[Tt]itle|[Ww]ords?|[Cc]aption|[Hh]eadline|[Ss]logan|[Ii]nscription|[Ss]ubline|[Ss]ubtitle|[Tt]agline))\s?:?\s(\p{Lu}[\p{L}\p{N}'’!-]*(?: (?:(?:of|the|and|from|in|to|&|de|la|du|und) ){0,2}[\p{Lu}\p{N}][\p{L}\p{N}'’!%-]*){0,12})/gu
/** Matches a text after a word such as "title" and a colon. */
const announced =
  /\b(?:text|title|words|caption|headline|slogan|inscription|subline|subtitle|tagline)\s?:\s([\p{L}\p{N}][^"“„«「『《,.;:\n⟦]{0,80})/giu
/** Words that introduce a text; they are removed together with it. */
const leading =
  /(?:,? ?(?:\b(?:and|with|mit|avec|con|com|include|add|put)\b )?(?:\b(?:the|a|an|dem|le|el)\b )?\b(?:(?:that|which|it) (?:says?|reads?)|says?|saying|reads?|reading|titled|entitled|called|named|labell?ed|captioned|text|title|words?|caption|headline|slogan|inscription|subline|subtitle|tagline|writing|written|lettering|aufschrift|titel|texte|titre|texto|título)\b ?:?|(?<!\p{L})(?:с |и )?(?:надпис|текст|подпис|слов)\p{L}* ?:?|(?<!\p{L})(?:مع )?(?:النص|نص|عبارة|عنوان) ?:?|(?:写着|标题|文字|上面写|配文)[:：是为]?) ?⟦\d⟧/giu

/** English translations of words for edits in German, French, Spanish and other languages. These
 *  words are translated only in the prompts of pages. */
const translated: readonly (readonly [RegExp, string])[] = [
  [
    /\bschwarz-?wei(?:ß|ss)(?:e[nrms]?)?(?!\p{L})|\bnoir et blanc\b|\bblanco y negro\b|\bbianco e nero\b|\bpreto e branco\b|(?<!\p{L})ч[её]рно-бел\p{L}*|モノクロ|白黒|흑백/giu,
    ' black and white ',
  ],
  [/(?<!\p{L})сепи[яиюей]\p{L}*|セピア|세피아/giu, ' sepia '],
]

/** Matches words that only refer to the reference pictures, or that ask for them to be combined. */
const filler =
  /(?<![\p{L}\p{N}])(?:an?|the|of|from|with|by|using|use|used|make|made|makes|making|create|created|creating|generate|generated|produce|design|do|build|draw|render|give|show|showing|compose|composed|composition|combine|combined|combining|merge|put|place|arrange|arranged|turn|turned|into|out|please|me|us|my|our|your|this|that|these|those|them|it|they|all|both|every|each|some|something|anything|like|as|but|and|or|in|on|to|for|one|single|new|another|version|variations?|inspired|based|same|similar|together|containing|contains|featuring|including|include|items?|things?|objects?|subjects?|just|only|everything|everyone|everybody|nice|beautiful|great|good|pretty|lovely|images?|pictures?|photos?|photographs?|pics?|references?|inputs?|attached|given|provided|uploaded|above|following|sent|here|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|ein|eine[nrms]?|de[rnms]|die|das|aus|mit|von|und|bilde?r?n?|fotos?|referenz\p{L}*|diese[nrms]?|mach\p{L}*|erstell\p{L}*|bitte|wie|une?|des?|du|les?|la|avec|ces?|cette|et|à|partir|fais|faites|crée[rz]?|référence|con|estas?|estos?|las?|los|imágenes|imagen|fotos|haz|crea(?:r)?|una?|referencia|com|estas|essas|imagens|faça|uma|queste|immagini|fai|foto|из|этих|фото|картинок|изображени\p{L}*|сделай|создай|с|и|من|هذه|الصور|صور|مع|اصنع|هذا)(?![\p{L}\p{N}])|请|帮我|用|使用|根据|把|将|这些|这|所有|几|两|三|四|张|参考|图片|图像|图|照片|做成|做|制作|生成|创作|创建|变成|合成|设计|成|一个|一|的|和|为|この|これらの?|画像|写真|参考|から|使って|を|で|の|に|作って|作成|して|ください|이|사진|이미지|들|을|를|로|으로|만들어|주세요|줘/giu

/** Returns the parts of a prompt for a page. Accepts any text; the run time grows linearly with its
 *  length. */
export function readPage(prompt: string): PageWords {
  const found: string[] = []
  const take = (_: string, ...groups: unknown[]) => {
    const text = groups.find((part): part is string => typeof part === 'string' && part !== '')
    if (!text || found.length === most.texts) return ' '
    found.push(text.slice(0, most.characters).trim())
    return ` ⟦${found.length - 1}⟧ `
  }
  const read = translated.reduce(
    (text, [words, plain]) => text.replace(words, plain),
    squeezed(prompt).slice(0, mostRead).replace(/[⟦⟧]/g, ' '),
  )
  const marked = squeezed(read.replace(quoted, take).replace(capitals, take).replace(announced, take).replace(/ {2,}/g, ' '))
  // The quoted texts were replaced by numbered marks above, and are collected in the order of their
  // marks.
  const texts = [...marked.matchAll(/⟦(\d)⟧/g)].flatMap(([, index]) => found[Number(index)] ?? [])
  const bare = marked.replace(leading, ' ').replace(/⟦\d⟧/g, ' ')
  const kind = kinds.find(([, words]) => bare.search(words) >= 0)?.[0]
  const rest = kinds.reduce((text, [, words]) => text.replace(words, ' '), bare)
  return { ...(kind ? { kind } : {}), texts, rest: trimmed(rest) }
}

/** Returns the words without those that only mean "make one picture of these pictures"; empty when
 *  the prompt asks for nothing else. */
export function withoutFiller(words: string): string {
  const bare = trimmed(words.replace(filler, ' '))
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(bare) ? bare : ''
}

/** Returns the words without short words such as articles at both ends, so that a sentence can
 *  quote them. */
export function withoutEnds(words: string): string {
  return trimmed(words.replace(ends, ' '))
}

const small =
  '(?:of|from|with|out|using|use|an?|the|these|those|this|them|and|or|for|in|on|please|it|everything|из|этих|фото|сделай|с|и|mit|aus|von|avec|de|con|com)'
const ends = new RegExp(`^(?:${small}[\\s,.]+){1,8}|(?:[\\s,.]+${small}){1,8}$`, 'giu')

function trimmed(text: string): string {
  return text
    .replace(/[\s,.;:!?，。；：！？、()]{2,}/g, run => (/[,;.，。；]/.test(run) ? ', ' : ' '))
    .replace(/^[\s,.;:!?，。；：！？、-]+|[\s,.;:!?，。；：！？、-]+$/g, '')
}
