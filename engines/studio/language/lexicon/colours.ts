import type { Colour } from '../../scene.ts'
import { words } from './senses.ts'

/** For each colour: English name, `#rrggbb`, and further English and Chinese words. */
const table = `
red #d32f2f = 红, 红色, 大红, 大红色, 赤, 赤红
scarlet #ff2400 = 猩红, 猩红色
crimson #b1122b = 绯红, 绯红色, 深红, 深红色, 深红
dark red #8b0000 = 暗红, 暗红色
bright red #f11d1d = 鲜红, 鲜红色
maroon #6d1a2b = 栗色, 褐红色
burgundy #800020 = wine red, wine-red, 酒红, 酒红色
ruby #c2185b = ruby red, 宝石红
vermilion #e34234 = cinnabar, 朱红, 朱红色
coral #ff7f50 = 珊瑚色, 珊瑚红
salmon #fa8072 = 鲑鱼色, 三文鱼色
brick red #9c3b2b = brick-red, 砖红, 砖红色
rust #a4471f = rust-colored, rust-coloured, 铁锈色, 锈红色
terracotta #c8663f = 陶土色, 赤陶色
pink #f48fb1 = 粉, 粉色, 粉红, 粉红色, 浅红, 浅红色
light pink #f8c8d8 = pale pink, baby pink, soft pink, 浅粉, 浅粉色, 淡粉, 淡粉色
hot pink #ff4fa3 = bright pink, 亮粉色, 玫粉色
dark pink #c2477f = deep pink, 深粉色
rose #e0506f = rose red, rosy, 玫瑰红, 玫红, 玫红色, 玫瑰色
fuchsia #e91e90 = 紫红, 紫红色
magenta #d81b9a = 洋红, 洋红色, 品红, 品红色
blush #e8a6ae = 腮红色
peach #ffbe98 = peach-colored, 桃色, 蜜桃色, 桃红, 桃红色
orange #fb8c00 = 橙, 橙色, 橘, 橘色, 橘黄, 橘黄色, 橙黄, 橙黄色, 橙红, 橙红色, 橘红, 橘红色
dark orange #e06500 = burnt orange, deep orange, 深橙色
tangerine #f28500 = tangerine-colored
apricot #fbceb1 = 杏色, 杏黄
amber #ffbf00 = 琥珀色
yellow #fdd835 = 黄, 黄色, 金黄, 金黄色, 鹅黄, 鹅黄色, 嫩黄
light yellow #fff3a8 = pale yellow, soft yellow, 浅黄, 浅黄色, 淡黄, 淡黄色
dark yellow #c9a400 = 深黄色, 土黄, 土黄色
lemon #fff44f = lemon yellow, lemon-yellow, 柠檬黄, 柠檬色
mustard #d4a017 = mustard yellow, 芥末黄
gold #e6b422 = gold-colored, gold-coloured, 金, 金色
ochre #cc7722 = ocher, 赭色, 赭石色
cream #fff1d0 = creamy, cream-colored, cream-coloured, 奶油色, 米黄, 米黄色, 奶白, 奶白色
beige #e8d8b8 = 米色, 米白, 米白色
ivory #fffff0 = 象牙白, 象牙色
sand #d9c08f = sand-colored, sandy brown, 沙色
khaki #b8a878 = 卡其, 卡其色
tan #d2a679 = 棕褐色, 浅褐色
brown #7b4a2b = 棕, 棕色, 褐, 褐色, 咖啡色
light brown #b98b62 = pale brown, 浅棕, 浅棕色
dark brown #4a2c1a = deep brown, 深棕, 深棕色, 深褐色
chestnut #8a3b20 = auburn, 赤褐色, 栗棕色
caramel #c68e4e = 焦糖色
chocolate #5d3420 = chocolate brown, chocolate-brown, 巧克力色
coffee #6f4e37 = coffee-colored, coffee brown
mahogany #5e2a1b = 红木色
bronze #b0763a = bronze-colored, 青铜色, 古铜色
copper #b87333 = copper-colored, 铜色
green #43a047 = 绿, 绿色, 草绿, 草绿色
light green #9ccc65 = pale green, soft green, 浅绿, 浅绿色, 淡绿, 淡绿色, 嫩绿, 嫩绿色
dark green #1b5e20 = deep green, 深绿, 深绿色, 墨绿, 墨绿色
bright green #35d03f = 鲜绿色
lime #b4e02c = lime green, lime-green, 青柠色, 黄绿, 黄绿色
forest green #22662c = forest-green, 森林绿
olive #808000 = olive green, olive-green, 橄榄绿, 橄榄色
mint #a8e6cf = mint green, mint-green, 薄荷绿, 薄荷色
emerald #12a66a = emerald green, emerald-green, 翠绿, 翠绿色, 祖母绿, 碧绿, 碧绿色
jade #2fa57a = jade green, jade-green, 玉色, 玉绿色
sage #9caf88 = sage green, 鼠尾草绿
sea green #2e8b6f = sea-green, seafoam, seafoam green, 海绿色
teal #008080 = 水鸭色, 青绿, 青绿色
turquoise #30c9c0 = 绿松石色, 蓝绿, 蓝绿色
aqua #2fd6e0 = aquamarine, aqua blue, 水蓝, 水蓝色, 湖蓝, 湖蓝色
cyan #19c3d6 = 青, 青色, 湖绿色
blue #1e66d0 = 蓝, 蓝色
light blue #90caf9 = pale blue, soft blue, 浅蓝, 浅蓝色, 淡蓝, 淡蓝色
dark blue #12306e = deep blue, 深蓝, 深蓝色
bright blue #1283ff = electric blue, 亮蓝色, 鲜蓝色
sky blue #6ec1f0 = sky-blue, 天蓝, 天蓝色
baby blue #a9d4f0 = baby-blue, powder blue, 婴儿蓝
navy #14213d = navy blue, navy-blue, 藏青, 藏青色, 海军蓝, 藏蓝, 藏蓝色
royal blue #2b4fc7 = royal-blue, 宝蓝, 宝蓝色, 皇家蓝
cobalt #0047ab = cobalt blue, cobalt-blue, 钴蓝, 钴蓝色
azure #2f8fe5 = cerulean, 蔚蓝, 蔚蓝色, 湛蓝, 湛蓝色
sapphire #0f52ba = sapphire blue, 宝石蓝
steel blue #4682b4 = slate blue, steel-blue, 钢蓝色
midnight blue #16184a = midnight-blue, 午夜蓝
indigo #3f3aa3 = 靛, 靛蓝, 靛蓝色, 靛色, 靛青
ice blue #cfeaf5 = ice-blue, icy blue, 冰蓝, 冰蓝色
purple #8e24aa = 紫, 紫色
light purple #c79be0 = pale purple, soft purple, 浅紫, 浅紫色, 淡紫, 淡紫色
dark purple #4a1266 = deep purple, 深紫, 深紫色
violet #7f3fd0 = 紫罗兰色, 蓝紫, 蓝紫色
lavender #b9a5e2 = lavender-colored, 薰衣草色, 薰衣草紫
lilac #c8a2c8 = 丁香色, 丁香紫
plum #7d3a6a = plum-colored, 梅红色, 梅子色
mauve #b784a7 = 木槿紫, 藕荷色
orchid #da70d6 = 兰花紫
black #1c1c1e = jet black, jet-black, pitch black, 黑, 黑色, 乌黑, 漆黑, 纯黑, 纯黑色
white #f7f7f5 = snow white, snow-white, pure white, off-white, off white, 白, 白色, 雪白, 雪白色, 洁白, 纯白, 纯白色, 乳白, 乳白色
grey #8a8d91 = gray, greyish, grayish, 灰, 灰色
light grey #c4c7ca = light gray, pale grey, pale gray, 浅灰, 浅灰色, 淡灰, 淡灰色
dark grey #4a4d52 = dark gray, deep grey, deep gray, 深灰, 深灰色, 暗灰色
charcoal grey #36393d = charcoal gray, charcoal-grey, slate grey, slate gray, 炭灰色
silver #c0c5cc = silvery, silver-colored, 银, 银色, 银白, 银白色, 银灰, 银灰色
pearl #eae4d9 = pearl white, pearly, pearl-white, 珍珠白, 珍珠色
blond #e8c874 = blonde, 金发色
ginger #c9641f = 姜黄色, 姜色
rainbow #e056a0 = rainbow-colored, rainbow-coloured, 彩虹色
`

