/** Furniture, household things, food, flowers, creatures and the sky. */
export const objectRows = `
drawn:sofa | sofa | furniture | 0.85 | 2.3 | ground | couch, settee, loveseat | 沙发 长沙发 |
drawn:armchair | armchair | furniture | 1 | 0.9 | ground | recliner, easy chair | 扶手椅 单人沙发 摇椅 |
drawn:chair | chair | furniture | 0.95 | 0.5 | ground | wooden chair, seat | 椅子 木椅 座椅 | > chair
drawn:stool | stool | furniture | 0.5 | 0.8 | ground | bar stool, footstool | 凳子 小凳子 板凳 |
drawn:throne | throne | furniture | 1.9 | 0.6 | ground | royal throne | 王座 宝座 |
drawn:table | table | furniture | 0.76 | 1.9 | ground | wooden table | 桌子 木桌 |
drawn:desk | desk | furniture | 0.76 | 1.8 | ground | writing desk, workbench | 书桌 办公桌 写字台 |
drawn:bed | bed | furniture | 1 | 2 | ground | cot, bunk | 床 大床 小床 床铺 | > bed
drawn:bookshelf | bookshelf | furniture | 2 | 0.6 | ground | bookcase, shelf, book shelf | 书架 书柜 架子 |
drawn:wardrobe | wardrobe | furniture | 2 | 0.6 | ground | closet, cupboard, cabinet | 衣柜 柜子 橱柜 抽屉柜 床头柜 梳妆台 鞋架 |
drawn:fireplace | fireplace | furniture | 1.3 | 1.2 | ground | hearth, mantelpiece | 壁炉 |
drawn:rug | rug | furniture | 0.4 | 6 | ground | carpet, blanket, picnic blanket, mat, doormat | 地毯 毯子 垫子 野餐垫 被子 |
drawn:lamp | lamp | furniture | 0.5 | 0.6 | surface | desk lamp, table lamp, lampshade | 台灯 灯 落地灯 |
drawn:chandelier | chandelier | furniture | 1 | 1.1 | air | | 吊灯 枝形吊灯 |
drawn:pillow | pillow | furniture | 0.3 | 1.5 | surface | cushion, bolster | 枕头 抱枕 靠垫 坐垫 |
drawn:refrigerator | refrigerator | furniture | 1.8 | 0.45 | ground | fridge, freezer, vending machine | 冰箱 电冰箱 自动售货机 |
drawn:stove | stove | furniture | 0.9 | 0.8 | ground | oven, cooker, kitchen stove | 炉子 烤箱 炉灶 灶台 |
drawn:microwave | microwave | object | 0.3 | 1.6 | surface | microwave oven | 微波炉 |
drawn:toaster | toaster | object | 0.2 | 1.4 | surface | | 烤面包机 |
drawn:washing-machine | washing machine | furniture | 0.85 | 0.75 | ground | washer, dryer | 洗衣机 |
drawn:sink | sink | furniture | 0.9 | 0.9 | ground | washbasin, basin, faucet, tap | 水槽 洗手池 洗脸盆 水龙头 |
drawn:hair-dryer | hair dryer | object | 0.22 | 1 | surface | hair drier, hairdryer, blow dryer | 吹风机 |
drawn:remote-control | remote control | object | 0.18 | 0.35 | surface | tv remote, remote | 遥控器 |
drawn:fire-hydrant | fire hydrant | structure | 0.8 | 0.6 | ground | hydrant | 消防栓 |
drawn:parking-meter | parking meter | structure | 1.4 | 0.25 | ground | | 停车计时器 |
drawn:traffic-cone | traffic cone | structure | 0.7 | 0.75 | ground | safety cone | 路锥 交通锥 |
drawn:birdcage | birdcage | object | 0.5 | 0.7 | air | cage, bird cage | 鸟笼 笼子 |
drawn:barbell | barbell | sport | 0.45 | 3.5 | ground | dumbbell, weights | 杠铃 哑铃 |
drawn:snowboard | snowboard | sport | 1.5 | 0.22 | ground | | 单板 滑雪单板 |
drawn:window | window | structure | 1.5 | 0.9 | wall | window frame | 窗户 窗 窗子 | > window
drawn:door | door | structure | 2.1 | 0.5 | wall | wooden door, doorway | 门 木门 房门 | > door
drawn:curtain | curtain | furniture | 2.2 | 0.8 | wall | drapes | 窗帘 帘子 |
drawn:painting | painting | object | 0.6 | 1.3 | wall | picture frame, framed painting, portrait frame | 画框 一幅画 挂画 相框 | > framed-picture
drawn:blackboard | blackboard | object | 1.2 | 1.8 | wall | chalkboard, whiteboard, white board | 黑板 白板 |
drawn:canvas | blank canvas | object | 0.6 | 1.3 | wall | empty canvas, blank painting | 空白画布 画布 |
drawn:easel-canvas | blank easel | object | 1.6 | 0.6 | ground | empty easel | 空画架 |
drawn:easel | easel | object | 1.6 | 0.6 | ground | painter's easel | 画架 |
drawn:vase | vase | object | 0.35 | 0.6 | surface | flower vase, porcelain vase | 花瓶 瓷瓶 花盆 瓷器 青花瓷 水缸 | > amphora
drawn:flower-vase | vase of flowers | object | 0.6 | 0.75 | surface | flowers in a vase, flower arrangement | 插花 瓶花 |
drawn:fruit-bowl | fruit bowl | object | 0.28 | 1.4 | surface | bowl of fruit, fruit basket | 果盘 水果盘 水果篮 |
drawn:book | book | object | 0.24 | 0.75 | surface | closed book, novel, textbook, storybook, tome | 书 书本 小说 图书 课本 |
drawn:book-stack | stack of books | object | 0.25 | 1.2 | surface | pile of books, book stack | 一摞书 书堆 一叠书 | < books
drawn:candle | candle | object | 0.2 | 0.35 | surface | candlestick, wax candle | 蜡烛 烛台 烛光 | < candle
drawn:bottle | bottle | object | 0.3 | 0.3 | surface | glass bottle, flask | 瓶子 玻璃瓶 矿泉水 |
drawn:jar | jar | object | 0.18 | 0.7 | surface | glass jar, mason jar | 罐子 玻璃罐 | < jar
drawn:glass | glass | object | 0.14 | 0.6 | surface | glass of water, water glass, tumbler | 玻璃杯 水杯 一杯水 |
drawn:mug | mug | object | 0.1 | 1.2 | surface | cup, coffee mug | 杯子 马克杯 茶缸 |
drawn:plate | plate | object | 0.07 | 4 | surface | saucer, platter, dish | 盘子 碟子 |
drawn:bowl | bowl | object | 0.09 | 1.8 | surface | | 碗 饭碗 |
drawn:pot | cooking pot | object | 0.25 | 1.3 | surface | saucepan, wok | 锅 炒锅 汤锅 |
drawn:cauldron | cauldron | object | 0.7 | 1.1 | ground | witch's cauldron | 大锅 坩埚 |
drawn:treasure-chest | treasure chest | object | 0.6 | 1.4 | ground | chest, treasure | 宝箱 宝藏 百宝箱 | < treasure-chest
drawn:barrel | barrel | object | 0.9 | 0.75 | ground | wooden barrel, cask, keg | 木桶 桶 酒桶 |
drawn:open-crate | open crate | object | 0.35 | 1.7 | surface | fruit crate | 果箱 水果箱 |
drawn:sack | sack | object | 0.6 | 1.25 | ground | burlap sack, open sack, jute bag, potato sack | 麻袋 |
drawn:serving-tray | serving tray | object | 0.06 | 4.4 | surface | tray, silver tray, metal tray | 托盘 |
drawn:crate | crate | object | 0.5 | 1.2 | ground | wooden box, wooden crate | 木箱 箱子 |
drawn:picnic-basket | picnic basket | object | 0.35 | 1.3 | ground | hamper | 野餐篮 |
drawn:sword | sword | tool | 1.1 | 0.2 | ground | blade, katana, saber, excalibur, longsword | 剑 宝剑 长剑 武士刀 刀剑 |
drawn:spear | spear | tool | 2 | 0.1 | ground | lance, halberd, javelin, harpoon, scythe | 长矛 长枪 矛 镰刀 |
drawn:cannon | cannon | object | 1.2 | 1.7 | ground | artillery gun | 大炮 火炮 |
drawn:wand | staff | tool | 1.5 | 0.12 | ground | wizard staff, cane, walking stick | 法杖 手杖 |
drawn:flag | flag | object | 3 | 0.7 | ground | banner, pennant, flagpole | 旗帜 旗子 旗 旗杆 | > white-flag
drawn:globe | desk globe | object | 0.4 | 0.75 | surface | terrestrial globe | 地球仪 |
drawn:snow-globe | snow globe | object | 0.15 | 0.85 | surface | | 水晶球 雪花球 |
drawn:hourglass | sandglass | object | 0.25 | 0.6 | surface | egg timer | 沙漏 | < hourglass-not-done
drawn:crystal | crystal | object | 0.3 | 0.7 | ground | crystals, quartz, amethyst | 水晶 晶体 水晶簇 |
drawn:portal | portal | object | 3 | 0.75 | ground | magic portal, stargate, gateway | 传送门 光门 |
drawn:robot | robot | creature | 1.6 | 0.6 | ground | android, cyborg, humanoid robot, mech, droid, transformer robot | 机器人 机甲 机械人 变形金刚 | > robot
drawn:alien | alien | creature | 1.4 | 0.5 | ground | extraterrestrial, martian | 外星人 | > alien
drawn:monster | monster | creature | 2 | 0.9 | ground | beast, yeti, creature, minotaur, centaur, griffin | 怪物 怪兽 雪怪 |
drawn:skeleton | skeleton | creature | 1.7 | 0.4 | ground | human skeleton | 骷髅 骨架 骷髅人 |
drawn:pumpkin | pumpkin | vegetable | 0.35 | 1.25 | ground | squash, gourd | 南瓜 大南瓜 |
drawn:planet | planet | celestial | 12000000 | 1 | space | exoplanet, alien planet, mars, jupiter, venus | 行星 星球 火星 木星 金星 |
drawn:ringed-planet | ringed planet | celestial | 120000000 | 2 | space | saturn | 土星 带环行星 | > ringed-planet
drawn:earth | Earth | celestial | 12700000 | 1 | space | planet earth, blue planet, globe | 地球 蓝色星球 | > globe-showing-europe-africa
drawn:moon | moon | celestial | 3400000 | 1 | space | full moon, lunar surface | 月亮 月球 满月 圆月 明月 | > full-moon
drawn:asteroid | asteroid | celestial | 500 | 1.2 | space | meteorite, meteoroid | 小行星 陨石 |
drawn:black-hole | black hole | celestial | 30000000 | 2 | space | | 黑洞 |
drawn:galaxy | galaxy | celestial | 30000000 | 1.8 | space | nebula, spiral galaxy, milky way | 银河 星系 星云 银河系 |
drawn:grass | grass | plant | 0.4 | 3 | ground | tall grass, tuft of grass, lawn, weed, moss | 草 青草 草丛 小草 野草 |
drawn:wheat | wheat | plant | 1 | 0.9 | ground | wheat field, barley, rye, crop | 小麦 麦子 麦穗 麦田 稻子 稻田 | > sheaf-of-rice
drawn:reeds | reeds | plant | 2 | 1 | ground | reed, cattail, bulrush | 芦苇 香蒲 |
drawn:fern | fern | plant | 0.7 | 1.5 | ground | bracken | 蕨类 蕨 |
drawn:ivy | ivy | plant | 2 | 0.8 | wall | vine, creeper, climbing plant | 常春藤 藤蔓 爬山虎 |
drawn:broad-leaf | broad leaf | plant | 0.12 | 2.4 | ground | big leaf, giant leaf, large leaf, banana leaf | 阔叶 大叶子 |
drawn:lily-pad | lily pad | plant | 0.05 | 8 | water-surface | lotus leaf, water lily | 荷叶 睡莲 莲叶 |
drawn:lotus | lotus flower | flower | 0.5 | 1 | water-surface | lotus, lotus blossom | 荷花 莲花 | < lotus
drawn:seahorse | seahorse | fish | 0.15 | 0.5 | underwater | sea horse | 海马 |
drawn:starfish | starfish | fish | 0.15 | 1 | underwater | sea star | 海星 |
drawn:seaweed | seaweed | plant | 1.5 | 0.7 | underwater | kelp, algae, sea grass | 海藻 水草 海带 |
drawn:coral-reef | coral reef | plant | 1.2 | 2 | underwater | reef, corals | 珊瑚礁 |
drawn:flowers | flowers | flower | 0.4 | 2.2 | ground | wildflowers, flower bed, flower field, blossoms, flower garden | 花丛 花海 野花 鲜花 花圃 花朵 |
drawn:daisy | daisy | flower | 0.35 | 0.5 | ground | chamomile, marguerite | 雏菊 菊花 小雏菊 |
drawn:poppy | poppy | flower | 0.5 | 0.5 | ground | red poppy, anemone flower, peony | 罂粟 虞美人 牡丹 牡丹花 |
drawn:lavender | lavender | flower | 0.6 | 1 | ground | lavender field, lavender bush | 薰衣草 薰衣草田 |
drawn:lily | lily | flower | 0.7 | 0.6 | ground | iris, orchid, daffodil, narcissus | 百合 百合花 兰花 水仙 水仙花 鸢尾 |
drawn:dandelion | dandelion | flower | 0.3 | 0.5 | ground | | 蒲公英 |
drawn:rose-bush | rose bush | flower | 1 | 1.1 | ground | roses, rose garden, hydrangea | 玫瑰丛 玫瑰花丛 绣球花 月季 |
drawn:mushrooms | toadstool | plant | 0.2 | 1 | ground | toadstools, fly agaric | 毒蘑菇 | < mushroom
drawn:leaves | leaves | plant | 0.1 | 3 | ground | autumn leaves, fallen leaves, foliage | 落叶 树叶 叶子 |
drawn:piano | piano | instrument | 1 | 1.5 | ground | grand piano, upright piano | 钢琴 三角钢琴 |
drawn:cello | cello | instrument | 1.25 | 0.4 | ground | violoncello, double bass, contrabass | 大提琴 低音提琴 |
drawn:harp | harp | instrument | 1.7 | 0.6 | ground | lyre | 竖琴 | < harp
drawn:drum-kit | drum kit | instrument | 1.3 | 1.4 | ground | drum set, drums | 架子鼓 |
drawn:gramophone | gramophone | instrument | 0.7 | 0.9 | surface | phonograph, record player, turntable | 留声机 唱片机 |
drawn:chess-board | chessboard | toy | 0.08 | 5 | surface | chess board, chess set, chess, checkers, checkerboard, draughts | 棋盘 国际象棋 象棋 围棋 |
drawn:rubber-duck | rubber duck | toy | 0.1 | 1 | water-surface | rubber ducky, toy duck | 橡皮鸭 小黄鸭 玩具鸭 |
drawn:toy-blocks | toy blocks | toy | 0.2 | 1.2 | ground | building blocks, toys, lego | 积木 玩具 |
drawn:toy-train | toy train | toy | 0.12 | 3 | ground | | 玩具火车 小火车 |
drawn:beach-ball | beach ball | toy | 0.4 | 1 | ground | | 沙滩球 |
drawn:machine | machine | object | 2 | 1.1 | ground | engine, contraption, generator, gears, machinery, steampunk machine | 机器 机械 齿轮 引擎 发动机 |
drawn:server-rack | server rack | object | 2 | 0.5 | ground | server, supercomputer, mainframe | 服务器 机柜 |
drawn:wave | wave | terrain | 5 | 2.2 | water-surface | ocean wave, great wave, tsunami, breaker | 海浪 波浪 巨浪 大浪 浪花 | > water-wave
drawn:flame | flame | object | 0.6 | 0.7 | ground | blaze | 火焰 烈火 | < fire
drawn:bubbles | bubbles | object | 0.3 | 1.2 | air | soap bubbles, bubble | 泡泡 肥皂泡 气泡 | < bubbles
drawn:fireworks | fireworks | weather | 60 | 1.2 | sky | firework | 烟花 烟火 焰火 |
drawn:snowflakes | snowflakes | weather | 0.1 | 1 | air | | 雪花片 |
drawn:string-lights | string lights | object | 0.5 | 6 | air | fairy lights, garland, christmas lights, bunting | 彩灯 串灯 小彩灯 彩旗 |
drawn:paper-lantern | sky lantern | object | 0.8 | 0.8 | air | floating lantern, paper lantern, chinese lantern | 孔明灯 天灯 灯笼 红灯笼 | < red-paper-lantern
drawn:heart | heart | symbol | 0.5 | 1.1 | air | love heart, red heart | 爱心 红心 心形 | < red-heart
drawn:star | star | celestial | 0.5 | 1 | sky | | 星星 星 五角星 | < star
drawn:cloud | cloud | weather | 200 | 2 | sky | clouds | 云 云朵 白云 乌云 云彩 | > cloud
drawn:rainbow | rainbow | weather | 300 | 2 | sky | | 彩虹 | > rainbow
drawn:tornado | tornado | weather | 200 | 0.6 | ground | twister, cyclone, hurricane | 龙卷风 飓风 台风 | > tornado
`
