/** Reads the changes to a video that its prompt describes. The reading must be fast, because the
 *  gateway's own process calls it before it queues the task. */
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { styleWords } from '@generation-gateway/studio/language/lexicon/styles.ts'
import type { Grade } from '@generation-gateway/studio/style/grade.ts'

interface VideoEdit {
  /** Changes of light and colour, in order. */
  grades: Grade[]
  /** ffmpeg filters for each frame of the original video, in order. */
  filters: string[]
  /** Playing speed: 2 is twice as fast. 0.25 to 4. */
  speed: number
  isReversed: boolean
  isSilent: boolean
  /** Quarter turns clockwise, 0 to 3. */
  turns: number
  /** Aspect ratio (width / height) to which the middle of the picture is cropped. */
  ratio?: number
  /** Parts of the prompt that led to no edit, as the user wrote them. */
  leftOver: string[]
  /** True when the prompt contains at least one edit that the engine can do. */
  isSaid: boolean
}

/** Lists the edits that the engine can do; used in refusals. */
export const supportedVideoEdits =
  'It can make a video grey, sepia, inverted, tinted, brighter, darker, warmer, colder, more or less colourful or contrasty; blur or sharpen it; ' +
  'make it slower, faster or run backwards; crop it to a square or another ratio, zoom in, flip or turn it; mute it; ' +
  'add rain, snow, fog, petals, leaves or fireflies; set it at night, dawn or sunset; and give it a style or a mood.'

/** Largest number of characters that are read (docs/decisions/0012). */
const mostRead = 2000

type Change = (edit: VideoEdit, found: RegExpExecArray, amount: number) => void

const tone =
  (grade: (amount: number) => Grade): Change =>
  (edit, _, amount) =>
    edit.grades.push(grade(amount))
const filter =
  (text: (amount: number) => string): Change =>
  (edit, _, amount) =>
    edit.filters.push(text(amount))
const speed =
  (usual: number): Change =>
  (edit, found, amount) => {
    const said = speedIn(found[0])
    const factor = said ? (usual < 1 ? 1 / said : said) : usual < 1 ? 1 / (1 + amount * 2) : 1 + amount * 2
    edit.speed = Math.min(4, Math.max(0.25, edit.speed * factor))
  }

const hues: Readonly<Record<string, [number, number, number]>> = {
  red: [220, 40, 40],
  orange: [240, 130, 40],
  yellow: [240, 210, 60],
  gold: [230, 180, 60],
  green: [50, 170, 70],
  teal: [20, 140, 140],
  turquoise: [40, 190, 190],
  cyan: [50, 200, 220],
  blue: [50, 90, 220],
  purple: [130, 60, 190],
  violet: [130, 60, 190],
  pink: [240, 130, 180],
  magenta: [220, 50, 180],
  brown: [130, 90, 50],
  rust: [180, 80, 40],
  sand: [220, 190, 140],
  红: [220, 40, 40],
  橙: [240, 130, 40],
  黄: [240, 210, 60],
  绿: [50, 170, 70],
  蓝: [50, 90, 220],
  紫: [130, 60, 190],
  粉: [240, 130, 180],
}
const hue = `(?:light |dark |deep |bright |pale )?(${Object.keys(hues).join('|')})(?:ish)?`

