import { test } from 'node:test'
import { parsePrompt } from './parse.ts'
import { assertFacts } from './testing/facts.ts'

function check(rows: readonly (readonly [string, string])[]): void {
  for (const [prompt, facts] of rows) assertFacts(parsePrompt(prompt, { seed: '1' }), facts)
}

test('Chinese counts with measure words', () => {
  check([
    ['一只猫', '1 cat'],
    ['三只狗', '3 dog'],
    ['两个苹果', '2 apple'],
    ['十二只企鹅', '12 penguin'],
    ['5条鱼', '5 fish'],
    ['一群羊', '7 sheep'],
    ['一对天鹅', '2 swan'],
    ['许多蝴蝶', '8 butterfly'],
    ['几只小鸟', '3 bird'],
    ['孩子们', '3 child'],
    ['五颜六色的热气球', '3 hot-air balloon'],
    ['三只小猪和一只大灰狼', '3 pig; 1 wolf; wolf size large'],
  ])
})

test('Chinese colours, sizes and materials', () => {
  check([
    ['红色的汽车', 'car is red'],
    ['一只蓝色的狐狸', 'fox is blue'],
    ['橘猫', 'cat is natural'],
    ['一匹白马', 'horse is white'],
    ['深蓝色的沙发', 'sofa is dark blue'],
    ['一座巨大的城堡', 'castle size huge'],
    ['玻璃杯', 'glass'],
    ['一只毛茸茸的兔子', 'rabbit looks furry'],
    ['生锈的机器人', 'robot looks rusty'],
    ['大树', 'tree size large'],
  ])
})

test('Chinese poses with and without 在', () => {
  check([
    ['一只狗在奔跑', 'dog running'],
    ['奔跑的马', 'horse running'],
    ['猫睡在沙发上', 'cat sleeping; cat on sofa'],
    ['女孩在跳舞', 'girl dancing'],
    ['正在吃草的牛', 'cow eating'],
    ['老人在钓鱼', 'old man fishing'],
    ['一只鸟在天空中飞翔', 'bird flying'],
  ])
})

test('在, localizers and existential sentences', () => {
  check([
    ['猫在桌子下面', 'cat under table'],
    ['桌子上有一个苹果', 'apple; @table'],
    ['房子后面有一棵树', 'tree behind house'],
    ['房子旁边停着一辆红色的车', 'car is red; car beside house'],
    ['猫坐在椅子上', 'cat sitting; cat on chair'],
    ['猫在沙发下面，狗在沙发上面', 'cat under sofa; dog on sofa; 1 sofa'],
    ['猫和狗之间有一个球', 'ball between cat and dog'],
    ['树上站着一只鸟', 'bird on tree; bird standing'],
    ['两个孩子在公园里踢足球，旁边有一只棕色的小狗', '@park; 2 child; dog is brown; dog beside child'],
    ['消防员在着火的房子前面', 'firefighter in-front-of house; house looks burning'],
    ['老爷爷坐在摇椅上，膝盖上趴着一只猫', 'old man on armchair; cat on old man; cat lying'],
    ['一条龙盘旋在城堡上方', 'castle; chinese dragon above castle'],
  ])
})

test('Chinese clauses before the noun', () => {
  check([
    ['坐在沙发上的猫', 'cat on sofa; cat sitting'],
    ['在草地上奔跑的三只狗', '3 dog; dog running; @meadow'],
    ['戴着墨镜的长颈鹿', 'giraffe wears sunglasses'],
    ['一只戴着红帽子的猫', 'cat; cat wears hat'],
    ['骑着自行车的女孩穿过向日葵花田', 'girl riding bicycle; @field; place sunflowers'],
    ['骑马的骑士', 'knight riding horse'],
    ['桌子上的两个红苹果', '2 apple; @table'],
    ['湖边的小木屋', '@lake; cabin'],
    ['围绕着海龟的鱼', 'fish around turtle'],
    ['被树木环绕的城堡', 'tree around castle'],
    ['城堡被树木包围', 'tree around castle'],
    ['海底有一座城堡，美人鱼围绕着它游泳', 'mermaid around castle; mermaid swimming; @underwater'],
  ])
})

