/** The table of things drawn by code, one line each:
 *  key | noun | category | height in metres | width / height | habitat | other English words | Chinese words | emoji
 *  `> name` in the last cell: this drawing comes before that Noto emoji (a head only, or a poor body).
 *  `< name`: the emoji has a good body and comes first; this one serves poses, other views and recolouring. */

/** Four-legged and upright animal rigs. Heights are to the top of the head, standing. */
export const animalRows = `
rig:fox | fox | animal | 0.6 | 1.5 | ground | red fox, vixen, fennec | 狐狸 小狐狸 狐 九尾狐 | > fox
rig:wolf | wolf | animal | 0.95 | 1.4 | ground | gray wolf, grey wolf, coyote, jackal, werewolf, hyena, dingo | 狼 野狼 灰狼 狼群 郊狼 | > wolf
rig:bear | bear | animal | 1.4 | 1.4 | ground | brown bear, grizzly, grizzly bear, bear cub | 熊 棕熊 狗熊 小熊 大熊 | > bear
rig:polar-bear | polar bear | animal | 1.5 | 1.4 | ground | ice bear, white bear | 北极熊 白熊 | > polar-bear
rig:panda | panda | animal | 1.1 | 1.1 | ground | giant panda, panda bear | 熊猫 大熊猫 猫熊 | > panda
rig:red-panda | red panda | animal | 0.45 | 1.5 | ground | lesser panda | 小熊猫 红熊猫 |
rig:lion | lion | animal | 1.3 | 1.4 | ground | king of beasts | 狮子 雄狮 狮 | > lion
rig:lioness | lioness | animal | 1.1 | 1.5 | ground | lion cub, puma, cougar, mountain lion, panther | 母狮 美洲狮 小狮子 |
rig:koala | koala | animal | 0.65 | 0.9 | ground | koala bear | 考拉 树袋熊 无尾熊 | > koala
rig:moose | moose | animal | 2.3 | 1.2 | ground | elk, caribou | 驼鹿 麋鹿 | > moose
rig:reindeer | reindeer | animal | 1.6 | 1.1 | ground | stag, hart, red deer | 驯鹿 雄鹿 |
rig:hamster | hamster | animal | 0.1 | 1.2 | ground | guinea pig, gerbil | 仓鼠 豚鼠 | > hamster
rig:frog | frog | animal | 0.09 | 1.2 | ground | toad, tree frog, bullfrog | 青蛙 蛙 蟾蜍 癞蛤蟆 | > frog
rig:unicorn | unicorn | creature | 2.2 | 1.2 | ground | unicorn horse | 独角兽 | > unicorn
rig:pegasus | pegasus | creature | 2.2 | 1.5 | ground | winged horse, flying horse | 飞马 天马 |
rig:boar | boar | animal | 1 | 1.5 | ground | wild boar, warthog, wild pig, tapir | 野猪 疣猪 | > boar
rig:donkey | donkey | animal | 1.5 | 1.2 | ground | mule, burro, ass | 驴 毛驴 驴子 骡子 | > donkey
rig:pony | pony | animal | 1.3 | 1.2 | ground | foal, colt, filly | 小马 马驹 |
rig:horse | horse | animal | 2.1 | 1.25 | ground | stallion, mare, steed, mustang | 马 骏马 马儿 战马 | < horse
rig:chicken | chicken | bird | 0.42 | 1 | ground | hen, pullet | 鸡 母鸡 小鸡仔 | > chicken
rig:crow | crow | bird | 0.4 | 1.4 | ground | raven, jackdaw, magpie | 乌鸦 渡鸦 喜鹊 |
rig:seagull | seagull | bird | 0.4 | 2.2 | air | gull, albatross, tern | 海鸥 海鸟 信天翁 |
rig:flying-bird | flying bird | bird | 0.25 | 2 | air | swallow, swift, bird in flight | 飞鸟 燕子 小燕子 |
rig:stork | stork | bird | 1.1 | 0.8 | ground | heron, crane bird, egret, ibis, pelican | 鹤 仙鹤 丹顶鹤 白鹭 鹭 苍鹭 鹳 鹈鹕 |
rig:ostrich | ostrich | bird | 2.4 | 0.7 | ground | emu | 鸵鸟 |
rig:western-dragon | dragon | creature | 4 | 1.5 | ground | western dragon, fire dragon, wyvern, flying dragon | 西方龙 火龙 巨龙 飞龙 恶龙 | > dragon
rig:sheep | sheep | animal | 0.95 | 1.2 | ground | ewe, lamb | 绵羊 羊 小羊 羔羊 小绵羊 羊群 | > ewe
rig:dog | dog | animal | 0.65 | 1.2 | ground | hound, mutt, husky, labrador, retriever, beagle, corgi, terrier, bulldog | 狗 小狗 狗狗 犬 猎犬 哈士奇 柯基 柴犬 | < dog
rig:cat | cat | animal | 0.36 | 1.2 | ground | house cat, tabby, kitty | 猫 小猫 猫咪 猫儿 橘猫 | < cat
rig:cow | cow | animal | 1.6 | 1.4 | ground | dairy cow, cattle, heifer | 奶牛 牛 母牛 乳牛 | < cow
rig:bull | bull | animal | 1.7 | 1.4 | ground | steer | 公牛 斗牛 | < ox
rig:pig | pig | animal | 0.85 | 1.4 | ground | hog, swine, sow | 猪 小猪 猪猪 大猪 | < pig
rig:goat | goat | animal | 0.95 | 1.2 | ground | billy goat, ibex | 山羊 | < goat
rig:tiger | tiger | animal | 1.1 | 1.6 | ground | bengal tiger, tigress | 老虎 虎 猛虎 | < tiger
rig:leopard | leopard | animal | 0.9 | 1.6 | ground | jaguar, cheetah, snow leopard, lynx | 豹子 豹 猎豹 雪豹 花豹 猞猁 美洲豹 | < leopard
rig:monkey | monkey | animal | 0.7 | 1 | ground | chimpanzee, chimp, baboon, ape | 猴子 猴 小猴子 黑猩猩 猿 | < monkey
rig:rabbit | rabbit | animal | 0.38 | 0.9 | ground | bunny, hare | 兔子 兔 小白兔 小兔子 野兔 | < rabbit
rig:elephant | elephant | animal | 3.2 | 1.25 | ground | african elephant | 大象 小象 | < elephant
rig:giraffe | giraffe | animal | 5 | 0.65 | ground | | 长颈鹿 | < giraffe
rig:deer | deer | animal | 1.4 | 1 | ground | doe, fawn, roe, buck | 鹿 小鹿 梅花鹿 | < deer
rig:zebra | zebra | animal | 1.9 | 1.25 | ground | | 斑马 | < zebra
rig:mouse | mouse | animal | 0.07 | 1.4 | ground | field mouse | 老鼠 小老鼠 耗子 鼠 | < mouse
rig:squirrel | squirrel | animal | 0.28 | 1 | ground | red squirrel, gray squirrel | 松鼠 小松鼠 | < chipmunk
rig:penguin | penguin | bird | 0.9 | 0.6 | ground | emperor penguin | 企鹅 | < penguin
rig:owl | owl | bird | 0.45 | 0.65 | ground | | 猫头鹰 | < owl
rig:duck | duck | bird | 0.4 | 1.1 | ground | mallard, drake, duckling | 鸭子 鸭 小鸭子 小鸭 野鸭 | < duck
`

