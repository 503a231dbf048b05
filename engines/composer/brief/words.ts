/** Finds words in prompts. A word in ASCII matches only as a whole word; a word with other
 *  characters matches anywhere. */
import { listed } from '../listed.ts'

/** Returns the position of a word or phrase in the text; -1 when the text does not contain it.
 *  `text` must be in lower case. */
export function placeOf(word: string, text: string): number {
  if (/[^\p{ASCII}]/u.test(word)) return text.indexOf(word)
  const known = patterns.get(word)
  if (known) return known.exec(text)?.index ?? -1
  const words = word.split(/[\s-]+/)
  // Hundreds of words are searched and few are found. A regular expression is compiled only for
  // words that may match, because compiling all of them would take 0.1 s.
  if (!words.every(part => text.includes(part))) return -1
  const parts = words.map(part => part.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${parts.join(String.raw`[\s-]*`)}(?![\p{L}\p{N}])`, 'u')
  patterns.set(word, pattern)
  return pattern.exec(text)?.index ?? -1
}

const patterns = new Map<string, RegExp>()

export function hasAny(words: readonly string[], text: string): boolean {
  return words.some(word => placeOf(word, text) >= 0)
}

/** Words that suggest a style when the prompt names none. */
export const hintsOfStyles: readonly (readonly [string, readonly string[]])[] = [
  [
    'ambient',
    listed('relaxing, relax, spa, sleep, calm, peaceful, yoga, space, ocean, dreamy, ethereal, atmospheric, 放松, 安静, 睡眠, 平静'),
  ],
  ['lo-fi', listed('study, chill, chillout, cozy, coffee, rainy, nostalgic, 学习, 咖啡')],
  ['cinematic', listed('heroic, movie, fantasy, battle, adventure, dramatic, suspense, war, mysterious, horror, 战斗, 冒险, 紧张, 神秘')],
  ['house', listed('dance, party, club, festival, workout, running, 派对, 跳舞, 运动')],
  ['synthwave', listed('80s, eighties, cyberpunk, neon, night drive, 赛博朋克')],
  ['chiptune', listed('video game, game, arcade, pixel, 游戏')],
  ['folk', listed('acoustic, ballad, campfire, fireside, lullaby, autumn, village, 温柔, 摇篮曲, 校园')],
  ['jazz', listed('lounge, cocktail, noir, smoky')],
  ['country', listed('cowboy, western, road trip, truck')],
  ['waltz', listed('ballroom, fairground, carousel, circus')],
  ['bossa', listed('beach, tropical, summer evening, 海滩, 夏天')],
  ['hip-hop', listed('street, swagger, rapper, 街头')],
  ['rock', listed('rebellious, stadium, anthem, 热血')],
  ['classical', listed('elegant, wedding, 优雅, 婚礼')],
  ['pop', listed('catchy, love song, birthday, upbeat, happy, christmas, 爱情, 快乐, 欢快, 生日')],
]

export const sadWords = listed(
  'sad, melancholic, melancholy, dark, sorrow, sorrowful, lonely, heartbreak, gloomy, moody, tragic, somber, mournful, ominous, haunting, minor key, minor, tense, angry, aggressive, 悲伤, 忧伤, 伤感, 黑暗, 孤独, 小调, 悲しい, 슬픈',
)
export const happyWords = listed(
  'happy, cheerful, joyful, bright, uplifting, sunny, playful, optimistic, fun, romantic, warm, major key, major, celebratory, triumphant, 快乐, 欢快, 开心, 明亮, 阳光, 浪漫, 大调, 楽しい, 행복',
)
export const slowWords = listed(
  'slow, ballad, gentle, calm, relaxed, relaxing, sleepy, lullaby, soft, tender, 慢, 舒缓, 温柔, 抒情, ゆっくり, 느린',
)
export const fastWords = listed(
  'fast, energetic, upbeat, driving, high energy, lively, frantic, intense, speedy, 快节奏, 激烈, 动感, 有活力, 速い, 빠른',
)
export const softWords = listed('soft, gentle, calm, quiet, intimate, minimal, tender, delicate, sparse, 轻柔, 安静, 温柔')
export const strongWords = listed('energetic, powerful, intense, epic, loud, aggressive, driving, high energy, explosive, 强烈, 激昂, 史诗')
export const femaleWords = listed('female, woman, girl, soprano, alto, she, diva, female vocal, female vocals, 女声, 女, 女性, 여성')
export const maleWords = listed('male, man, boy, baritone, tenor, bass voice, he, male vocal, male vocals, 男声, 男, 男性, 남성')
export const soloWords = listed('solo, only, just, unaccompanied, 独奏, ソロ')
export const noDrumsWords = listed('no drums, without drums, no percussion, drumless, no beat, beatless, 无鼓, 不要鼓')
