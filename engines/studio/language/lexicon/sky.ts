import type { Season, TimeOfDay, Weather } from '../../scene.ts'

export const timeWords: Record<TimeOfDay, string> = {
  dawn: 'dawn, daybreak, sun is rising, sun rises, sun rising, rising sun, sunrise, first light, early morning, break of day, crack of dawn, 黎明, 日出, 破晓, 拂晓, 晨曦, 清晨, 凌晨, 朝阳, 朝霞, 日出时分, 天亮',
  morning: 'morning, in the morning, forenoon, breakfast time, 早上, 早晨, 上午, 晨光, 早晨的',
  day: 'day, day time, daytime, daylight, noon, midday, at noon, by day, sunny day, broad daylight, mid-day, 白天, 中午, 正午, 日间, 午间, 大白天, 白日',
  afternoon:
    'afternoon, late afternoon, golden hour, golden light, golden hour light, warm afternoon light, golden hour lighting, 下午, 午后, 黄金时刻, 午后阳光',
  sunset:
    'sunset, sun is setting, sun sets, sun setting, sun going down, sun goes down, sun is going down, setting sun, at sunset, evening glow, sun setting, sundown, sunset sky, sunset light, sunset glow, 日落, 夕阳, 落日, 晚霞, 余晖, 夕阳西下, 斜阳, 日落时分, 夕照, 落日余晖',
  dusk: 'dusk, twilight, evening, blue hour, nightfall, gloaming, 黄昏, 傍晚, 暮色, 薄暮, 蓝调时刻, 黄昏时分',
  night:
    'night, nighttime, at night, midnight, night time, moonlight, moonlit, starry night, starlight, starry sky, starry, night sky, full moon night, moonlit night, starlit, stars in the sky, night scene, late night, nocturnal, after dark, dark night, at midnight, under the stars, 夜晚, 夜, 晚上, 夜里, 夜色, 深夜, 半夜, 午夜, 星空, 月光, 月夜, 月光下, 夜景, 夜空, 星夜, 夜间, 星光, 繁星, 星空下, 满天繁星, 入夜, 夜幕, 夜幕下, 满天星斗, 星星点点',
}

export const seasonWords: Record<Season, string> = {
  spring: 'spring, springtime, in spring, spring time, 春天, 春季, 春日, 春, 春光, 初春, 早春, 阳春',
  summer: 'summer, summertime, summery, midsummer, 夏天, 夏季, 夏日, 夏, 盛夏, 初夏, 炎夏',
  autumn:
    'autumn, fall landscape, fall scene, fall day, fall trees, fall forest, in fall, fall leaves, fall colors, fall colours, autumnal, in the fall, fall season, autumn leaves, fallen leaves, fall foliage, falling leaves, autumn colors, autumn colours, late autumn, 秋天, 秋季, 秋日, 秋, 落叶, 深秋, 金秋, 晚秋, 红叶, 秋叶',
  winter: 'winter, wintertime, wintry, midwinter, winter day, 冬天, 冬季, 冬日, 冬, 寒冬, 隆冬, 严冬, 腊月',
}

interface WeatherRow {
  weather: Weather[]
  time?: TimeOfDay
  season?: Season
  details?: string[]
  words: string
}