const changes: readonly (readonly [words: RegExp, change: Change])[] = [
  [
    /\b(?:black[- ]?(?:and|&|n)[- ]?white|b ?& ?w|bw|monochrom\p{L}*|gr[ea]y ?-?scale|gr[ea]y|colou?rless|desaturated?|without colou?rs?|(?:remove|no|drain) (?:the |all )?colou?rs?|noir et blanc|blanco y negro|bianco e nero|preto e branco|grau)\b|\bschwarz-?wei(?:ß|ss)(?!\p{L})|黑白|灰度|灰色|去色|单色|白黒|モノクロ|흑백|ч[её]рно-белы\p{L}*/giu,
    tone(() => ({ saturation: -1, contrast: 0.12 })),
  ],
  [/\bsepia\b|怀旧|泛黄|褐色/giu, tone(() => ({ saturation: -0.8, temperature: 0.6, fade: 0.3 }))],
  [/\b(?:invert(?:ed)?|negative|negate)(?: (?:the )?colou?rs)?\b|反色|反相|负片/giu, filter(() => 'negate')],
  [
    new RegExp(
      `\\b(?:(?:tint|colou?r|turn|make|paint|shift)(?:ed)? (?:it |everything |all |the (?:whole )?(?:video|clip|picture|film|frames?|colou?rs?|colou?r palette|palette|tones?) )?(?:to |in )?(?:be )?(?:an? )?(?:more )?${hue}|${hue} (?:tint|tone|tones|palette|filter|hue)|palette (?:to |of )?${hue}(?:(?:, | and |, and )(?:light |dark )?\\p{L}+){0,3})(?![\\p{L}])|(?:变成?|调成?|染成?)([红橙黄绿蓝紫粉])色?`,
      'giu',
    ),
    (edit, found) => {
      const name =
        found
          .slice(1)
          .find(part => part !== undefined)
          ?.toLowerCase() ?? ''
      const [r, g, b] = hues[name] ?? [128, 128, 128]
      edit.grades.push({ saturation: -0.7, shadows: { r, g, b, strength: 0.7 }, highlights: { r, g, b, strength: 0.8 } })
    },
  ],
  [
    /\b(?:(?:much |a bit |a little |slightly )?(?:(?:less|lower|reduce(?:d)?|decrease(?:d)?) (?:the )?(?:saturat(?:ed|ion)|colou?r(?:ful|s)?|vivid|vibrant)|duller|paler|more muted))\b|更淡|饱和度(?:更|再)?低|降低饱和度/giu,
    tone(amount => ({ saturation: -amount })),
  ],
  [
    /\b(?:(?:much |a bit |a little |slightly )?(?:(?:more|higher|increase(?:d)?|boost(?:ed)?) (?:the )?(?:saturat(?:ed|ion)|colou?r(?:ful|s)?|vivid|vibrant|vibrance)|saturated|vibrant|richer colou?rs))\b|饱和度(?:更|再)?高|提高饱和度/giu,
    tone(amount => ({ saturation: amount })),
  ],
  [
    /\b(?:(?:less|lower|reduce|decrease|softer) (?:the )?contrast|flatter|less contrasty)\b|对比度?(?:更|再)?[低弱]|降低对比度?/giu,
    tone(amount => ({ contrast: -amount })),
  ],
  [
    /\b(?:(?:more|higher|increase|boost|raise|stronger|add) (?:the )?contrast|more contrasty|punchier)\b|对比度?(?:更|再)?[高强]|提高对比度?/giu,
    tone(amount => ({ contrast: amount })),
  ],
  [
    /\b(?:(?:much |a bit |a little |slightly |a lot )?(?:brighter|lighter|brighten(?:ed)?|lighten(?:ed)?|less dark|(?:more|increase|raise|boost) (?:the )?(?:light|bright(?:ness)?|exposure))|heller|plus (?:clair|lumineux)|más (?:claro|brillante))\b|[更变调]亮|明るく|밝게|ярче/giu,
    tone(amount => ({ exposure: amount * 0.9 })),
  ],
  [
    /\b(?:(?:much |a bit |a little |slightly |a lot )?(?:darker|dimmer|darken(?:ed)?|dim|less bright|(?:less|decrease|lower|reduce) (?:the )?(?:light|bright(?:ness)?|exposure))|dunkler|plus sombre|más oscuro)\b|[更变调]暗|暗く|어둡게|темнее/giu,
    tone(amount => ({ exposure: -amount * 0.9 })),
  ],
  [
    /\b(?:(?:much |a bit |a little |slightly |a lot )?(?:warmer|warm(?:ed)? up|more warm(?:th)?|(?:add|increase) (?:the )?warmth)|wärmer|plus chaud|más cálido)\b|[更变调]暖|暖かく|теплее/giu,
    tone(amount => ({ temperature: amount * 1.1, highlights: { r: 255, g: 190, b: 90, strength: amount * 0.3 } })),
  ],
  [
    /\b(?:(?:much |a bit |a little |slightly |a lot )?(?:colder|cooler|cool(?:ed)? down|more cold|less warm)|kälter|kühler|plus froid|más frío)\b|[更变调]冷|冷たく|холоднее/giu,
    tone(amount => ({ temperature: -amount * 1.1, shadows: { r: 30, g: 80, b: 150, strength: amount * 0.4 } })),
  ],
  [/\b(?:add )?(?:an? )?vignette\b|暗角/giu, tone(amount => ({ vignette: 0.4 + amount }))],
  [
    /\b(?:slightly |very |strongly )?(?:blur(?:red|ry|rier)?|out of focus|defocus(?:ed)?|unscharf|flou)\b|模糊|虚化|ぼか\p{L}*/giu,
    filter(amount => `gblur=sigma=${(2 + amount * 16).toFixed(1)}`),
  ],
  [/\b(?:sharp(?:en(?:ed)?|er)|crisper|schärfer)\b|锐化|更?清晰/giu, filter(amount => `unsharp=5:5:${(0.4 + amount * 1.4).toFixed(2)}`)],
  [
    /\b(?:(?:in )?(?:reversed?|backwards?|rewind)(?: (?:the )?(?:video|clip|it|order|playback))?|(?:play|run)(?:s|ing)? (?:it )?in reverse|in reverse|rückwärts|al revés)\b|(?<!\p{L})à l['’]envers\b|倒放|倒着放|反向播放|逆再生/giu,
    edit => {
      edit.isReversed = !edit.isReversed
    },
  ],
  [
    /\b(?:(?:much |a bit |a little |slightly |a lot |twice as |two times |half as |\d+(?:\.\d+)? ?(?:x|×|times|%) )?(?:slow[- ]?mo(?:tion)?|slower|slow(?:ed)?(?: it| the (?:video|clip))?(?: down)?(?: (?:by|to) (?:\d+(?:\.\d+)? ?(?:x|×|times|%)|half))?)|(?:at |to )?(?:half|quarter)(?: the)? speed|(?:at |to )?0?\.\d+ ?[x×](?: speed)?|langsamer|zeitlupe|au ralenti|plus lent|más lento|cámara lenta)\b|慢动作|慢放|[更放变]慢|スロー\p{L}*|느리게|медленнее/giu,
    speed(0.5),
  ],
  [
    /\b(?:(?:much |a bit |a little |slightly |a lot |twice as |two times |\d+(?:\.\d+)? ?(?:x|×|times|%) )?(?:faster|fast[- ]?forward|speed(?:ed)?(?: it| the (?:video|clip))? ?up(?: (?:by|to) (?:\d+(?:\.\d+)? ?(?:x|×|times|%)|half))?|(?:sped|speed) up|quicker|double[- ]?(?:the )?speed|twice (?:the speed|as fast)|time[- ]?lapse)|(?:at |to )?[2-4](?:\.\d+)? ?[x×](?: speed)?|schneller|zeitraffer|plus rapide|plus vite|más rápido)\b|快进|快放|加速|[更放变]快|速く|빠르게|быстрее/giu,
    speed(2),
  ],
  [
    /\b(?:mute(?:d)?|silent|silence|(?:remove|without|no|delete|drop) (?:the |any |all )?(?:sound|audio|music)|stumm|sans (?:le )?son|sin (?:el )?sonido)\b|静音|去掉声音|无声/giu,
    edit => {
      edit.isSilent = true
    },
  ],
  [
    /\b(?:crop(?:ped)?|cut|trim|reframe|make)?(?: (?:it|the video))? ?(?:to |into |as |in )?(?:an? )?(?:square|quadrat\p{L}*)(?: (?:format|crop|video|shape))?\b|正方形|方形/giu,
    edit => {
      edit.ratio = 1
    },
  ],
  [
    /\b(?:(?:crop(?:ped)?|cut|trim|reframe|make)(?: (?:it|the video))?(?: to| into| as| in)? )?(?:an? )?(\d{1,2}(?:\.\d+)?) ?[:：] ?(\d{1,2}(?:\.\d+)?)(?: (?:format|ratio|aspect ratio|crop))?/giu,
    (edit, found) => {
      const ratio = Number(found[1]) / Number(found[2])
      if (ratio >= 0.25 && ratio <= 4) edit.ratio = ratio
    },
  ],
  [
    /\b(?:crop(?:ped)?|cut|trim|reframe|make)(?: (?:it|the video))? ?(?:to |into |as |in )?(?:an? )?(?:vertical|portrait|upright)(?: (?:format|mode|video))?\b|竖[屏版]/giu,
    edit => {
      edit.ratio = 9 / 16
    },
  ],
  [
    /\b(?:crop(?:ped)?|cut|trim|reframe|make)(?: (?:it|the video))? ?(?:to |into |as |in )?(?:an? )?(?:widescreen|landscape|horizontal)(?: (?:format|mode|video))?\b|横[屏版]|宽屏/giu,
    edit => {
      edit.ratio = 16 / 9
    },
  ],
  [
    /\b(?:zoom(?:ed)? in|crop(?:ped)? in|closer|crop(?:ped)?(?: (?:it|the (?:video|edges|sides|borders)))?)\b|放大|拉近|裁剪/giu,
    filter(amount => `crop=iw/${(1 + amount * 0.8).toFixed(2)}:ih/${(1 + amount * 0.8).toFixed(2)}`),
  ],
  [
    /\b(?:flip(?:ped)?|mirror(?:ed)?)(?: (?:it|the video))? (?:vertically|upside down)|\bupside down\b|上下翻转|垂直翻转|颠倒/giu,
    filter(() => 'vflip'),
  ],
  [
    /\b(?:flip(?:ped)?|mirror(?:ed)?)(?: (?:it|the video))?(?: horizontally| left to right)?\b|左右翻转|水平翻转|镜像|翻转/giu,
    filter(() => 'hflip'),
  ],
  [
    /\b(?:rotate|turn)(?:d|ed)?(?: (?:it|the video))?(?: by)? ?(90|180|270)?(?: ?(?:°|degrees?))?(?: (?:to the )?(left|right|clockwise|counter-?clockwise|anti-?clockwise))?\b(?<=°|degrees?|left|right|clockwise|90|180|270|rotated?(?: (?:it|the video))?)|旋转(?:(90|180|270)度?)?/giu,
    (edit, found) => {
      const quarters = Number(found[1] ?? found[3] ?? 90) / 90
      edit.turns = (edit.turns + (/left|counter|anti/i.test(found[2] ?? '') ? 4 - quarters : quarters)) % 4
    },
  ],
]

/** Words that this file does not turn into an edit, because other parts of the engine interpret
 *  them: weather, falling things, times of day, moods and styles. */
const others: readonly RegExp[] = [
  /\b(?:fog(?:gy)?|mist(?:y)?|haz[ey]|rain(?:y|ing)?|drizzl\p{L}*|storm\p{L}*|downpour|snow\p{L}*|flurr\p{L}*|blizzard|petals?|blossoms?|sakura|leaves|firefl\p{L}*|dust|sparkl\p{L}*|glitter|particles)\b|[雾雨雪]|花瓣|樱花|落叶|萤火虫|尘/giu,
  /\b(?:night\p{L}*|moonlight|sunset|golden hour|sunrise|dawn|dusk)\b|夜|日落|夕阳|黄昏|黎明/giu,
  /\b(?:dark|bright|dreamy|warm|cold|cool|vivid|colou?rful|muted|faded|magical|spooky|eerie|festive|happ(?:y|ier)|cheerful|sad(?:der)?|gloomy|calm(?:er)?|peaceful|dramatic)\b|[暗亮暖冷淡]|梦幻|鲜艳|魔幻|恐怖|节日|开心|快乐|悲伤|平静/giu,
  /\b(?:in the |the )?(?:style|manner) of [\p{L}. -]{3,40}|\bstyle\b|风格|画风/giu,
]

/** Names of all styles except the default `illustration`. Names in Chinese are searched separately,
 *  because Chinese text has no spaces between words. */
const styles = Object.entries(styleWords).flatMap(([style, words]) => (style === 'illustration' ? [] : words.split(', ')))
const isHan = (name: string) => /\p{Script=Han}/u.test(name)
const spacedStyles = new Set(styles.filter(name => !isHan(name)))
const hanStyles = styles.filter(isHan).sort((a, b) => b.length - a.length)
/** Number of words in the longest name of a style. */
const mostWordsOfStyle = 5

/** Replaces each style name in the text by a marker. */
function withoutStyles(text: string): string {
  const words = text.split(/(?<![\p{L}\p{N}'&-])|(?![\p{L}\p{N}'&-])/u)
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    let taken = 0
    // The text is split into words and the separators between them, so a name of n words has 2n - 1
    // elements.
    for (let size = Math.min(mostWordsOfStyle * 2 - 1, words.length - at); size > 0 && taken === 0; size -= 1)
      if (
        spacedStyles.has(
          words
            .slice(at, at + size)
            .join('')
            .toLowerCase(),
        )
      )
        taken = size
    kept.push(taken > 0 ? marked : (words[at] ?? ''))
    if (taken > 0) at += taken - 1
  }
  return hanStyles.reduce((rest, name) => rest.replaceAll(name, markUnlessDenied), kept.join(''))
}