test('Chinese words for people', () => {
  check([
    ['一个穿着红色裙子的小女孩', 'girl age child; girl clothes dress #d32f2f'],
    ['戴眼镜的男孩', 'boy wears glasses'],
    ['一位白发老奶奶', 'old woman age elder; old woman gender woman; old woman hair #eeeeec'],
    ['长发女孩', 'girl hair long'],
    ['一个有红色头发的女孩', 'girl hair #b5482a'],
    ['一位穿白色婚纱的新娘手捧玫瑰花', 'bride clothes dress #f7f7f5; bride holding rose'],
    ['一个穿黑色风衣的男人撑着红伞', 'man clothes coat #1c1c1e; man holding umbrella; umbrella is red'],
    ['厨师在厨房里做饭', 'chef role chef; chef cooking; @kitchen'],
    ['大胡子的男人', 'man'],
    ['两名宇航员', '2 astronaut; astronaut role astronaut'],
  ])
})

test('Chinese words for places in the frame', () => {
  check([
    ['左边是一只兔子，右边是一只乌龟', 'rabbit at left; turtle at right'],
    ['远处有一座城堡', 'castle at far'],
    ['右上角有一个热气球', 'hot-air balloon at top; hot-air balloon at right'],
    ['前景是一朵花', 'flower at near'],
    ['猫在左边，狗在右边', 'cat at left; dog at right'],
  ])
})

test('Chinese words for setting, time, season and weather', () => {
  check([
    ['森林', '@forest'],
    ['秋天的森林', '@forest; autumn'],
    ['海边的日落', '@beach; sunset'],
    ['雪夜里的小村庄，天空中有极光', '@village; night; winter; aurora'],
    ['一只猫坐在竹林里', '@forest; place bamboo'],
    ['下着雨的街道', '@street; rain'],
    ['雷雨中的大海', '@sea; storm; lightning'],
    ['清晨的湖面，薄雾', '@lake; dawn; fog'],
    ['蓝天白云下的草原', '@meadow; cloudy'],
    ['月球上的宇航员', '@moon; astronaut'],
    ['满天繁星的夜空', 'night'],
    ['一头鲸鱼', '@underwater'],
    ['蛋糕', '@table'],
    ['教室里的学生', '@classroom; student'],
    ['一杯咖啡放在窗边的木桌上', '@window-table; place wooden'],
    ['粉色背景上的一只独角兽', '@backdrop; place is pink; unicorn is natural'],
    ['金色的麦田', '@field; place is gold; place wheat'],
    ['春天，桃花盛开', 'spring; cherry tree'],
  ])
})

test('Chinese words for style, mood and camera', () => {
  check([
    ['一只猫，水彩', 'style watercolor'],
    ['油画风格的城堡', 'style oil'],
    ['水墨画，竹子', 'style ink'],
    ['像素风的机器人', 'style pixel'],
    ['赛博朋克风格的城市夜景', 'style synthwave; @city; night'],
    ['吉卜力风格的村庄', 'style anime'],
    ['梵高风格的星空', 'style impressionist; night'],
    ['浮世绘风格的海浪', 'style ukiyo-e'],
    ['剪纸风格的老虎', 'style paper-cut; tiger'],
    ['黑白照片，火车', 'style noir'],
    ['一只蜜蜂的特写', 'framing close-up; bee'],
    ['城市鸟瞰图', 'angle aerial; @city'],
    ['梦幻的森林', 'mood dreamy'],
    ['写实的苹果', 'style photo; undrawn 写实'],
  ])
})

test('Chinese lettering, negation and unknown words', () => {
  check([
    ['一块牌子，上面写着“你好”', 'text 你好 on sign'],
    ['牌子上写着“营业中”', 'text 营业中 on sign'],
    ['沙漠，没有人，没有云', '@desert; clear; !person; !cloudy'],
    ['海滩上没有人', '@beach; !person'],
    ['没有星星的夜空下的灯塔', 'lighthouse; night'],
    ['一只蠵龜仔', 'undrawn 蠵龜仔'],
  ])
})

test('prompts that mix Chinese and English', () => {
  check([
    ['一只 red fox 在 forest 里', 'fox; @forest'],
    ['a cute 猫 sitting on a 沙发', 'cat sitting; cat on sofa'],
    ['一个戴眼镜的男孩和一只golden retriever在公园里放风筝', 'boy wears glasses; golden retriever; boy holding kite; @park'],
    ['castle, 水彩, sunset', 'castle; style watercolor; sunset'],
  ])
})