/** Procedural trees and bushes. Seasons come from the scene; these are the kinds. */
export const treeRows = `
tree:oak | tree | tree | 12 | 1 | ground | oak, oak tree, deciduous tree, elm, beech, chestnut tree, linden, ash tree, walnut tree, leafy tree | 树 大树 橡树 树木 榕树 榆树 老树 绿树 小树 | > deciduous-tree
tree:maple | maple tree | tree | 11 | 1 | ground | maple, autumn tree, sycamore | 枫树 枫 红枫 秋树 |
tree:cherry | cherry tree | tree | 7 | 1.15 | ground | cherry blossom tree, sakura, sakura tree, blossoming tree, peach tree, plum tree, almond tree, cherry blossoms | 樱花树 樱树 樱花 桃树 桃花 梅花 梅树 桃花树 杏花 梨花 |
tree:apple | apple tree | tree | 6 | 1.1 | ground | fruit tree, pear tree | 苹果树 果树 梨树 |
tree:orange | orange tree | tree | 5 | 1 | ground | lemon tree, citrus tree, tangerine tree | 橘子树 橙树 柠檬树 橘树 |
tree:pine | pine tree | tree | 14 | 0.6 | ground | pine, scots pine, cedar | 松树 松 雪松 青松 | > evergreen-tree
tree:fir | fir tree | tree | 15 | 0.45 | ground | fir, spruce, conifer, evergreen, evergreen tree | 冷杉 杉树 云杉 针叶树 常青树 |
tree:cypress | cypress | tree | 12 | 0.2 | ground | cypress tree, poplar, poplar tree | 柏树 白杨 杨树 白杨树 |
tree:palm | palm tree | tree | 9 | 0.8 | ground | palm, coconut tree, coconut palm, date palm | 棕榈树 椰子树 椰树 棕榈 | > palm-tree
tree:willow | willow tree | tree | 9 | 1.2 | ground | willow, weeping willow | 柳树 垂柳 杨柳 柳 |
tree:birch | birch tree | tree | 12 | 0.55 | ground | birch, aspen, silver birch | 白桦树 桦树 白桦 |
tree:bare | bare tree | tree | 10 | 1 | ground | dead tree, leafless tree, withered tree, winter tree, barren tree | 枯树 秃树 光秃秃的树 | > leafless-tree
tree:ginkgo | ginkgo tree | tree | 12 | 0.8 | ground | ginkgo, gingko, golden tree, yellow tree | 银杏树 银杏 梧桐 梧桐树 |
tree:wisteria | wisteria | tree | 5 | 1.2 | ground | wisteria tree, jacaranda | 紫藤 紫藤树 蓝花楹 |
tree:acacia | acacia tree | tree | 8 | 1.6 | ground | acacia, umbrella tree, savanna tree | 金合欢树 合欢树 金合欢 |
tree:baobab | baobab tree | tree | 12 | 1 | ground | baobab | 猴面包树 |
tree:sequoia | redwood tree | tree | 60 | 0.25 | ground | redwood, sequoia, giant tree | 红杉 红杉树 巨树 参天大树 |
tree:bamboo | bamboo | plant | 9 | 0.7 | ground | bamboo stalk, bamboo grove, bamboo plant | 竹子 竹 竹林 翠竹 |
tree:bonsai | bonsai | plant | 0.5 | 1.2 | surface | bonsai tree, bonsai pine | 盆景 盆栽树 |
tree:bush | bush | plant | 1.2 | 1.4 | ground | shrub, hedge, shrubbery, boxwood | 灌木 灌木丛 树丛 树篱 绿篱 |
tree:olive | olive tree | tree | 6 | 1.1 | ground | | 橄榄树 |
tree:cactus | saguaro | plant | 4 | 0.6 | ground | saguaro cactus | 巨人柱 仙人柱 |
tree:stump | tree stump | plant | 0.6 | 1.3 | ground | stump | 树桩 |
tree:branch | branch | plant | 0.6 | 4 | ground | tree branch, bough, twig, flowering branch | 树枝 枝头 枝条 枝桠 |
tree:log | log | plant | 0.5 | 4 | ground | fallen tree, fallen log, tree trunk | 圆木 倒下的树 树干 原木 |
`

