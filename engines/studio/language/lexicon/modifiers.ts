import type { PersonLook, SizeWord } from '../../scene.ts'

/** Words for numbers, by their value. Digits, and Chinese numerals above ten, are read by
 *  `numbers.ts`. */
export const numberRows: Record<number, string> = {
  1: 'one, 一, 单, 独自一',
  2: 'two, a pair of, pair of, a couple of, couple of, both, twin, two of, pairs of, 两, 二, 双, 一对, 一双, 俩, 成双',
  3: 'three, three-piece, a trio of, trio of, a few, few, several, some, 三, 几, 一些, 几个, 几只, 几棵, 几朵, 几条, 若干, 仨, 好几, 数, 几位, 几座, 几匹, 几头, 几艘, 几名, 几辆, 几颗, 几片, 几盏, 几株, 几间',
  4: 'four, four-piece, 四, 一家四口',
  5: 'five, five-piece, a handful of, handful of, 五',
  6: 'six, half a dozen, half dozen, 六',
  7: 'seven, 七',
  8: 'eight, many, a lot of, lots of, numerous, plenty of, multiple, 八, 许多, 很多, 好多, 众多, 多, 不少, 大量',
  9: 'nine, 九',
  10: 'ten, tens of, 十',
  11: 'eleven',
  12: 'twelve, a dozen, dozen, a dozen of, 一打',
  13: 'thirteen',
  14: 'fourteen',
  15: 'fifteen',
  16: 'sixteen',
  17: 'seventeen',
  18: 'eighteen',
  19: 'nineteen',
  20: 'twenty',
  24: 'two dozen, dozens of, dozens, scores of, 几十, 数十, 几十只',
  30: 'thirty',
  40: 'forty, hundreds of, hundreds, countless, thousands of, thousands, myriad, endless, innumerable, 无数, 成百上千, 成千上万, 数百, 数不清, 上百',
  50: 'fifty',
  60: 'sixty, a hundred, one hundred, hundred, a thousand, thousand, million, 百, 千, 一百, 一千, 万',
}

/** Group nouns, by the number of things that are drawn for them. */
export const groupRows: Record<number, string> = {
  4: 'family, band, team, set, 一家, 一队, 一组',
  5: 'group, bunch, pack, gang, class, orchestra, choir, crew, cluster, bouquet, pile, row, line, litter, pride, stack, heap, collection, string, troop, 一排, 一束, 一堆, 一串, 一窝, 一行, 一盘, 一篮, 一丛, 一簇, 一伙, 一叠, 一摞, 一篮子, 一列, 一箱, 一袋, 一盒, 一筐',
  7: 'flock, herd, school, 一群, 成群, 群, 成群结队, 一大群, 成群的, 一片',
  14: 'crowd, mob, throng',
  9: 'swarm, fleet, army, shoal, colony, horde, caravan, convoy, 大群, 一大片, 满地, 满天, 漫天, 满树, 遍地, 一队队, 漫山遍野',
}

/** Chinese measure words, which stand between a number and its noun. */
export const measureWords =
  '只, 个, 条, 头, 匹, 棵, 朵, 辆, 艘, 座, 位, 名, 张, 把, 本, 块, 片, 颗, 根, 顶, 件, 间, 栋, 幢, 架, 台, 盏, 支, 枝, 杯, 碗, 盘, 瓶, 束, 串, 扇, 面, 幅, 副, 双, 株, 尾, 口, 粒, 滴, 堵, 道, 轮, 枚, 盆, 壶, 份, 套, 处, 叶, 所, 家, 缕, 团, 抹, 弯, 篮, 锅, 罐, 盒, 层, 缸, 捧, 具, 对, 尊, 门, 床, 峰, 群, 排, 款, 种, 款, 组, 碟, 笼, 桌, 袋, 桶, 汪, 湾, 池'

/** English nouns of containers that often only measure their contents: "a cup of tea" is drawn as
 *  tea. */
export const containerWords =
  'cup, glass, mug, bowl, plate, plates, bottle, jar, slice, piece, pieces, loaf, slices, pot, jug, cups, glasses, bowls, bottles, mugs, bucket, can, scoop, pint, sheet, carton, cone, stick, pitcher, tankard, kind, type, sort, variety, selection, array, lot, number, amount, couple, trio, pair, drop, patch, ray, beam, pinch, thermos, sprig, bunches, lots, plenty'

