/** Finds the aspect ratio for a picture. The prompt may state it as numbers or by the use of the
 *  picture (a phone wallpaper); otherwise the contents may suggest one. */
import type { PictureSize } from '@generation-gateway/kit/requests/image.ts'
import type { Scene } from '../scene.ts'
import { indoors } from './indoors.ts'

/** Returns the size in the list for the ratio that the prompt states, else for the one that the
 *  scene clearly suggests; undefined when there is neither. */
export function chooseSize(prompt: string, scene: Scene | undefined, sizes: readonly PictureSize[]): PictureSize | undefined {
  const ratio = saidRatio(prompt) ?? (scene && suggestedRatio(scene))
  return ratio === undefined ? undefined : nearestSize(ratio, sizes)
}

/** Returns the size with the nearest aspect ratio (width / height); undefined for an empty list. */
export function nearestSize(ratio: number, sizes: readonly PictureSize[]): PictureSize | undefined {
  const distance = ({ width, height }: PictureSize) => Math.abs(Math.log(width / height / ratio))
  return sizes.toSorted((a, b) => distance(a) - distance(b))[0]
}

/** Words for uses and shapes of pictures, with their aspect ratios. The first matching row applies,
 *  so specific words come first. */
const shapes: readonly (readonly [RegExp, number])[] = [
  [/\bpanoram(?:a|as|ic)\b|\bultra[- ]?wide\b|\bcinemascope\b|\bscroll painting\b|全景|长卷|超宽/i, 21 / 9],
  [/\b(?:web(?:site)?|page|twitter|facebook|blog|youtube|shop) (?:banner|header|cover)\b|\bbanner\b|横幅|通栏/i, 21 / 9],
  [/\b(?:phone|mobile|iphone|android|smartphone|lock ?screen) (?:wallpaper|background|screen)\b|\block ?screen\b/i, 9 / 16],
  [/\b(?:instagram|snapchat|whatsapp) story\b|\b(?:vertical|tiktok) video\b|\breels?\b|手机壁纸|手机屏保|锁屏|竖屏|抖音/i, 9 / 16],
  [/\bbookmark\b|书签/i, 9 / 16],
  [/\b(?:desktop|computer|laptop|pc) (?:wallpaper|background)\b|\bwide ?screen\b|\bthumbnail\b|电脑壁纸|桌面壁纸|宽屏|横屏|宽幅/i, 16 / 9],
  [/\bwide(?:[- ]angle)? (?:picture|image|format|view|shot|scene|composition|banner|landscape|photo|illustration)\b/i, 16 / 9],
  [
    /\bsquare (?:picture|image|format|photo|poster|crop|composition|canvas|illustration|tile|logo|icon)\b|\b(?:in|as a) square\b|^square\b|, ?square\b/i,
    1,
  ],
  [/\b(?:avatar|profile (?:picture|photo)|app icon|album cover|instagram post|sticker)\b|正方形|方图|方形(?:图|画|构图)|头像|专辑封面/i, 1],
  [
    /\bhorizontal (?:poster|picture|image|format|composition|layout|photo|orientation)\b|\blandscape (?:format|orientation|mode|layout|aspect)\b/i,
    3 / 2,
  ],
  [/\bpostcard\b|横版|横图|横构图|横向|横式|明信片/i, 3 / 2],
  [
    /\b(?:movie|film|concert|vertical|tall|upright) poster\b|\bposter\b|\b(?:book|magazine|comic|novel) cover\b|\bflyer\b|海报|封面/i,
    2 / 3,
  ],
  [
    /\bvertical(?:ly)? (?:picture|image|format|composition|layout|photo|orientation|illustration|canvas)\b|\b(?:in|as a) vertical\b|, ?vertical\b/i,
    2 / 3,
  ],
  [/\bfull[- ]body\b|\bfull[- ]length\b|竖版|竖图|竖构图|竖向|竖式|竖幅|纵向|立轴|全身/i, 2 / 3],
  [/\bportrait\b|肖像|人像/i, 3 / 4],
]

function saidRatio(prompt: string): number | undefined {
  for (const { groups } of prompt.matchAll(
    /(?<![\d:.])(?<wide>\d{1,2}|\d{3,4})\s?[:：x×*]\s?(?<high>\d{1,4})(?![\d:.%]|\s?[ap]\.?m\b)/gi,
  )) {
    const ratio = Number(groups?.wide) / Number(groups?.high)
    // Only known ratios count: another pair of numbers is a time of day or a score.
    if (ratioNames.some(known => Math.abs(Math.log(known / ratio)) < 0.02)) return ratio
  }
  return shapes.find(([words]) => words.test(prompt))?.[1]
}

/** Aspect ratios (width / height) that prompts name. */
const ratioNames = [1, 4 / 3, 3 / 4, 16 / 9, 9 / 16, 3 / 2, 2 / 3, 21 / 9, 9 / 21, 5 / 4, 4 / 5, 2, 1 / 2, 16 / 10, 10 / 16, 3, 1 / 3, 2.35]

const tall =
  /^(?:lighthouse|tower|skyscraper|giraffe|eiffel tower|tokyo tower|statue of liberty|clock tower|rocket|palm tree|cactus|totem pole|obelisk)$/

/** Returns a wide ratio for a view without a main subject, and an upright one for a single thing
 *  that is clearly taller than wide; undefined for other scenes, where the request decides. */
function suggestedRatio({ subjects, setting, camera }: Scene): number | undefined {
  if (camera.framing === 'panorama') return 21 / 9
  const heroes = subjects.filter(({ isBackground, habitat }) => !isBackground && habitat !== 'sky')
  const [hero] = heroes
  if (!hero) return setting.words !== '' && !indoors.has(setting.kind) && !flat.has(setting.kind) ? 3 / 2 : undefined
  return heroes.length === 1 && hero.count === 1 && tall.test(hero.noun) ? 2 / 3 : undefined
}

/** Places that do not suggest a wide picture, because they have no horizon. */
const flat: ReadonlySet<string> = new Set(['abstract', 'backdrop', 'space', 'waterfall', 'cave', 'table', 'shelf', 'underwater'])
