import { type SettingKind, settingKinds } from '../../scene.ts'
import type { SettingStrength } from './senses.ts'

interface SettingRow {
  /** Words that always name a place. */
  place?: string
  /** Words that name a place in phrases such as "in the mountains", and otherwise a thing in the
   *  background. */
  either?: string
  /** Words that usually name a thing. They name a place only when something is in, inside or on
   *  it. */
  thing?: string
}

/** Words for each place. In `word:detail+detail`, the details are passed to the function that
 *  paints the place. */
const settingRows: Record<SettingKind, SettingRow> = {
  meadow: {
    place:
      'meadow, grassland, grasslands, grass, green grass, grassy field, lawn, prairie, pasture, flower meadow:flowers, wildflower meadow:flowers, grass field, savanna:savanna, savannah:savanna, steppe, clearing, glade, moor, heath, countryside, country side, 草地, 草原, 大草原, 草坪, 草甸, 牧场, 花海:flowers, 原野, 田园, 乡间, 草丛, 绿草地, 青草地, 郊外, 乡村田野, 野外',
  },
  field: {
    place:
      'field, wheat field:wheat, cornfield:corn, corn field:corn, rice field:rice, rice paddy:rice, paddy field:rice, flower field:flowers, lavender field:lavender, sunflower field:sunflowers, tulip field:tulips, poppy field:poppies, barley field:wheat, crop field, crops, plowed field:plowed, construction site:plowed, building site:plowed, ploughed field:plowed, vineyard:vines, 田野, 田地, 麦田:wheat, 稻田:rice, 玉米地:corn, 花田:flowers, 向日葵田:sunflowers, 向日葵花田:sunflowers, 薰衣草田:lavender, 薰衣草花田:lavender, 油菜花田:rapeseed, 油菜花地:rapeseed, 田里, 葡萄园:vines, 茶园:tea, 梯田:terraces+rice',
  },
  farm: {
    place:
      'farm, farmland, farmyard, barnyard, ranch, orchard:orchard, apple orchard:orchard, homestead, 农场, 农田, 农庄, 果园:orchard, 农家院, 农家小院',
  },
  garden: {
    place:
      'garden, flower garden:flowers, rose garden:roses, backyard, back yard, yard, front yard, courtyard, greenhouse:greenhouse, botanical garden:flowers, vegetable garden:vegetables, japanese garden:japanese, zen garden:japanese+zen, flowerbed:flowers, flower bed:flowers, 花园:flowers, 庭院, 院子, 后院, 花圃:flowers, 菜园:vegetables, 温室:greenhouse, 阳台, 日式庭院:japanese, 花丛:flowers, 花丛中:flowers, 小院, 古典园林:chinese, 园林',
  },
  park: {
    place:
      'park, city park, public park, picnic area, zoo:zoo, amusement park:rides, theme park:rides, fairground:rides, carnival:rides+festive, funfair:rides, 公园, 动物园:zoo, 游乐园:rides, 游乐场:rides, 主题公园:rides, 嘉年华:rides',
  },
  forest: {
    place:
      'forest, woods, wood, woodland, woodlands, grove, pine forest:pine, birch forest:birch, bamboo forest:bamboo, bamboo grove:bamboo, maple forest:maples, redwood forest:redwoods, thicket, enchanted forest:magical, magical forest:magical, fairy tale forest:magical, mushroom forest:mushrooms, cherry orchard:cherry, forest path:path, forest floor, forest clearing, woodland path:path, 森林, 树林, 林中, 丛林深处, 竹林:bamboo, 松林:pine, 松树林:pine, 枫林:maples, 枫树林:maples, 白桦林:birch, 桦树林:birch, 林间, 森林小路:path, 林间小路:path, 林间小道:path, 魔法森林:magical, 小树林, 桃花林:blossom, 樱花林:cherry, 林子',
  },
  jungle: { place: 'jungle, rainforest, rain forest, tropical forest, tropical rainforest, amazon, 丛林, 雨林, 热带雨林, 热带丛林' },
  mountains: {
    place:
      'mountain valley, valley, canyon:canyon, grand canyon:canyon, gorge:canyon, mountain range, mountainside, mountain top:peak, mountaintop:peak, alps:snow, the alps:snow, himalayas:snow, rocky mountains, mountain pass, mountain landscape, mountain peaks, fjord:fjord, highlands, 山谷, 峡谷:canyon, 大峡谷:canyon, 山中, 山间, 山顶:peak, 群山, 山脉, 山里, 雪山:snow, 高山, 阿尔卑斯山:snow, 喜马拉雅山:snow, 山水, 深山, 山上, 山脚下, 高原',
    either:
      'mountains, mountain, snowy mountain:snow, mountain peak, snowy mountains:snow, snow-capped mountains:snow, snow-capped mountain:snow, snow-covered mountains:snow, snowcapped mountains:snow, cliff:cliff, cliffs:cliff, cliffside:cliff, cliff edge:cliff, 山, 大山, 远山, 悬崖:cliff, 峭壁:cliff, 悬崖边:cliff, 青山, 山峰',
  },
  hills: {
    place:
      'hills, hill, wilderness, countryside hills, landscape, scenery, hillside, rolling hills, hilltop, knoll, green hills, grassy hill, grassy hills, 小山, 山丘, 丘陵, 山坡, 小山丘, 山坡上, 山岗',
  },
  desert: {
    place:
      'desert, sahara, dunes, sand dunes, sand dune, dune, wasteland, badlands, wild west:western, oasis:oasis, 沙漠, 沙丘, 大漠, 戈壁, 戈壁滩, 荒漠, 绿洲:oasis, 荒原, 荒野',
  },
  snowfield: {
    place:
      'snowfield, snow field, snowy field, snowy landscape, snowy plain, winter landscape, winter wonderland, arctic, antarctica, antarctic, north pole, south pole, tundra, ice field, glacier:ice, frozen lake:ice, ice rink:ice, skating rink:ice, ice floe:ice, iceberg:iceberg, icebergs:iceberg, ski slope:slope, snowy slope:slope, 雪地, 雪原, 冰原, 冰川:ice, 南极, 北极, 冰面:ice, 冰上:ice, 冰天雪地, 溜冰场:ice, 滑雪场:slope, 冰山:iceberg, 雪地里, 冰雪世界',
    thing: 'ice:ice',
  },
  beach: {
    place:
      'beach, seashore, seaside, shore, coast, coastline, sandy beach, tropical beach:tropical, shoreline, bay, cove, lagoon:tropical, 海滩, 沙滩, 海边, 海岸, 海滨, 海岸边, 海岸线, 岸边, 金色沙滩, 热带海滩:tropical, 海湾',
    thing: 'sand',
  },
  sea: {
    place:
      'sea, ocean, open sea, open ocean, high seas, waves, ocean waves, sea waves, rough sea:waves, rough seas:waves, calm sea:calm, calm ocean:calm, pacific, atlantic, seascape, 大海, 海洋, 海面, 海上, 海, 海浪, 波浪, 海面上, 大洋, 汪洋, 海水',
  },
  underwater: {
    place:
      'underwater, under water, under the sea, under the ocean, under the water, seabed, sea floor, seafloor, ocean floor, coral reef:coral, reef:coral, deep sea:deep, deep ocean:deep, below the sea, beneath the sea, beneath the waves, under the waves, bottom of the sea, bottom of the ocean, at the bottom of the ocean, at the bottom of the sea, on the bottom of the ocean, on the bottom of the sea, on the ocean floor, beneath the ocean, aquarium:aquarium, fish tank:aquarium, 水下, 海底, 水底, 海里, 海中, 深海:deep, 珊瑚礁:coral, 海底世界, 海洋深处:deep, 水族馆:aquarium, 鱼缸:aquarium, 水中, 水里, 大海里, 大海深处:deep',
  },
  lake: {
    place:
      'lake, pond:small, lily pond:lilies, lakeside, lake shore, lakeshore, mountain lake:mountains, koi pond:small, fishpond:small, calm water:calm, 湖, 湖边, 湖畔, 湖水, 湖泊, 湖面, 湖上, 湖面上, 湖中, 池塘:small, 荷塘:lotus, 荷花池:lotus, 水面, 水边, 湖心, 西湖, 水塘:small, 鱼塘:small',
    thing: 'water, water surface',
  },
  river: {
    place:
      'river, stream, brook, creek, riverbank, river bank, riverside, canal:canal, venice canal:canal, rapids, 河, 河边, 河流, 小溪, 溪流, 小河, 河畔, 江边, 河上, 江, 江面, 江上, 流水, 江南水乡:watertown, 水乡:watertown, 运河:canal, 河面, 河岸, 溪边, 江河',
  },
  waterfall: { place: 'waterfall, waterfalls, cascade, cascades, niagara falls, 瀑布, 大瀑布' },
  swamp: { place: 'swamp, marsh, wetland, wetlands, bog, bayou, mangrove, 沼泽, 湿地, 沼泽地, 红树林' },
  cave: {
    place:
      'cave, cavern, grotto, mine:mine, crystal cave:crystals, ice cave:ice, den, 洞穴, 山洞, 岩洞, 洞里, 溶洞, 水晶洞:crystals, 矿洞:mine',
  },
  volcano: { either: 'volcano, volcanoes, lava field, lava, erupting volcano, 火山, 熔岩, 岩浆' },
  island: {
    either:
      'island, small island, tropical island:tropical, desert island:tropical, islands, floating island:floating, floating islands:floating, archipelago, 小岛, 岛, 岛屿, 海岛, 荒岛, 岛上, 热带岛屿:tropical, 浮空岛:floating, 孤岛',
  },
  village: {
    place:
      'village, hamlet, small town, town, old town:old, town square, village square, market square, city square, public square, the square, fishing village:fishing, medieval town:medieval, medieval village:medieval, cottages, 村庄, 村子, 小村, 小村庄, 小镇, 村落, 乡村, 古镇:old, 小镇上, 渔村:fishing, 山村:mountains, 村里, 小山村:mountains, 古村落:old',
  },
  street: {
    place:
      'street, city street, alley:alley, alleyway:alley, sidewalk, pavement, avenue, boulevard, road crossing, crosswalk, town street, streets, downtown street, chinatown:chinese, tokyo street:japanese, paris street:paris, cobblestone street:cobblestone, bus stop:busstop, lane, 雨巷:alley, 巷:alley, 街道, 街上, 街头, 大街, 马路, 小巷:alley, 巷子:alley, 胡同:alley, 街边, 路边, 人行道, 步行街, 大街上, 街角, 公交站:busstop, 路口, 老街:old, 街巷:alley',
  },
  city: {
    place:
      'city, cityscape:skyline, skyline:skyline, city skyline:skyline, downtown, metropolis, megacity:futuristic, town center, tokyo:japanese, new york, new york city, nyc, manhattan, london, paris, hong kong:skyline, shanghai, chicago, san francisco, sanfrancisco, seattle, los angeles, la, boston, toronto, sydney, singapore:skyline, dubai:skyline, istanbul, moscow, berlin, madrid, rome, barcelona, mumbai, seoul:japanese, saigon, hanoi, bangkok, times square:neon, piccadilly circus:neon, beijing:chinese, skyscrapers:skyscrapers, urban landscape, city lights:lights, urban, dystopian city:ruined, futuristic city:futuristic, cyberpunk city:neon+futuristic, 城市, 都市, 大都市, 市中心, 城市天际线, 天际线, 城里, 东京:japanese, 纽约, 巴黎, 伦敦, 上海, 北京:chinese, 香港, 摩天大楼:skyscrapers, 高楼大厦:skyscrapers, 未来城市:futuristic, 未来都市:futuristic, 繁华都市, 高楼林立:skyscrapers',
  },
  rooftop: {
    place:
      'deck:deck, wooden deck:deck, patio:deck, terrace:deck, veranda:deck, porch:deck, balcony:deck, boardwalk deck:deck, rooftop, roof top, rooftops, roof terrace, on a roof, on the roof, 屋顶, 楼顶, 房顶, 天台, 屋顶上, 房顶上',
  },
  road: {
    place:
      'road, highway, country road:country, dirt road:dirt, path:path, pathway:path, trail:path, motorway, freeway, race track:racetrack, racetrack:racetrack, racing track:racetrack, winding road, desert highway:desert, desert road:desert, mountain road:mountains, route 66:desert, parking lot:parking, car park:parking, full parking lot:parking+parked, traffic jam:traffic, rush hour traffic:traffic, heavy traffic:traffic, rush hour:traffic, airport:runway, runway:runway, airport runway:runway, tarmac:runway, airfield:runway, airstrip:runway, 机场:runway, 跑道:runway, 公路, 高速公路, 道路, 小路:path, 山路:mountains, 乡间小路:country, 赛道:racetrack, 路上, 停车场:parking, 小径:path',
  },
  railway: {
    place:
      'railway, tunnel:tunnel, railroad, train tracks, train track, railway tracks, railway track, rail tracks, train station:station, railway station:station, subway station:station, subway platform:station, metro platform:station, railway platform:station, metro station:station, train platform:station, tracks, 隧道:tunnel, 铁路, 铁轨, 火车站:station, 地铁站:station, 站台:station, 轨道',
  },
  harbour: {
    place:
      'harbour, harbor, port, dock, docks, marina, pier, wharf, jetty, quay, wooden pier:wooden, fishing harbor:fishing, 港口, 码头, 海港, 港湾, 渔港:fishing, 栈桥',
  },
  stadium: {
    place:
      'stadium, soccer field:soccer, football field:football, football pitch:soccer, soccer pitch:soccer, baseball field:baseball, baseball stadium:baseball, baseball diamond:baseball, ballpark:baseball, basketball arena:basketball, basketball court:basketball, tennis court:tennis, arena, sports field, running track, pitch, olympic stadium, 体育场, 足球场:soccer, 球场, 篮球场:basketball, 网球场:tennis, 操场, 运动场, 田径场, 棒球场:baseball, 竞技场',
  },
  playground: { place: 'playground, schoolyard, school yard, sandbox, sand pit, kindergarten, 儿童乐园, 幼儿园, 游戏场, 沙坑' },
  market: {
    place:
      "market, marketplace, farmers market, farmers' market, fish market, bazaar, night market:night, street market, flower market:flowers, christmas market:christmas+festive, souk, flea market, market stall, market stalls, fair, 市场, 集市, 夜市:night, 菜市场, 市集, 圣诞市场:christmas+festive, 庙会:festive, 花市:flowers",
  },
  'castle-grounds': {
    place:
      'castle grounds, castle courtyard, castle garden:garden, palace grounds, palace garden:garden, royal court, 城堡花园:garden, 皇宫, 宫殿里, 故宫:chinese, 城堡庭院, 宫廷',
  },
  ruins: {
    place:
      'ruins, ancient ruins, ruined temple, ancient temple, temple ruins, roman ruins, lost city, overgrown ruins:overgrown, post-apocalyptic:ruined, 废墟, 遗迹, 古迹, 遗址, 断壁残垣, 古庙',
  },
  graveyard: { place: 'graveyard, cemetery, tombstones, churchyard, 墓地, 坟场, 公墓, 墓园' },
  sky: {
    place:
      'sky, the sky, clouds, above the clouds, cloudscape, sea of clouds, heaven, mid-air, midair, in the air, in mid air, 天空, 天上, 空中, 云端, 云海, 半空, 云层, 高空, 天空中, 云上, 蓝天, 云朵',
  },
  space: {
    place:
      'space, outer space, galaxy:galaxy, galaxies:galaxy, cosmos, universe, nebula:nebula, solar system, deep space, milky way galaxy:galaxy, orbit, starfield, asteroid belt:asteroids, black hole:blackhole, 太空, 宇宙, 外太空, 银河系:galaxy, 星云:nebula, 太空中, 宇宙中, 星系:galaxy, 星际, 星空宇宙, 黑洞:blackhole, 外层空间, 深空',
  },
  moon: { place: "lunar surface, moonscape, moon's surface, surface of the moon, moon surface, 月球, 月球表面, 月面", thing: 'moon, 月亮' },
  planet: {
    place:
      'mars:red, alien planet, alien world, martian landscape:red, surface of mars:red, another planet, alien landscape, mars surface:red, 火星:red, 外星, 外星球, 火星表面:red, 异星, 火星上:red',
    thing: 'planet, 行星, 星球',
  },
  room: {
    place:
      'room, living room, lounge, interior, indoors, indoor, apartment, dining room:dining, hallway:hallway, corridor:hallway, attic:attic, basement, cellar, hall, castle hall:castle, church interior:church, cathedral interior:church, church nave:church, nave:church, great hall:castle, palace hall:castle, ballroom:ballroom, throne room:throne, inside a house, house interior, study room, nursery:nursery, playroom, bathroom:bathroom, floorboards:wooden, wooden floor:wooden, tent interior, 房间, 客厅, 室内, 屋里, 屋内, 房间里, 走廊:hallway, 家里, 家中, 房里, 书房:study, 阁楼:attic, 地下室, 浴室:bathroom, 地板, 地板上, 地毯, 地毯上, 屋子, 木地板:wooden, 大厅, 教室外走廊, 舞厅:ballroom, 窗边:window, 窗前:window, 窗户旁:window, 窗户边:window',
    either: 'window:window, 窗户:window, 窗:window',
    thing: 'floor, carpet, rug',
  },
  bedroom: { place: "bedroom, dorm room, hotel room, children's room, kids room, dorm, 卧室, 宿舍, 睡房, 儿童房, 寝室, 酒店房间" },
  kitchen: { place: 'kitchen, kitchen counter, kitchen table:table, countertop, bakery kitchen, 厨房, 厨房里, 灶台, 厨房台面' },
  restaurant: {
    place:
      'restaurant, diner, bistro, dining hall, canteen, sushi bar, ramen shop, noodle shop, pizzeria, tavern:tavern, pub:tavern, bar:bar, inn:tavern, saloon:tavern, banquet, 餐厅, 餐馆, 饭店, 食堂, 面馆, 酒吧:bar, 酒馆:tavern, 饭馆, 小酒馆:tavern, 火锅店, 拉面店',
  },
  cafe: {
    place:
      'cafe, café, tea shop, coffee shop, coffeehouse, coffee house, tea house, teahouse, sidewalk cafe:outdoor, tea room, bakery, 咖啡馆, 咖啡厅, 咖啡店, 茶馆, 茶楼, 面包店, 甜品店',
  },
  library: { place: 'library, bookstore, book store, bookshop, reading room, archive, old library:old, 图书馆, 书店, 阅览室, 藏书阁' },
  classroom: { place: 'classroom, lecture hall, schoolroom, university, 教室, 课堂, 讲台, 大学', either: 'school, 学校' },
  office: {
    place: 'office, workplace, cubicle, meeting room, conference room, boardroom, coworking space, home office, 办公室, 会议室, 写字楼',
  },
  laboratory: {
    place:
      'laboratory, lab, science lab, research lab, spaceship interior:futuristic, control room:futuristic, space station interior:futuristic, 实验室, 科研室, 控制室:futuristic, 研究所',
  },
  hospital: { place: 'hospital room, hospital ward, operating room, clinic, ward, 病房, 手术室, 诊所, 医院里', either: 'hospital, 医院' },
  shop: {
    place:
      'toy shop, toy store, flower shop:flowers, candy shop, antique shop, boutique, supermarket, supermarket aisle:aisle, grocery aisle:aisle, grocery store aisle:aisle, grocery store, convenience store, shopping mall, mall, barbershop, pet shop, 商店, 超市, 玩具店, 花店:flowers, 商场, 便利店, 店铺, 杂货店, 购物中心, 糖果店',
    thing: 'shop, store, 小店',
  },
  museum: { place: 'museum, art gallery, gallery, exhibition, exhibition hall, 博物馆, 美术馆, 画廊, 展览馆, 展厅' },
  theatre: {
    place:
      'theatre, theater, stage, on stage, opera house, circus:circus, circus ring:circus, circus tent:circus, cinema:cinema, movie theater:cinema, 剧院, 舞台, 戏台, 剧场, 马戏团:circus, 电影院:cinema, 舞台上, 歌剧院',
  },
  'concert-hall': {
    place: 'concert hall, concert, music hall, rock concert, nightclub, night club, disco, jazz club, 音乐厅, 演唱会, 音乐会, 夜店, 迪斯科',
  },
  gym: {
    place:
      'gym, gymnasium, fitness center, fitness studio, yoga studio, dojo:japanese, boxing ring:ring, sports hall, dance studio, 健身房, 体育馆, 瑜伽室, 道场:japanese, 拳击台:ring, 舞蹈室',
  },
  pool: {
    place:
      'pool, swimming pool, poolside, hot tub, hot spring:hotspring, hot springs:hotspring, onsen:hotspring, water park, 泳池, 游泳池, 温泉:hotspring, 池边, 水上乐园',
  },
  workshop: {
    place:
      'workshop, studio, art studio:art, artist studio:art, atelier:art, forge:forge, smithy:forge, blacksmith shop:forge, pottery studio, factory:factory, workbench, carpentry shop, 工作室, 作坊, 工坊, 画室:art, 铁匠铺:forge, 工厂:factory, 车间:factory',
  },
  garage: {
    place: 'garage, repair shop, auto shop, car workshop, carport, hangar:hangar, warehouse, 车库, 修车厂, 汽修厂, 机库:hangar, 仓库',
  },
  table: {
    place:
      'tabletop, table top, picnic table:picnic, kitchen counter top, picnic blanket:picnic, tablecloth:cloth, marble surface:marble, wooden surface:wooden, bar counter, 桌面, 茶几, 案板:wooden, 书桌面, 野餐布:picnic, 桌布:cloth, 木质桌面:wooden, 木桌子:wooden',
    thing:
      'table, dinner table, dining table, coffee table, wooden table:wooden, round table, 餐桌, 木桌:wooden, 木桌子:wooden, 圆桌, desk, counter, 桌子, 桌, 书桌, 桌上, 办公桌',
  },
  'window-table': {
    place:
      'windowsill, window sill, window ledge, 窗台, 窗台上, window seat, table by the window, table by a window, 窗边的桌子, 靠窗的桌子, 窗前的桌子',
  },
  shelf: { place: 'shelves, wooden shelf:wooden, mantelpiece, 架子, 书架上, 置物架', thing: 'shelf, bookshelf, 书架, 柜子' },
  wall: {
    thing:
      'wall, brick wall:brick, stone wall:stone, concrete wall:concrete, street wall:street+brick, wooden wall:wooden, tiled wall:tiled, 墙, 墙壁, 砖墙:brick, 石墙:stone, 墙面',
  },
  backdrop: {
    place:
      'backdrop, studio backdrop, plain background, simple background, blank background, solid background, studio background, clean background, gradient background:gradient, photo studio, seamless background, 纯色背景, 简单背景, 空白背景, 干净背景, 渐变背景:gradient, 摄影棚, 简洁背景',
  },
  abstract: {},
}

/** Returns the words for places with their meaning. */
export function settingEntries(): { word: string; setting: SettingKind; strength: SettingStrength; details: string[] }[] {
  return settingKinds.flatMap(kind => strengthRows(settingRows[kind]).flatMap(([strength, list]) => readRow(kind, strength, list)))
}

function strengthRows(row: SettingRow): [SettingStrength, string][] {
  return [
    ['place', row.place ?? ''],
    ['either', row.either ?? ''],
    ['thing', row.thing ?? ''],
  ]
}

function readRow(setting: SettingKind, strength: SettingStrength, list: string) {
  return list
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
    .map(item => {
      const [word = '', details = ''] = item.split(':')
      return { word, setting, strength, details: details === '' ? [] : details.split('+') }
    })
}