export const sizeRows: Record<SizeWord, string> = {
  tiny: 'tiny, miniature, mini, minuscule, microscopic, teeny, very small, itty-bitty, thumb-sized, 微小, 迷你, 极小, 袖珍, 微型, 很小, 小小, 娇小',
  small: 'small, little, short, petite, low, narrow, smaller, slim, thin, toy-sized, 小, 较小, 小型, 矮, 矮小, 窄, 细, 瘦小, 细小, 小巧',
  normal: 'medium-sized, normal-sized, average, regular, 中等, 中型',
  large:
    'large, big, tall, great, grand, wide, broad, larger, bigger, high, long, thick, fat, chubby, plump, heavy, overweight, deep, strong, muscular, 大, 高, 高大, 较大, 大型, 高高, 宽, 胖, 大大, 肥, 长, 粗, 胖乎乎, 圆滚滚, 强壮, 胖胖, 圆圆, 宽阔, 肥胖, 长长',
  huge: 'huge, giant, gigantic, enormous, massive, colossal, towering, immense, oversized, vast, very large, very big, gargantuan, monumental, mammoth, larger than life, very tall, 巨大, 巨型, 庞大, 超大, 巨, 硕大, 极大, 高耸, 特大, 很大, 庞然大物, 广阔, 辽阔, 参天, 浩瀚, 高耸入云',
}

/** Words for patterns, materials and conditions of things: `word>look#colour`. The look and the
 *  name of a colour are optional. */
export const lookWords =
  'striped, stripy>striped, stripey>striped, zebra-striped>striped, spotted, spotty>spotted, dotted>spotted, polka-dot>spotted, polka dot>spotted, polka-dotted>spotted, speckled>spotted, checkered, checked>checkered, plaid>checkered, tartan>checkered, chequered>checkered, patterned, floral>flowery, flowery, golden#gold, gilded>golden#gold, silver-plated>chrome, wooden, metal, metallic>metal, steel>metal, iron>metal, chrome, brass>copper, copper, tin>metal, glass, crystal, transparent>glass, translucent>glass, porcelain>ceramic, ceramic, clay pot>ceramic, marble, stone, concrete, granite>stone, brick#brick red, plastic, paper, cardboard, leather, velvet, silk>velvet, denim, wool>knitted, woolen>knitted, woollen>knitted, woolly, knitted, knit>knitted, furry, fluffy>furry, fuzzy>furry, hairy>furry, plush>furry, shaggy>furry, feathered, scaly, shiny, glossy>shiny, polished>shiny, gleaming>shiny, sparkly>shiny, glittery>shiny, rusty#rust, rusted>rusty#rust, dirty, muddy>dirty, dusty>dirty, worn>worn, weathered>worn, shabby>worn, tattered>worn, ragged>worn, toppled, overturned>toppled, toppled over>toppled, capsized>toppled, upturned>toppled, 倒下>toppled, 翻倒>toppled, broken, bitten, wedgeless>slice missing, in a row, in a line>in a row, in one row>in a row, in a single row>in a row, lined up>in a row, lined up in a row>in a row, arranged in a row>in a row, in a straight line>in a row, cracked>broken, shattered>broken, smashed>broken, halved, cut-up>sliced, sliced up>sliced, sliced, chopped>sliced, diced>sliced, 破开>halved, 切开>halved, 切片>sliced, burning, fiery>burning, flaming>burning, on fire>burning, glowing>glowing, luminous>glowing, lit up>glowing, steaming>steaming, steaming hot>steaming, hot>steaming, chocolate#chocolate, vanilla#cream, strawberry-flavored#pink, wet, happy, smiling>happy, lovestruck>in love, love-struck>in love, sobbing>sad, weeping>sad, frowning>sad, joyful>happy, laughing>happy, cheerful>happy, jolly>happy, content>happy, delighted>happy, grinning>happy, sad, crying>sad, unhappy>sad, melancholy>sad, lonely>sad, angry, furious>angry, fierce>angry, grumpy>angry, menacing>angry, evil>angry, wise, brave>brave, proud>proud, sleepy>sleepy, tired>sleepy, friendly>happy, curious>curious, surprised>surprised, confused>surprised, puzzled>surprised, amazed>surprised, shocked>surprised, excited>happy, worried>sad, scared>surprised, frightened>surprised, shy>shy, royal, baby>young, straw>straw, wicker>straw, bamboo-made>bamboo, terracotta>clay, suede>leather, crocheted>knitted, felted>knitted, velvety>velvet, brushed metal>metal, stainless steel>metal, rubber>plastic, inflatable>plastic, chocolate-covered>chocolate, icy>ice, stuffed>furry, robotic>metal, mechanical>metal, steampunk>metal#bronze, electric, ornate>ornate, decorated>ornate, elaborate>ornate, embroidered>ornate, beaded>ornate, intricate>ornate, fancy>ornate, jeweled>ornate, jewelled>ornate, 黑白相间>spotted, 红白相间>striped, 蓝白相间>striped, 黄黑相间>striped, 条纹>striped, 斑点>spotted, 斑点的>spotted, 花斑>spotted, 圆点>spotted, 波点>spotted, 格子>checkered, 花纹>patterned, 碎花>flowery, 木制>wooden, 木质>wooden, 木头>wooden, 木>wooden, 金属>metal, 铁>metal, 钢铁>metal, 铁制>metal, 不锈钢>metal, 玻璃>glass, 透明>glass, 水晶般>glass, 陶瓷>ceramic, 瓷>ceramic, 青花瓷>ceramic#blue, 陶>ceramic, 石>stone, 石头做>stone, 大理石>marble, 砖>brick#brick red, 塑料>plastic, 纸>paper, 皮>leather, 皮革>leather, 丝绸>silk, 毛茸茸>furry, 毛绒>furry, 蓬松>furry, 毛绒绒>furry, 羊毛>knitted, 针织>knitted, 闪亮>shiny, 发亮>shiny, 亮晶晶>shiny, 生锈>rusty#rust, 锈>rusty#rust, 破>worn, 破旧>worn, 脏>dirty, 破碎>broken, 着火>burning, 热气腾腾>steaming, 热腾腾>steaming, 热>steaming, 冒热气>steaming, 湿>wet, 开心>happy, 快乐>happy, 高兴>happy, 幸福>happy, 伤心>sad, 悲伤>sad, 难过>sad, 孤独>sad, 愤怒>angry, 生气>angry, 凶猛>angry, 凶恶>angry, 困>sleepy, 好奇>curious, 害羞>shy, 机械>metal, 华丽>ornate, 精致华丽>ornate, 勇敢>brave, 威武>proud, 骄傲>proud, 友好>happy, 惊讶>surprised'