/** Buildings, landmarks, structures, terrain and vehicles. Heights of long things are those of their highest part. */
export const placeRows = `
drawn:windmill | windmill | building | 14 | 0.8 | ground | mill, dutch windmill | 风车 大风车 风车房 磨坊 |
drawn:wind-turbine | wind turbine | structure | 80 | 0.55 | ground | wind generator, turbine | 风力发电机 风电机 风力涡轮机 |
drawn:skyscraper | skyscraper | building | 180 | 0.3 | ground | high-rise, highrise, office tower, tower block | 摩天大楼 摩天楼 高楼 大厦 大楼 高楼大厦 |
drawn:barn | barn | building | 9 | 1.3 | ground | red barn, farmhouse, stable, silo | 谷仓 农舍 马厩 粮仓 |
drawn:cottage | cottage | building | 6 | 1.3 | ground | thatched cottage, country house, bungalow, thatched house | 小屋 乡村小屋 村舍 茅屋 茅草屋 |
drawn:cabin | cabin | building | 5 | 1.4 | ground | log cabin, wooden cabin, wooden house, chalet, lodge, wooden hut | 木屋 小木屋 木房子 |
drawn:lighthouse | lighthouse | building | 28 | 0.35 | ground | light house | 灯塔 |
drawn:tower | tower | building | 25 | 0.35 | ground | stone tower, watchtower, turret, castle tower, wizard tower | 塔 高塔 塔楼 石塔 |
drawn:clock-tower | clock tower | building | 60 | 0.25 | ground | big ben, bell tower | 钟楼 钟塔 大本钟 |
drawn:pagoda | pagoda | building | 40 | 0.5 | ground | buddhist pagoda, chinese tower | 宝塔 佛塔 |
drawn:chinese-pavilion | pavilion | building | 6 | 1.2 | ground | chinese pavilion, gazebo, kiosk | 亭子 凉亭 亭 亭台 |
drawn:temple | temple | building | 12 | 1.6 | ground | shrine, buddhist temple, chinese temple, palace hall, monastery | 寺庙 庙 寺 神庙 寺院 宫殿 故宫 四合院 天安门 |
drawn:greek-temple | greek temple | building | 12 | 1.7 | ground | parthenon, acropolis, roman temple | 希腊神庙 帕特农神庙 |
drawn:cathedral | cathedral | building | 60 | 0.8 | ground | gothic cathedral, basilica, abbey, minster | 大教堂 主教座堂 |
drawn:pyramid | pyramid | landmark | 130 | 1.6 | ground | egyptian pyramid | 金字塔 |
drawn:sphinx | sphinx | landmark | 20 | 2.2 | ground | | 狮身人面像 |
drawn:eiffel-tower | Eiffel tower | landmark | 320 | 0.45 | ground | eiffel | 埃菲尔铁塔 铁塔 艾菲尔铁塔 |
drawn:great-wall | Great Wall | landmark | 9 | 5 | ground | great wall of china | 长城 万里长城 |
drawn:igloo | igloo | building | 3 | 1.7 | ground | snow house | 冰屋 雪屋 |
drawn:treehouse | treehouse | building | 8 | 1 | ground | tree house | 树屋 |
drawn:greenhouse | greenhouse | building | 4 | 1.8 | ground | glasshouse, conservatory | 温室 玻璃花房 |
drawn:shed | shed | building | 3 | 1.2 | ground | shack, wooden shed | 棚子 棚屋 |
drawn:teepee | teepee | building | 4.5 | 0.9 | ground | tipi, wigwam, yurt | 蒙古包 毡房 圆锥帐篷 |
drawn:stilt-house | stilt house | building | 6 | 1.2 | ground | overwater bungalow | 吊脚楼 高脚屋 |
drawn:mushroom-house | mushroom house | building | 3 | 0.9 | ground | toadstool house, fairy house | 蘑菇屋 蘑菇房子 |
drawn:space-base | space base | building | 10 | 2 | ground | moon base, dome, research station, observatory | 月球基地 太空基地 天文台 圆顶 |
drawn:space-station | space station | aircraft | 50 | 2 | space | orbital station | 空间站 太空站 |
drawn:bridge | bridge | structure | 5 | 3.2 | ground | stone bridge, arch bridge, footbridge, wooden bridge, suspension bridge | 桥 石桥 拱桥 小桥 木桥 大桥 |
drawn:pier | pier | structure | 1.5 | 5 | water-surface | jetty, dock, wharf, boardwalk | 码头 栈桥 |
drawn:well | well | structure | 2.4 | 0.9 | ground | water well, wishing well | 井 水井 |
drawn:gate | gate | structure | 3 | 1.3 | ground | iron gate, archway, portal gate, arch | 大门 铁门 拱门 门楼 城门 牌坊 |
drawn:stairs | stairs | structure | 3 | 1.4 | ground | staircase, steps, stairway | 楼梯 台阶 阶梯 |
drawn:wall | wall | structure | 2.5 | 2.5 | ground | brick wall, stone wall | 墙 砖墙 石墙 围墙 墙壁 |
drawn:fence | fence | structure | 1.1 | 3.5 | ground | picket fence, wooden fence, railing | 篱笆 栅栏 围栏 木栅栏 |
drawn:tent | tent | structure | 1.8 | 1.5 | ground | camping tent | 帐篷 露营帐篷 | < tent
drawn:campfire | campfire | structure | 0.9 | 0.9 | ground | bonfire, camp fire | 篝火 营火 火堆 |
drawn:street-lamp | street lamp | structure | 4 | 0.3 | ground | streetlight, lamppost, lamp post, street light, streetlamp | 路灯 街灯 灯柱 |
drawn:bench | bench | furniture | 0.9 | 1.9 | ground | park bench, wooden bench | 长椅 长凳 公园长椅 |
drawn:phone-box | phone box | structure | 2.4 | 0.42 | ground | phone booth, telephone box, telephone booth | 电话亭 |
drawn:signpost | signpost | structure | 2.4 | 0.7 | ground | road sign, street sign, guidepost | 路标 路牌 指示牌 |
drawn:sign | sign | structure | 1.6 | 1 | ground | wooden sign, signboard, billboard, placard, notice board | 牌子 招牌 标志牌 木牌 告示牌 广告牌 |
drawn:market-stall | market stall | structure | 2.8 | 1.1 | ground | stall, food stall, lemonade stand, fruit stand, booth | 摊位 小摊 货摊 摊子 |
drawn:statue | statue | structure | 3 | 0.5 | ground | sculpture, monument, marble statue, gargoyle | 雕像 雕塑 石像 塑像 石狮子 纪念碑 |
drawn:stonehenge | stonehenge | landmark | 5 | 3 | ground | standing stones, megalith | 巨石阵 |
drawn:ruin | ruin | building | 7 | 1.5 | ground | ruins, ruined wall, broken column, column, pillar | 废墟 遗迹 遗址 柱子 石柱 |
drawn:mountain | mountain | terrain | 900 | 2 | ground | peak, mount, summit, alp | 山 高山 大山 山峰 山脉 雪山 群山 | > snow-capped-mountain
drawn:hill | hill | terrain | 40 | 3 | ground | mound, knoll | 小山 山丘 丘陵 山坡 |
drawn:volcano | volcano | terrain | 900 | 1.8 | ground | | 火山 | > volcano
drawn:island | island | terrain | 8 | 3 | water-surface | islet, isle, atoll, tropical island | 岛 岛屿 小岛 海岛 孤岛 |
drawn:floating-island | floating island | terrain | 30 | 1.2 | sky | sky island, flying island | 浮岛 空中岛屿 悬浮岛 浮空岛 |
drawn:iceberg | iceberg | terrain | 15 | 1.5 | water-surface | ice floe, glacier | 冰山 浮冰 冰川 |
drawn:waterfall | waterfall | terrain | 20 | 0.6 | ground | cascade, falls | 瀑布 |
drawn:cliff | cliff | terrain | 30 | 1 | ground | crag, bluff, precipice | 悬崖 峭壁 崖 |
drawn:rock | rock | terrain | 0.8 | 1.4 | ground | boulder, stone, pebble | 石头 岩石 巨石 石块 鹅卵石 | > rock
drawn:cave | cave | terrain | 6 | 1.5 | ground | cavern, cave entrance, grotto | 山洞 洞穴 |
drawn:pond | pond | terrain | 0.4 | 8 | ground | puddle, pool of water | 池塘 水塘 水坑 水洼 |
drawn:submarine | submarine | watercraft | 8 | 3 | underwater | sub, u-boat | 潜水艇 潜艇 |
drawn:pirate-ship | pirate ship | watercraft | 35 | 1.1 | water-surface | galleon, sailing ship, tall ship, frigate, caravel, viking ship, longship | 海盗船 帆船战舰 大帆船 古帆船 |
drawn:cruise-ship | cruise ship | watercraft | 55 | 3 | water-surface | liner, cargo ship, tanker, freighter, container ship | 邮轮 游轮 货轮 巨轮 | > passenger-ship
drawn:rowboat | rowboat | watercraft | 0.9 | 4 | water-surface | rowing boat, wooden boat, dinghy, skiff, fishing boat, small boat, dragon boat | 小船 木船 划艇 渔船 小舟 扁舟 舟 渔舟 龙舟 |
drawn:gondola | gondola | watercraft | 1.6 | 5 | water-surface | | 贡多拉 |
drawn:raft | raft | watercraft | 0.6 | 4 | water-surface | bamboo raft | 木筏 竹筏 筏子 |
drawn:paper-boat | paper boat | toy | 0.08 | 1.8 | water-surface | origami boat | 纸船 |
drawn:hot-air-balloon | hot-air balloon | aircraft | 20 | 0.75 | sky | hot air balloon, air balloon | 热气球 |
drawn:airship | airship | aircraft | 30 | 3 | sky | zeppelin, blimp, dirigible | 飞艇 飞船 |
drawn:spaceship | spaceship | aircraft | 12 | 2.2 | space | spacecraft, starship, space ship, space shuttle, starfighter | 宇宙飞船 太空船 太空飞船 星舰 航天飞机 |
drawn:biplane | biplane | aircraft | 3 | 2.4 | sky | old airplane, double-decker plane | 双翼飞机 老式飞机 |
drawn:paper-plane | paper plane | toy | 0.1 | 1.8 | air | paper airplane, origami plane | 纸飞机 |
drawn:drone | drone | aircraft | 0.3 | 2.5 | air | quadcopter | 无人机 |
drawn:flying-car | flying car | vehicle | 1.6 | 2.6 | air | hovercar, hover car | 飞行汽车 飞车 会飞的汽车 |
drawn:sports-car | sports car | vehicle | 1.2 | 3.4 | ground | supercar, convertible, roadster, coupe | 跑车 敞篷车 超级跑车 |
drawn:vintage-car | vintage car | vehicle | 1.7 | 2.4 | ground | classic car, old car, antique car, oldtimer | 老爷车 古董车 复古汽车 |
drawn:van | van | vehicle | 2.1 | 2.1 | ground | camper van, campervan, camper, motorhome | 面包车 房车 厢式车 | < minibus
drawn:steam-train | steam train | vehicle | 4.2 | 4 | ground | steam locomotive, steam engine | 蒸汽火车 蒸汽机车 老式火车 | < locomotive
drawn:carriage | carriage | vehicle | 2.4 | 1.4 | ground | coach, wagon, stagecoach, horse carriage | 马车 四轮马车 |
drawn:cart | cart | vehicle | 1.3 | 1.8 | ground | wheelbarrow, handcart, wooden cart | 手推车 推车 板车 独轮车 |
drawn:bullet-train | high-speed train | vehicle | 3.8 | 5 | ground | bullet train, modern train, commuter train, express train, passenger train, subway, metro, shinkansen | 高铁 动车 高速列车 地铁 新干线 地铁列车 | > high-speed-train
drawn:tank | tank | vehicle | 2.5 | 2.4 | ground | battle tank | 坦克 装甲车 |
drawn:excavator | excavator | vehicle | 3 | 1.8 | ground | digger, bulldozer, backhoe | 挖掘机 挖土机 推土机 |
drawn:crane | crane | structure | 40 | 0.8 | ground | tower crane, construction crane | 起重机 吊车 塔吊 | < building-construction
drawn:sleigh | sleigh | vehicle | 1.4 | 1.6 | ground | | 雪橇车 圣诞雪橇 |
drawn:scarecrow | scarecrow | structure | 1.8 | 0.8 | ground | | 稻草人 |
drawn:haystack | haystack | structure | 2 | 1.2 | ground | hay bale, hay, straw bale | 干草堆 草垛 稻草堆 |
drawn:sandcastle | sandcastle | structure | 0.4 | 1.3 | ground | sand castle | 沙堡 沙雕城堡 |
drawn:swing | swing | structure | 2.4 | 1 | ground | tire swing, swing set | 秋千 |
drawn:seesaw | seesaw | structure | 0.9 | 3 | ground | teeter-totter | 跷跷板 |
drawn:beehive | beehive | structure | 0.7 | 0.9 | ground | bee hive, hive | 蜂箱 蜂巢 |
drawn:birdhouse | birdhouse | structure | 0.35 | 0.8 | wall | bird house | 鸟屋 |
drawn:watering-can | watering can | object | 0.35 | 1.3 | ground | | 洒水壶 浇水壶 |
drawn:typewriter | typewriter | object | 0.2 | 1.5 | surface | | 打字机 |
drawn:hammock | hammock | furniture | 1.4 | 2.4 | ground | | 吊床 |
drawn:deck-chair | deck chair | furniture | 1 | 1.4 | ground | beach chair, lounge chair, sunbed, lounger | 沙滩椅 躺椅 |
drawn:surfboard | surfboard | sport | 2 | 0.26 | ground | surf board | 冲浪板 |
`

