/** Buildings, landmarks, structures, terrain and vehicles. The height of a long thing is that of
 *  its highest part. */
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
drawn:ruin | ruin | building | 7 | 1.5 | ground | ruins, ruined wall, broken column | 废墟 遗迹 遗址 |
drawn:mountain | mountain | terrain | 900 | 2 | ground | peak, mount, summit, alp | 山 高山 大山 山峰 山脉 雪山 群山 | > snow-capped-mountain
drawn:hill | hill | terrain | 40 | 3 | ground | mound, knoll | 小山 山丘 丘陵 山坡 |
drawn:volcano | volcano | terrain | 900 | 1.8 | ground | | 火山 | > volcano
drawn:island | island | terrain | 8 | 3 | water-surface | islet, isle, atoll, tropical island | 岛 岛屿 小岛 海岛 孤岛 |
drawn:floating-island | floating island | terrain | 30 | 1.2 | sky | sky island, flying island | 浮岛 空中岛屿 悬浮岛 浮空岛 |
drawn:iceberg | iceberg | terrain | 15 | 1.5 | water-surface | ice floe, glacier | 冰山 浮冰 冰川 |
drawn:waterfall | waterfall | terrain | 20 | 0.6 | ground | cascade, falls | 瀑布 |
drawn:cliff | cliff | terrain | 34 | 1.45 | ground | crag, bluff, precipice | 悬崖 峭壁 崖 |
drawn:rock | rock | terrain | 0.8 | 1.4 | ground | boulder, stone, pebble | 石头 岩石 巨石 石块 鹅卵石 | > rock
drawn:cave | cave | terrain | 6 | 1.5 | ground | cavern, cave entrance, grotto | 山洞 洞穴 |
drawn:pond | pond | terrain | 0.4 | 8 | ground | puddle, pool of water | 池塘 水塘 水坑 水洼 |
drawn:submarine | submarine | watercraft | 8 | 3 | underwater | sub, u-boat | 潜水艇 潜艇 |
drawn:pirate-ship | pirate ship | watercraft | 35 | 1.1 | water-surface | galleon, sailing ship, tall ship, frigate, caravel | 海盗船 帆船战舰 大帆船 古帆船 |
drawn:cruise-ship | cruise ship | watercraft | 55 | 3 | water-surface | liner, ocean liner | 邮轮 游轮 巨轮 | > passenger-ship
drawn:rowboat | rowboat | watercraft | 0.9 | 4 | water-surface | rowing boat, wooden boat, dinghy, skiff, fishing boat, small boat, dragon boat | 小船 木船 划艇 渔船 小舟 扁舟 舟 渔舟 龙舟 |
drawn:gondola | gondola | watercraft | 1.6 | 5 | water-surface | | 贡多拉 |
drawn:raft | raft | watercraft | 0.6 | 4 | water-surface | bamboo raft | 木筏 竹筏 筏子 |
drawn:paper-boat | paper boat | toy | 0.08 | 1.8 | water-surface | origami boat | 纸船 |
drawn:hot-air-balloon | hot-air balloon | aircraft | 20 | 0.75 | sky | hot air balloon, air balloon | 热气球 |
drawn:heart-balloon | heart balloon craft | aircraft | 20 | 0.95 | sky | heart-shaped hot air balloon, heart hot air balloon | 心形热气球 |
drawn:airship | airship | aircraft | 30 | 3 | sky | zeppelin, blimp, dirigible | 飞艇 飞船 |
drawn:spaceship | spaceship | aircraft | 12 | 2.2 | space | spacecraft, starship, space ship, starfighter | 宇宙飞船 太空船 太空飞船 星舰 |
drawn:biplane | biplane | aircraft | 3 | 2.4 | sky | old airplane, double-decker plane | 双翼飞机 老式飞机 |
drawn:paper-plane | paper plane | toy | 0.1 | 1.8 | air | paper airplane, origami plane | 纸飞机 |
drawn:drone | drone | aircraft | 0.3 | 2.5 | air | quadcopter | 无人机 |
drawn:flying-car | flying car | vehicle | 1.6 | 2.6 | air | hovercar, hover car | 飞行汽车 飞车 会飞的汽车 |
drawn:sports-car | sports car | vehicle | 1.2 | 3.4 | ground | supercar, coupe | 跑车 超级跑车 |
drawn:vintage-car | vintage car | vehicle | 1.7 | 2.4 | ground | classic car, old car, antique car, oldtimer, old-time car, old-timey car, vintage automobile, antique automobile, old-fashioned car | 老爷车 古董车 复古汽车 |
drawn:van | van | vehicle | 2.1 | 2.1 | ground | passenger van, cargo van | 面包车 厢式车 | < minibus
drawn:steam-train | steam train | vehicle | 4.2 | 4 | ground | steam locomotive, steam engine | 蒸汽火车 蒸汽机车 老式火车 | < locomotive
drawn:carriage | carriage | vehicle | 2.4 | 1.4 | ground | coach, wagon, stagecoach, horse carriage | 马车 四轮马车 |
drawn:cart | cart | vehicle | 1.3 | 1.8 | ground | wheelbarrow, handcart, wooden cart | 手推车 推车 板车 独轮车 |
drawn:bullet-train | high-speed train | vehicle | 3.8 | 5 | ground | bullet train, modern train, commuter train, express train, subway train, subway, metro, shinkansen | 高铁 动车 高速列车 地铁 新干线 地铁列车 | > high-speed-train
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
drawn:flat-surfboard | flat surfboard | sport | 0.08 | 10 | ground | | 平放的冲浪板 |
`