/** Adjectives for places: `word>detail=place`. The detail and the place are optional; an adjective
 *  with a place implies it even when the prompt names no place. */
export const detailWords =
  'sunken, shipwrecked>sunken, wooden, neon, futuristic, sci-fi>futuristic, science fiction>futuristic, high-tech>futuristic, ruined, abandoned, cozy, cosy>cozy, rustic, medieval, ancient, modern, victorian, old-fashioned>old, gothic, tropical=beach, snowy>snow, rocky, sandy, grassy, mossy, overgrown, flooded, crowded>people, busy>people, empty, quiet, colorful, colourful>colorful, oriental>chinese, chinese, japanese, european, mediterranean, alien, lush, barren, foggy>fog, rainy>rain, frozen>ice, icy>ice, dusty>dusty, dark>dark, bright>bright, flowering>flowers, blooming>flowers, blossoming>flowers, floral>flowers, mountainous=mountains, coastal=beach, suburban=street, rural=meadow, urban=city, alpine=mountains, autumnal>autumn, candlelit, decorated, luxurious>luxury, luxury, elegant>luxury, minimalist>minimal, cluttered, tidy, marble>marble, cobblestone, cobbled>cobblestone, brick, stone, underground, magical, enchanted>magical, haunted, steampunk>industrial, industrial, post-apocalyptic>ruined, dystopian>ruined, neon-lit>neon, neon lit>neon, neon lights>neon, neon signs>neon, city lights>neon, traditional, 木制>wooden, 霓虹>neon, 霓虹灯>neon, 霓虹闪烁>neon, 未来>futuristic, 未来感>futuristic, 科幻>futuristic, 未来主义>futuristic, 科技感>futuristic, 废弃>abandoned, 古老>ancient, 古代>ancient, 现代>modern, 中世纪>medieval, 温馨>cozy, 舒适>cozy, 热带=beach, 空旷>empty, 空荡荡>empty, 寂静>quiet, 热闹>people, 繁忙>people, 中式>chinese, 中国>chinese, 日式>japanese, 欧式>european, 豪华>luxury, 茂密>lush, 郁郁葱葱>lush, 葱郁>lush, 荒凉>barren, 杂草丛生>overgrown, 鹅卵石>cobblestone, 石板>cobblestone, 外星>alien, 破败>ruined, 末日>ruined, 蒸汽朋克>industrial, 工业风>industrial, 江南>chinese, 古风>chinese, 铺满鲜花>flowers, 大雪覆盖>snow, 神圣>holy'

/** Words for the age of people. "Old" and "young" are also used for things and animals. */
export const ageRows: Record<PersonLook['age'], string> = {
  baby: 'newborn, infant, 刚出生, 新生',
  child: 'young, little, five-year-old, teenage, adolescent, 小, 年幼, 年少, 年轻, 幼小, 幼, 五岁, 六岁, 七岁, 八岁, 十岁, 三岁, 四岁',
  adult: 'adult, grown, grown-up, middle-aged, 成年, 中年, 成熟',
  elder: 'old, elderly, aged, ancient, wrinkled, grey-haired, gray-haired, 老, 年老, 年迈, 老年, 白发苍苍, 苍老, 白胡子',
}