/** Furniture, household things, food, flowers, creatures and the sky. */
export const objectRows = `
drawn:sofa | sofa | furniture | 0.85 | 2.3 | ground | couch, settee, loveseat | 沙发 长沙发 |
drawn:armchair | armchair | furniture | 1 | 0.9 | ground | recliner, rocking chair, easy chair | 扶手椅 单人沙发 摇椅 |
drawn:chair | chair | furniture | 0.95 | 0.5 | ground | wooden chair, seat | 椅子 木椅 座椅 | > chair
drawn:stool | stool | furniture | 0.5 | 0.8 | ground | bar stool, footstool | 凳子 小凳子 板凳 |
drawn:throne | throne | furniture | 1.9 | 0.6 | ground | royal throne | 王座 宝座 |
drawn:table | table | furniture | 0.76 | 1.9 | ground | dining table, wooden table, coffee table | 桌子 餐桌 木桌 茶几 |
drawn:desk | desk | furniture | 0.76 | 1.8 | ground | writing desk, workbench | 书桌 办公桌 写字台 |
drawn:bed | bed | furniture | 1 | 2 | ground | cot, bunk | 床 大床 小床 床铺 | > bed
drawn:bookshelf | bookshelf | furniture | 2 | 0.6 | ground | bookcase, shelf, book shelf | 书架 书柜 架子 |
drawn:wardrobe | wardrobe | furniture | 2 | 0.6 | ground | closet, cupboard, cabinet, dresser, chest of drawers | 衣柜 柜子 橱柜 抽屉柜 床头柜 梳妆台 鞋架 |
drawn:fireplace | fireplace | furniture | 1.3 | 1.2 | ground | hearth, mantelpiece | 壁炉 |
drawn:rug | rug | furniture | 0.03 | 40 | ground | carpet, blanket, picnic blanket, towel, mat, doormat | 地毯 毯子 毛巾 垫子 野餐垫 被子 |
drawn:lamp | lamp | furniture | 0.5 | 0.6 | surface | desk lamp, table lamp, floor lamp, lampshade | 台灯 灯 落地灯 |
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
drawn:painting | painting | object | 0.6 | 1.3 | wall | picture frame, framed painting, poster, portrait frame | 画框 海报 一幅画 挂画 相框 | > framed-picture
drawn:blackboard | blackboard | object | 1.2 | 1.8 | wall | chalkboard, whiteboard | 黑板 白板 |
drawn:easel | easel | object | 1.6 | 0.6 | ground | painter's easel | 画架 |
drawn:vase | vase | object | 0.35 | 0.6 | surface | flower vase, porcelain vase, jug | 花瓶 瓷瓶 花盆 瓷器 青花瓷 水缸 | > amphora
drawn:flower-vase | vase of flowers | object | 0.6 | 0.75 | surface | flowers in a vase, flower arrangement | 插花 瓶花 |
drawn:fruit-bowl | fruit bowl | object | 0.28 | 1.4 | surface | bowl of fruit, fruit basket | 果盘 水果盘 水果篮 |
drawn:book | book | object | 0.24 | 0.75 | surface | closed book, novel, textbook, storybook, tome | 书 书本 小说 图书 课本 |
drawn:book-stack | stack of books | object | 0.25 | 1.2 | surface | pile of books, book stack | 一摞书 书堆 一叠书 | < books
drawn:candle | candle | object | 0.2 | 0.35 | surface | candlestick, wax candle | 蜡烛 烛台 烛光 | < candle
drawn:bottle | bottle | object | 0.3 | 0.3 | surface | glass bottle, flask, water bottle | 瓶子 玻璃瓶 矿泉水 |
drawn:jar | jar | object | 0.18 | 0.7 | surface | glass jar, mason jar | 罐子 玻璃罐 | < jar
drawn:glass | glass | object | 0.14 | 0.6 | surface | glass of water, water glass, tumbler | 玻璃杯 水杯 一杯水 |
drawn:mug | mug | object | 0.1 | 1.2 | surface | cup, coffee mug | 杯子 马克杯 茶缸 |
drawn:plate | plate | object | 0.04 | 6 | surface | saucer, platter, dish | 盘子 碟子 |
drawn:bowl | bowl | object | 0.09 | 1.8 | surface | | 碗 饭碗 |
drawn:pot | cooking pot | object | 0.25 | 1.3 | surface | saucepan, wok | 锅 炒锅 汤锅 |
drawn:cauldron | cauldron | object | 0.7 | 1.1 | ground | witch's cauldron | 大锅 坩埚 |
drawn:treasure-chest | treasure chest | object | 0.6 | 1.4 | ground | chest, treasure | 宝箱 宝藏 百宝箱 | < treasure-chest
drawn:barrel | barrel | object | 0.9 | 0.75 | ground | wooden barrel, cask, keg | 木桶 桶 酒桶 |
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
drawn:skeleton | skeleton | creature | 1.7 | 0.4 | ground | human skeleton | 骷髅 骨架 骷髅人 | > skull
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
drawn:chess-board | chessboard | toy | 0.08 | 5 | surface | chess board, chess set, chess | 棋盘 国际象棋 象棋 围棋 |
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
drawn:paper-lantern | sky lantern | object | 0.8 | 0.8 | air | floating lantern, paper lantern, chinese lantern, lantern | 孔明灯 天灯 灯笼 红灯笼 | < red-paper-lantern
drawn:heart | heart | symbol | 0.5 | 1.1 | air | love heart, red heart | 爱心 红心 心形 | < red-heart
drawn:star | star | celestial | 0.5 | 1 | sky | | 星星 星 五角星 | < star
drawn:cloud | cloud | weather | 200 | 2 | sky | clouds | 云 云朵 白云 乌云 云彩 | > cloud
drawn:rainbow | rainbow | weather | 300 | 2 | sky | | 彩虹 | > rainbow
drawn:tornado | tornado | weather | 200 | 0.6 | ground | twister, cyclone, hurricane | 龙卷风 飓风 台风 | > tornado
`