function parseRow(row: string): { colour: Colour; aliases: string[] }[] {
  const found = /^(.+?) (#[0-9a-f]{6}) = ?(.*)$/.exec(row) ?? /^(.+?) (#[0-9a-f]{6}) ?=?(.*)$/.exec(row)
  if (!found) return []
  const [, name = '', hex = '', rest = ''] = found
  return [{ colour: { hex, name }, aliases: words(rest) }]
}

const rows = table.split('\n').flatMap(parseRow)

/** Colours by English and Chinese words. All words for the same colour have the same `name`, its
 *  English one. */
export const colourWords: ReadonlyMap<string, Colour> = new Map(
  rows.flatMap(({ colour, aliases }) => [colour.name, ...aliases].map(word => [word, colour] as const)),
)

/** Returns the colour of a written hex colour (`#abc`, `#aabbcc`); undefined for other text. */
export function hexColour(text: string): Colour | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  if (short) return { hex: `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`.toLowerCase(), name: text.toLowerCase() }
  return /^#[0-9a-f]{6}$/i.test(text) ? { hex: text.toLowerCase(), name: text.toLowerCase() } : undefined
}

/** Colour words that are also common nouns. They count as nouns when no other noun follows, as in
 *  "an orange on a plate". */
export const colourNouns: ReadonlySet<string> = new Set(
  words(
    'orange, rose, peach, lemon, lime, plum, chestnut, coral, salmon, olive, chocolate, coffee, sand, lavender, lilac, orchid, violet, gold, silver, ruby, emerald, sapphire, jade, pearl, copper, bronze, tangerine, apricot, caramel, ginger, cream, mint, amber, sage, rust, mustard, rainbow, tan, 橙, 橘',
  ),
)
