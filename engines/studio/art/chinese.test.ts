import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openArt } from './catalogue.ts'

const art = openArt()

/** Common nouns for pictures, each with the English word for the same picture. */
const nouns = `
狗 dog, 小狗 dog, 猫 cat, 小猫 cat, 马 horse, 牛 cow, 奶牛 cow, 猪 pig, 小猪 pig, 羊 sheep, 绵羊 sheep, 山羊 goat, 鸡 chicken, 公鸡 rooster, 母鸡 chicken, 小鸡 chick, 鸭子 duck, 鹅 goose, 兔子 rabbit, 老鼠 mouse
松鼠 squirrel, 刺猬 hedgehog, 狐狸 fox, 狼 wolf, 熊 bear, 北极熊 polar bear, 熊猫 panda, 大熊猫 panda, 考拉 koala, 狮子 lion, 老虎 tiger, 豹子 leopard, 大象 elephant, 长颈鹿 giraffe, 斑马 zebra, 鹿 deer
骆驼 camel, 羊驼 llama, 袋鼠 kangaroo, 猴子 monkey, 大猩猩 gorilla, 河马 hippo, 犀牛 rhino, 蝙蝠 bat, 浣熊 raccoon, 独角兽 unicorn, 龙 chinese dragon, 恐龙 dinosaur, 霸王龙 tyrannosaurus, 凤凰 phoenix
鸟 bird, 小鸟 bird, 麻雀 sparrow, 老鹰 eagle, 猫头鹰 owl, 鹦鹉 parrot, 孔雀 peacock, 火烈鸟 flamingo, 天鹅 swan, 企鹅 penguin, 鸽子 dove, 海鸥 seagull, 乌鸦 crow, 燕子 swallow, 仙鹤 crane bird
鱼 fish, 金鱼 goldfish, 鲨鱼 shark, 鲸鱼 whale, 海豚 dolphin, 章鱼 octopus, 螃蟹 crab, 龙虾 lobster, 虾 shrimp, 水母 jellyfish, 乌龟 turtle, 海龟 turtle, 青蛙 frog, 蛇 snake, 蜥蜴 lizard, 鳄鱼 crocodile
贝壳 seashell, 海星 starfish, 珊瑚 coral, 蝴蝶 butterfly, 蜜蜂 bee, 蚂蚁 ant, 蜘蛛 spider, 瓢虫 ladybug, 蜗牛 snail, 蜻蜓 dragonfly, 萤火虫 firefly, 毛毛虫 caterpillar
苹果 apple, 香蕉 banana, 橙子 orange, 橘子 orange, 柠檬 lemon, 葡萄 grapes, 草莓 strawberry, 樱桃 cherry, 桃子 peach, 梨 pear, 菠萝 pineapple, 西瓜 watermelon, 芒果 mango, 椰子 coconut, 猕猴桃 kiwi
西红柿 tomato, 番茄 tomato, 胡萝卜 carrot, 玉米 corn, 西兰花 broccoli, 洋葱 onion, 土豆 potato, 茄子 eggplant, 黄瓜 cucumber, 辣椒 chili, 白菜 cabbage, 大蒜 garlic, 南瓜 pumpkin, 蘑菇 mushroom, 花生 peanut
面包 bread, 奶酪 cheese, 鸡蛋 egg, 披萨 pizza, 汉堡 hamburger, 三明治 sandwich, 热狗 hot dog, 薯条 french fries, 面条 noodles, 拉面 noodles, 寿司 sushi, 米饭 rice, 饺子 dumpling, 包子 dumpling, 火锅 hotpot
沙拉 salad, 牛排 steak, 鸡腿 drumstick, 蛋糕 cake, 生日蛋糕 birthday cake, 饼干 cookie, 甜甜圈 donut, 冰淇淋 ice cream cone, 巧克力 chocolate, 糖果 candy, 棒棒糖 lollipop, 月饼 mooncake, 蜂蜜 honey
咖啡 coffee, 茶 tea, 绿茶 tea, 奶茶 bubble tea, 牛奶 milk, 果汁 juice, 啤酒 beer, 红酒 wine, 香槟 champagne, 可乐 soda, 茶壶 teapot
汽车 car, 小汽车 car, 跑车 sports car, 公交车 bus, 卡车 truck, 出租车 taxi, 救护车 ambulance, 消防车 fire truck, 警车 police car, 拖拉机 tractor, 摩托车 motorcycle, 自行车 bicycle, 火车 train, 高铁 high speed train
飞机 airplane, 直升机 helicopter, 火箭 rocket, 飞碟 ufo, 热气球 hot air balloon, 轮船 ship, 帆船 sailboat, 小船 rowboat, 潜水艇 submarine, 快艇 speedboat, 海盗船 pirate ship, 宇宙飞船 spaceship, 卫星 satellite, 降落伞 parachute, 马车 carriage
房子 house, 小屋 cottage, 木屋 cabin, 城堡 castle, 教堂 church, 清真寺 mosque, 灯塔 lighthouse, 风车 windmill, 谷仓 barn, 摩天大楼 skyscraper, 高楼 skyscraper, 桥 bridge, 石桥 bridge, 帐篷 tent, 医院 hospital
学校 school, 工厂 factory, 体育场 stadium, 塔 tower, 宝塔 pagoda, 寺庙 temple, 亭子 pavilion, 长城 great wall, 金字塔 pyramid, 喷泉 fountain, 摩天轮 ferris wheel, 旋转木马 carousel, 过山车 roller coaster, 商店 shop, 银行 bank, 博物馆 museum, 冰屋 igloo
男人 man, 女人 woman, 男孩 boy, 女孩 girl, 小女孩 girl, 小男孩 boy, 孩子 child, 婴儿 baby, 老人 old man, 老奶奶 grandmother, 爷爷 grandfather, 少女 young woman, 医生 doctor, 护士 nurse, 老师 teacher, 学生 student
农民 farmer, 厨师 chef, 消防员 firefighter, 警察 policeman, 宇航员 astronaut, 士兵 soldier, 国王 king, 女王 queen, 王子 prince, 公主 princess, 骑士 knight, 海盗 pirate, 巫师 wizard, 女巫 witch, 忍者 ninja
渔夫 fisherman, 画家 painter, 科学家 scientist, 歌手 singer, 舞者 dancer, 芭蕾舞者 ballerina, 小丑 clown, 新娘 bride, 圣诞老人 santa claus, 天使 angel, 机器人 robot, 外星人 alien, 鬼 ghost, 幽灵 ghost, 美人鱼 mermaid, 超级英雄 superhero
树 tree, 大树 tree, 松树 pine tree, 棕榈树 palm tree, 椰子树 palm tree, 樱花树 cherry tree, 柳树 willow, 枫树 maple, 竹子 bamboo, 仙人掌 cactus, 花 flower, 玫瑰 rose, 郁金香 tulip, 向日葵 sunflower, 荷花 lotus
菊花 chrysanthemum, 牡丹 peony, 薰衣草 lavender, 蒲公英 dandelion, 草 grass, 叶子 leaf, 枫叶 maple leaf, 落叶 leaves, 芦苇 reeds, 盆栽 potted plant, 花束 bouquet, 四叶草 four leaf clover
山 mountain, 雪山 mountain, 火山 volcano, 瀑布 waterfall, 岛 island, 小岛 island, 石头 rock, 太阳 sun, 月亮 moon, 星星 star, 云 cloud, 白云 cloud, 彩虹 rainbow, 闪电 lightning, 雪花 snowflake, 雪人 snowman, 火 fire
篝火 campfire, 地球 earth, 行星 planet, 土星 saturn, 彗星 comet, 流星 shooting star, 龙卷风 tornado, 海浪 ocean wave, 冰山 iceberg, 银河 galaxy
椅子 chair, 桌子 table, 床 bed, 沙发 sofa, 台灯 lamp, 路灯 street lamp, 灯笼 lantern, 书 book, 书架 bookshelf, 闹钟 alarm clock, 时钟 clock, 蜡烛 candle, 雨伞 umbrella, 钥匙 key, 相机 camera, 电脑 computer, 手机 phone, 电视 tv
冰箱 refrigerator, 洗衣机 washing machine, 镜子 mirror, 花瓶 vase, 杯子 cup, 盘子 plate, 碗 bowl, 筷子 chopsticks, 勺子 spoon, 刀 knife, 瓶子 bottle, 篮子 basket, 箱子 crate, 宝箱 treasure chest, 礼物 gift, 气球 balloon, 风筝 kite
玩具 toys, 泰迪熊 teddy bear, 足球 football, 篮球 basketball, 网球 tennis racket, 滑板 skateboard, 秋千 swing, 滑梯 slide, 吉他 guitar, 钢琴 piano, 小提琴 violin, 大提琴 cello, 鼓 drum, 小号 trumpet, 笛子 flute, 竖琴 harp
帽子 hat, 草帽 straw hat, 皇冠 crown, 眼镜 glasses, 围巾 scarf, 手套 gloves, 裙子 dress, 外套 coat, 鞋子 shoe, 靴子 boot, 背包 backpack, 剑 sword, 盾牌 shield, 弓箭 bow and arrow, 斧头 axe, 锤子 hammer, 梯子 ladder
窗户 window, 门 door, 墙 wall, 篱笆 fence, 长椅 bench, 牌子 sign, 红绿灯 traffic light, 邮箱 mailbox, 旗帜 flag, 烟花 fireworks, 圣诞树 christmas tree, 南瓜灯 jack o lantern, 稻草人 scarecrow, 地图 map, 望远镜 telescope
钻石 diamond, 戒指 ring, 金币 coin, 奖杯 trophy, 报纸 newspaper, 铅笔 pencil, 画笔 paintbrush, 剪刀 scissors, 水桶 bucket, 扫帚 broom, 肥皂 soap, 浴缸 bathtub, 马桶 toilet, 轮椅 wheelchair, 水晶 crystal, 爱心 heart
`
const cases = nouns
  .trim()
  .split(/[\n,]+/)
  .map((item): [string, string] => {
    const [chinese = '', ...english] = item.trim().split(' ')
    return [chinese, english.join(' ')]
  })