/** Marker that replaces the words that have been interpreted already. */
const marked = ' ; '

const filler =
  /(?<![\p{L}\p{N}])(?:an?|the|it|its|this|that|them|these|my|me|i|want|would|like|to|please|can|could|you|make|makes|made|turn|turned|change|changed|convert|converted|into|in|of|and|then|also|but|be|look|looks|looking|have|has|with|more|less|much|very|slightly|bit|little|lot|add|adding|give|set|apply|put|let|play|run|video|clip|movie|footage|film|whole|entire|everything|all|effect|filter|some|as|if|at|by|on|so|is|was|are|were|for|from|video_1|\d+)(?![\p{L}\p{N}])|把|它|将|让|使|变|得|成|的|视频|画面|整个|一点|一些|请|更|加|添加|上|为|和|并/giu

/** Reads the edits in a prompt and in the prompts of its shots. It never throws: words that it does
 *  not understand go into `leftOver`. */
export function readVideoEdit({ prompt, shots = [] }: Pick<VideoGenerateRequest, 'prompt' | 'shots'>): VideoEdit {
  const text = [prompt, ...shots.map(shot => shot.prompt)].join('\n')
  const edit: VideoEdit = { grades: [], filters: [], speed: 1, isReversed: false, isSilent: false, turns: 0, leftOver: [], isSaid: false }
  let rest = text.slice(0, mostRead).replace(/\s+/g, ' ')
  for (const [words, change] of changes)
    rest = rest.replace(words, (...found) => {
      // A replacer function receives the groups first, then the match position (a number) and the
      // text.
      const groups = found.slice(
        0,
        found.findIndex(part => typeof part === 'number'),
      )
      const at = Number(found[groups.length])
      if (isDenied(rest, at)) return String(groups[0])
      edit.isSaid = true
      change(edit, groups as unknown as RegExpExecArray, amountOf(rest.slice(Math.max(0, at - 14), at + String(groups[0]).length + 10)))
      return marked
    })
  const plain = others.reduce((text, words) => text.replace(words, markUnlessDenied), withoutStyles(rest))
  edit.isSaid ||= plain !== rest
  rest = plain
  const parts = rest.split(/[;,.!?，。；！、]/).map(part => part.trim())
  edit.leftOver = parts.filter(part => /[\p{L}\p{N}]/u.test(part.replace(/[<>]/g, ' ').replace(filler, ' ')))
  return edit
}