export const weatherRows: WeatherRow[] = [
  { weather: ['clear'], details: ['cloudless'], words: 'cloudless, cloudless sky, 万里无云, 无云' },
  {
    weather: ['clear'],
    words:
      'sunny, clear sky, clear skies, blue sky, blue skies, clear weather, sunshine, sunlight, sunlit, bright sun, bright sunlight, clear day, fine weather, fair weather, sun-drenched, sun-soaked, sunny weather, under the sun, good weather, clear blue sky, 晴, 晴天, 晴朗, 阳光, 阳光明媚, 阳光下, 艳阳, 好天气, 阳光灿烂, 风和日丽, 烈日, 蓝天下, 晴空, 晴空万里, 天气晴朗, 阳光普照',
  },
  {
    weather: ['cloudy'],
    words:
      'cloudy, cloudy sky, white clouds, puffy clouds, fluffy clouds, partly cloudy, blue sky with clouds, blue sky with white clouds, dramatic clouds, cloudy skies, scattered clouds, cumulus, cumulus clouds, dramatic sky, 多云, 白云, 有云, 云彩, 云, 蓝天白云, 云雾, 朵朵白云, 流云',
  },
  {
    weather: ['overcast'],
    words:
      'overcast, grey sky, gray sky, dark clouds, grey skies, gray skies, gloomy sky, leaden sky, overcast sky, heavy clouds, grey clouds, gray clouds, 阴天, 乌云, 阴沉, 乌云密布, 阴云, 灰蒙蒙的天空, 阴',
  },
  {
    weather: ['rain'],
    words:
      'rain, rainy, raining, in the rain, drizzle, downpour, rainfall, drizzling, rain-soaked, pouring rain, heavy rain, light rain, rainy day, raindrops, rain drops, monsoon, shower of rain, rain falling, pouring, rain-slicked, 雨, 雨巷, 下雨, 下着雨, 雨天, 雨中, 大雨, 小雨, 细雨, 雨水, 下雨天, 雨滴, 下着大雨, 下着小雨, 暴雨, 倾盆大雨, 毛毛雨, 雨里, 烟雨, 春雨, 正在下雨, 冒雨',
  },
  { weather: ['rain'], time: 'night', words: 'rainy night, 雨夜' },
  {
    weather: ['storm'],
    words:
      'storm, stormy, stormy weather, tempest, stormy sky, typhoon, hurricane, gale, stormy skies, storm clouds, 暴风雨, 风暴, 狂风暴雨, 风雨, 台风, 暴风, 狂风, 狂风巨浪',
  },
  { weather: ['storm'], time: 'night', words: 'stormy night, 暴风雨之夜' },
  {
    weather: ['storm', 'lightning'],
    words:
      'thunderstorm, thunder storm, thunder, lightning storm, thunder and lightning, electrical storm, thunderstorms, 雷雨, 雷暴, 雷阵雨, 电闪雷鸣, 雷电交加, 打雷',
  },
  {
    weather: ['lightning'],
    words: 'lightning, lightning bolt, lightning bolts, bolt of lightning, lightning strike, lightning strikes, 闪电, 雷电',
  },
  {
    weather: ['snow'],
    season: 'winter',
    words:
      'snow, snowing, snowfall, snowstorm, blizzard, snowflakes, falling snow, snow falling, heavy snow, light snow, gentle snow, gently falling snow, in the snow, snowy day, snowy weather, flurries, sleet, 雪, 下雪, 下着雪, 雪花, 大雪, 飘雪, 暴风雪, 雪中, 雪天, 飘着雪, 雪花飘落, 下着大雪, 小雪, 正在下雪, 大雪纷飞, 雪花纷飞, 飞雪, 雪花飞舞',
  },
  { weather: ['snow'], time: 'night', season: 'winter', words: 'snowy night, 雪夜' },
  {
    weather: [],
    season: 'winter',
    details: ['snow'],
    words:
      'snowy, snow-covered, snow covered, covered in snow, covered with snow, snow-capped, snowcapped, snow-topped, icy, frozen, frosty, frost-covered, frost, snow on the ground, blanketed in snow, 积雪, 白雪皑皑, 结冰, 冰冻, 雪景, 冰雪, 白雪, 覆盖着雪, 被雪覆盖, 白雪覆盖, 积雪覆盖, 银装素裹, 被白雪覆盖',
  },
  {
    weather: ['fog'],
    words:
      'fog, foggy, mist, misty, haze, hazy, in the fog, in the mist, smog, morning mist, morning fog, thick fog, dense fog, low clouds, shrouded in mist, 雾, 有雾, 大雾, 薄雾, 雾气, 雾中, 雾蒙蒙, 云雾缭绕, 晨雾, 烟雾, 迷雾, 雾霭, 雾天, 浓雾, 雾里, 起雾',
  },
  {
    weather: ['wind'],
    words:
      'wind, windy, breeze, breezy, blowing wind, strong wind, windswept, gusty, gust of wind, gentle breeze, blustery, 风, 刮风, 大风, 微风, 清风, 风中, 有风, 风吹, 微风吹拂, 狂风大作',
  },
  { weather: ['rainbow'], words: 'rainbow, double rainbow, 彩虹, 一道彩虹, 双彩虹' },
  {
    weather: ['aurora'],
    time: 'night',
    words: 'aurora, northern lights, aurora borealis, polar lights, southern lights, aurora australis, 极光, 北极光',
  },
]

/** Words for things in the sky that imply a time of day or a kind of weather. These things are
 *  painted as a part of the sky. */
export const skyRows: WeatherRow[] = [
  { weather: [], time: 'night', words: 'half moon, quarter moon, 半月, 上弦月', details: ['moon', 'half-moon'] },
  { weather: [], time: 'night', words: 'crescent moon, moon crescent, 弯月, 月牙, 新月, 弯弯的月亮', details: ['moon', 'crescent'] },
  {
    weather: [],
    words: 'silhouette, silhouettes, silhouetted, in silhouette, silhouette of, backlit silhouette, 剪影, 逆光剪影',
    details: ['silhouette'],
  },
  {
    weather: [],
    time: 'night',
    words: 'full moon, new moon, big moon, bright moon, glowing moon, moon and stars, 满月, 圆月, 月亮, 明月, 一轮明月, 皓月',
    details: ['moon'],
  },
  {
    weather: [],
    time: 'night',
    words: 'stars, milky way, shooting star, shooting stars, starry heavens, twinkling stars, 星星, 银河, 流星, 流星雨',
    details: ['stars'],
  },
  {
    weather: ['clear'],
    words: 'sun, bright sunny, sunbeams, sun rays, sunrays, god rays, light rays, 太阳, 阳光照耀, 烈阳, 阳光洒落',
    details: ['sun'],
  },
  { weather: ['clear'], words: 'under a clear sky, under a blue sky, under blue skies', details: [] },
]