test('common Chinese nouns lead to the drawing of their English words', () => {
  assert.ok(cases.length >= 400, `${cases.length} nouns`)
  const wrong = cases.filter(([chinese, english]) => {
    const wanted = art.find(english, 'en')[0]?.entry
    const got = art.find(chinese, 'zh')[0]?.entry
    return !wanted || !got || (got.key !== wanted.key && !wanted.alternatives.includes(got.key))
  })
  const show = wrong.map(
    ([chinese, english]) =>
      `${chinese} -> ${art.find(chinese, 'zh')[0]?.entry.key}, ${english} -> ${art.find(english, 'en')[0]?.entry.key}`,
  )
  assert.ok(wrong.length / cases.length <= 0.02, show.join('; '))
})

test('Chinese words with a size, age or class around them lead to the thing', () => {
  const keyOf = (word: string) => art.find(word, 'zh')[0]?.entry.key
  assert.equal(keyOf('老橡树'), 'tree:oak')
  assert.equal(keyOf('小企鹅'), 'noto:penguin')
  assert.equal(keyOf('宇航员们'), 'rig:person')
  assert.equal(keyOf('柯基犬'), 'rig:corgi')
  assert.equal(keyOf('玫瑰花'), 'noto:rose')
})

test('Chinese words for no visible thing lead nowhere', () => {
  for (const word of ['美丽', '秋天', '森林', '玩耍', '清晨', '面', '心', '手', '象', '的', '一'])
    assert.deepEqual(art.find(word, 'zh'), [], word)
})

test('a Chinese match has the English name of the thing', () => {
  assert.equal(art.find('小狐狸', 'zh')[0]?.noun, 'fox')
  assert.equal(art.find('消防员', 'zh')[0]?.noun, 'firefighter')
  assert.equal(art.find('消防员', 'zh')[0]?.person?.role, 'firefighter')
})
