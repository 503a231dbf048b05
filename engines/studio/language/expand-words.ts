import type { SettingKind } from '../scene.ts'

/** Phrases that the prompt expansion may add; `parsePrompt` understands each of them. */
export interface Additions {
  times: readonly string[]
  weather: readonly string[]
  nights: readonly string[]
  lights: readonly string[]
  palettes: readonly string[]
  spaceMoods: readonly string[]
  framings: readonly string[]
  wideFramings: readonly string[]
  finishes: readonly string[]
}

export const additions: { en: Additions; zh: Additions } = {
  en: {
    times: ['in the early morning', 'at golden hour', 'at sunset', 'in the late afternoon', 'at dusk', 'on a sunny day', 'at dawn'],
    weather: ['under a clear sky', 'with fluffy clouds', 'with scattered clouds', 'with a gentle breeze', 'with morning mist'],
    nights: ['under a starry sky', 'with twinkling stars', 'with a full moon'],
    lights: ['warm lighting', 'soft lighting', 'bright light', 'cozy light'],
    palettes: ['warm colors', 'vivid colors', 'rich colors', 'muted tones', 'soft light', 'cool tones'],
    spaceMoods: ['mysterious', 'vivid colors', 'glowing light', 'dreamy'],
    framings: ['full shot', 'wide shot', 'medium shot', 'eye level'],
    wideFramings: ['wide shot', 'panoramic view', 'wide angle'],
    finishes: ['highly detailed', 'fine details', 'balanced composition', 'intricate details'],
  },
  zh: {
    times: ['清晨', '黄昏', '夕阳', '午后阳光', '傍晚', '阳光明媚', '黎明'],
    weather: ['晴空万里', '蓝天白云', '微风吹拂', '薄雾'],
    nights: ['满天繁星', '星空下', '一轮明月'],
    lights: ['暖光', '柔光', '光线明亮', '温馨'],
    palettes: ['暖色调', '色彩鲜艳', '色彩丰富', '低饱和', '柔和', '冷色调'],
    spaceMoods: ['神秘', '色彩鲜艳', '发光', '梦幻'],
    framings: ['全身', '广角', '中景', '平视'],
    wideFramings: ['广角', '全景', '远景'],
    finishes: ['细节丰富', '画面精致', '构图完美', '高清'],
  },
}

/** English and Chinese phrases for a place, added when the prompt names none. */
export const settingPhrases: Partial<Record<SettingKind, readonly [string, string]>> = {
  meadow: ['in a green meadow', '在绿色的草地上'],
  field: ['in a field', '在田野里'],
  farm: ['on a farm', '在农场里'],
  garden: ['in a flower garden', '在花园里'],
  park: ['in a park', '在公园里'],
  forest: ['in a forest', '在森林里'],
  jungle: ['in a lush jungle', '在丛林里'],
  mountains: ['in a mountain valley', '在山谷里'],
  hills: ['among rolling hills', '在山坡上'],
  desert: ['in a desert', '在沙漠里'],
  snowfield: ['in a snowy landscape', '在雪地里'],
  beach: ['on a sandy beach', '在沙滩上'],
  sea: ['on the open sea', '在大海上'],
  underwater: ['underwater', '在海底'],
  lake: ['by a lake', '在湖边'],
  river: ['by a river', '在河边'],
  village: ['in a village', '在村庄里'],
  street: ['on a city street', '在街道上'],
  city: ['in a city', '在城市里'],
  road: ['on a country road', '在公路上'],
  railway: ['on a railway', '在铁路上'],
  stadium: ['in a stadium', '在体育场里'],
  playground: ['in a playground', '在儿童乐园里'],
  'castle-grounds': ['on castle grounds', '在城堡花园里'],
  ruins: ['among ancient ruins', '在废墟里'],
  graveyard: ['in a graveyard', '在墓地里'],
  sky: ['in the air', '在云端'],
  space: ['in outer space', '在太空中'],
  room: ['in a cozy room', '在温馨的房间里'],
  bedroom: ['in a bedroom', '在卧室里'],
  kitchen: ['in a kitchen', '在厨房里'],
  restaurant: ['in a restaurant', '在餐厅里'],
  cafe: ['in a cafe', '在咖啡馆里'],
  classroom: ['in a classroom', '在教室里'],
  office: ['in an office', '在办公室里'],
  laboratory: ['in a laboratory', '在实验室里'],
  hospital: ['in a hospital room', '在病房里'],
  theatre: ['on a stage', '在舞台上'],
  'concert-hall': ['in a concert hall', '在音乐厅里'],
  gym: ['in a gym', '在健身房里'],
  pool: ['in a swimming pool', '在游泳池里'],
  workshop: ['in a workshop', '在工作室里'],
  garage: ['in a garage', '在车库里'],
  table: ['on a wooden table', '在木桌上'],
}