/** Returns the marker for a match; a negated match stays unchanged. Only patterns without groups
 *  may use this function, because it expects the position as the second argument. */
function markUnlessDenied(found: string, at: number, text: string): string {
  return isDenied(text, at) ? found : marked
}

/** True when the words before `at` negate the words from `at` on, as in "don't make it". */
function isDenied(text: string, at: number): boolean {
  return denial.test(text.slice(Math.max(0, at - mostDenial), at))
}

const denial =
  /(?:\b(?:don['’]?t|do not|not|never)\b(?:(?!\b(?:and|but|then|just)\b)[^;,.!?])*|\b(?:no|remove|reduce|less|fix) (?:the |any |all )?|(?:不要|不用|别|勿)[^;,.!?，。；！]{0,6})$/iu
/** Characters before a word that are searched for a negation. */
const mostDenial = 32

/** Returns the strength of an edit as a share of its full effect, 0.25 to 0.9. */
function amountOf(words: string): number {
  if (/\b(?:slightly|a bit|a little|gently|subtly)\b|一点|稍|略/iu.test(words)) return 0.25
  return /\b(?:much|very|a lot|strongly|heavily|far|extremely)\b|很|非常|得多/iu.test(words) ? 0.9 : 0.5
}

/** Returns the factor (at least 1) by which words such as "3x", "twice", "half" or "50%" change the
 *  speed; undefined when they name none. */
function speedIn(words: string): number | undefined {
  const times = /(\d+(?:\.\d+)?) ?(?:x|×|times)/i.exec(words)?.[1]
  if (times) return Number(times) < 1 ? 1 / Math.max(0.1, Number(times)) : Math.max(1, Number(times))
  const percent = /(\d+) ?%/.exec(words)?.[1]
  if (percent) return Number(percent) < 100 ? 1 / (1 - Number(percent) / 100) : 1 + Number(percent) / 100
  if (/quarter/i.test(words)) return 4
  return /half|twice|two times|double/i.test(words) ? 2 : undefined
}

/** Returns the width and height of an edited video in pixels, both even. The picture is turned, and
 *  its middle is cropped to the ratio. */
export function editedSize({ width, height }: Sides, { ratio, turns }: Pick<VideoEdit, 'ratio' | 'turns'>): Sides {
  const [across, down] = turns % 2 === 1 ? [height, width] : [width, height]
  if (ratio === undefined) return { width: across, height: down }
  return { width: even(Math.min(across, down * ratio)), height: even(Math.min(down, across / ratio)) }
}

interface Sides {
  width: number
  height: number
}

function even(side: number): number {
  return 2 * Math.round(side / 2)
}

/** Returns the ffmpeg filters of an edit: those that run before the frames are scaled and converted
 *  to the frame rate (`before`), and those that run afterwards (`behind`). `seconds` is the length
 *  of the original video. */
export function framesOf({ filters, turns, speed, isReversed }: VideoEdit, seconds: number): { before: string[]; behind: string[] } {
  const turned = { 0: [], 1: ['transpose=clock'], 2: ['hflip', 'vflip'], 3: ['transpose=cclock'] }[turns] ?? []
  return {
    before: [...filters, ...turned, ...(speed === 1 ? [] : [`setpts=PTS/${speed.toFixed(4)}`])],
    // The `reverse` filter holds all frames in memory until the last one has arrived. So the frames
    // are scaled first.
    behind: isReversed ? [`trim=duration=${(seconds / speed).toFixed(3)}`, 'format=yuv420p', 'reverse'] : [],
  }
}

/** Returns the ffmpeg filters that change the original sound like the frames: speed and
 *  direction. */
export function soundOf({ speed, isReversed }: VideoEdit): string[] {
  // An `atempo` filter reaches half speed at most, so a lower speed takes two of them.
  const tempo = speed < 0.5 ? ['atempo=0.5', `atempo=${(speed / 0.5).toFixed(4)}`] : speed === 1 ? [] : [`atempo=${speed.toFixed(4)}`]
  return [...tempo, ...(isReversed ? ['areverse'] : [])]
}
