import type { Pose, RelationKind } from '../../scene.ts'
import type { ObjectRole } from './senses.ts'

interface VerbRow {
  /** Base forms of verbs; the forms with -s, -ing and -ed are derived. Irregular verbs are written
   *  as `sit/sat/sitting`. */
  verbs?: string
  /** Words and phrases from which no other forms are derived: adverbs, phrases, Chinese words. */
  forms?: string
  pose?: Pose
  relation?: RelationKind
  object?: ObjectRole
  look?: string
}

/** Verbs grouped by their effect on the subject and the object. */
export const verbRows: VerbRow[] = [
  {
    pose: 'standing',
    verbs: 'stand/stood, perch, pose, rest, tower, rise/rose/rising, loom',
    forms:
      'still, on tiptoe, 站, 站立, 站着, 伫立, 耸立, 矗立, 屹立, 立, 立着, 停在, 停, 停着, 栖息, 落在, 停靠, 停泊, 停放, 站在那里, 摆姿势, 站岗',
  },
  {
    pose: 'sitting',
    verbs: 'sit/sat/sitting, squat, crouch',
    forms: 'seated, cross-legged, 坐, 坐着, 坐下, 蹲, 蹲着, 盘腿, 盘坐, 蹲坐, 端坐',
  },
  {
    pose: 'walking',
    verbs:
      'walk, stroll, wander, march, stride/strode, hike, trot, strut, waddle, pass, cross, roam, step/stepping, parade, prowl, head, stalk, travel, trek',
    forms: '走, 走路, 散步, 行走, 漫步, 走过, 走着, 行进, 徒步, 穿过, 穿越, 走在, 前行, 路过, 闲逛, 跋涉, 走来, 溜达, 游荡, 踱步',
  },
  {
    pose: 'running',
    verbs:
      'run/ran/running, jog/jogging, sprint, race, gallop, rush, dash, charge, flee/fled, speed/sped, skate, ski/skiing, skateboard, snowboard, escape',
    forms:
      'ice skating, roller skating, figure skating, 跑, 跑步, 奔跑, 飞奔, 跑着, 奔驰, 疾驰, 狂奔, 冲, 溜冰, 滑冰, 滑雪, 滑板, 飞驰, 行驶, 逃跑, 赛跑, 驰骋',
  },
  {
    pose: 'jumping',
    verbs: 'jump, leap/leapt, hop/hopping, bounce, skip/skipping, pounce, spring up',
    forms: '跳, 跳跃, 跃, 跳起, 蹦, 蹦跳, 腾跃, 跳着, 跃出, 跃起, 跳绳, 蹦蹦跳跳',
  },
  {
    pose: 'dancing',
    verbs: 'dance/dancing, twirl, waltz, spin/spinning/spun, swirl',
    forms: '跳舞, 舞蹈, 起舞, 翩翩起舞, 跳芭蕾, 旋转, 舞动, 共舞',
  },
  {
    pose: 'sleeping',
    verbs: 'sleep/slept, nap/napping, doze/dozing, snooze/snoozing, dream',
    forms:
      'asleep, curled up, fast asleep, taking a nap, sound asleep, 睡, 睡觉, 睡着, 沉睡, 打盹, 熟睡, 入睡, 午睡, 睡在, 酣睡, 打瞌睡, 小憩, 安睡',
  },
  {
    pose: 'lying',
    verbs: 'lie/lay/lying/lies, lounge/lounging, recline/reclining, relax, sunbathe/sunbathing, sprawl',
    forms: 'laying, lying down, laid down, 躺, 躺着, 趴, 趴着, 卧, 卧着, 晒太阳, 躺卧, 趴在, 蜷缩, 躺平, 匍匐',
  },
  {
    pose: 'waving',
    verbs: 'wave/waving, greet, cheer, salute/saluting, point, clap/clapping, celebrate/celebrating',
    forms: '挥手, 招手, 打招呼, 欢呼, 挥舞, 敬礼, 鼓掌, 招手致意',
  },
  {
    pose: 'reading',
    relation: 'holding',
    object: 'held',
    verbs: 'read/reads/reading, study/studying/studies',
    forms: '看书, 读书, 阅读, 读, 学习, 读着, 翻阅, 写作业',
  },
  {
    pose: 'flying',
    verbs: 'fly/flew/flying/flies, soar, hover, glide/gliding, float through the air, flutter, drift above',
    forms:
      'taking off, takes off, lifting off, in flight, airborne, mid-flight, in mid-flight, 飞, 飞翔, 飞行, 飞过, 翱翔, 盘旋, 飞舞, 飞着, 飘, 飞越, 飞向, 腾飞, 展翅, 展翅高飞, 升空, 飞来飞去, 飞起, 飘浮, 悬浮, 漂浮在空中, 展翅飞翔, 滑翔, 飘扬, 飘动',
  },
  {
    pose: 'swimming',
    verbs: 'swim/swam/swimming, dive/dove/diving, snorkel/snorkeling, bathe/bathing, splash, paddle/paddling',
    forms: '游泳, 游, 游动, 潜水, 游着, 戏水, 冲浪, 畅游, 游来游去, 遨游, 游弋, 嬉水, 玩水',
  },
  {
    pose: 'playing',
    verbs: 'play, frolic/frolicking, romp',
    forms:
      'at play, playing games, playing around, having fun, 打滚, 翻滚, 玩, 玩耍, 嬉戏, 游玩, 打闹, 玩着, 嬉闹, 追逐打闹, 玩游戏, 堆, 堆雪人',
  },
  {
    pose: 'playing',
    relation: 'holding',
    object: 'held',
    verbs: 'strum/strumming',
    forms:
      'drumming, drumming on, drums on, playing the, playing a, plays the, plays a, playing an, 弹, 拉, 吹, 演奏, 弹奏, 弹着, 拉着, 吹奏, 敲, 弹琴, 踢, 打, 下棋, 弹吉他:',
  },
  {
    pose: 'cooking',
    relation: 'holding',
    object: 'before',
    verbs: 'cook, bake/baking, grill, fry/frying, stir/stirring, prepare/preparing, roast',
    forms: '做饭, 烹饪, 煮, 烤, 炒菜, 下厨, 烹调, 做菜, 炒, 烘焙, 包饺子, 包',
  },
  {
    pose: 'painting',
    relation: 'holding',
    object: 'before',
    verbs: 'paint, sketch, draw/drew',
    forms: '画画, 绘画, 作画, 写生, 画着, 写字, 写',
  },
  {
    pose: 'singing',
    verbs: 'sing/sang, perform, howl, chant, meow, bark, roar',
    forms: '唱歌, 歌唱, 唱, 表演, 演唱, 嚎叫, 咆哮, 吼叫, 叫',
  },
  {
    pose: 'eating',
    relation: 'holding',
    object: 'before',
    verbs:
      'eat/ate/eating, munch, nibble/nibbling, chew, graze/grazing, drink/drank/drinking, sip/sipping, lick, bite/biting/bit, feed on, devour, dine/dining, taste/tasting',
    forms: '吃, 吃着, 喝, 喝着, 啃, 品尝, 吃草, 喝水, 品茶, 喝茶, 喝咖啡, 舔, 野餐, 吃饭, 享用, 进食, 品',
  },
  {
    pose: 'kneeling',
    verbs: 'kneel/knelt, crawl, pray, bow, meditate/meditating, do yoga, propose/proposing',
    forms: 'doing yoga, praying, 跪, 跪着, 祈祷, 冥想, 打坐, 做瑜伽, 瑜伽, 求婚, 鞠躬',
  },
  { pose: 'climbing', relation: 'on', verbs: 'climb, scale/scaling', forms: '爬, 攀爬, 攀登, 爬上, 爬山, 登山, 攀岩, 爬树, 爬着' },
  { pose: 'fishing', verbs: 'fish/fishing', forms: '钓鱼, 垂钓, 捕鱼, 打鱼, 独钓' },
  {
    pose: 'working',
    relation: 'holding',
    object: 'before',
    verbs:
      'work, repair, fix, build/built, hammer, dig/digging/dug, sweep/swept, clean, plant, harvest, write/wrote/writing, type/typing, weld, sew, knit/knitting, garden/gardening, wash, conduct, plow, plough, pick/picking, cut/cutting, slice/slicing, chop/chopping, tune/tuning, carve/carving, saw/sawing, scrub/scrubbing, polish, iron/ironing, shave/shaving, assemble/assembling',
    forms:
      '卖, 卖菜, 买, 工作, 修理, 打扫, 种, 种植, 收割, 耕地, 劳动, 干活, 写作, 打字, 搬运, 打铁, 修车, 织毛衣, 插秧, 洗, 做, 讲课, 耕作, 采摘, 采茶, 打工, 办公',
  },
  {
    pose: 'looking',
    relation: 'facing',
    object: 'before',
    verbs:
      'feed/fed/feeding, find/found/finding, discover, look at, watch, gaze at, gaze, stare at, stare, observe, admire, look, face, view, peer, glance, overlook',
    forms:
      'looking up at, looking out at, gazing up at, gazing out at, staring into, gazing into, looking into, looking out of, looking out over, looking over, looking through, peeking out of, peeking from, watching over, looking up, looking down, looking out, looking back, gazing up, gazing out, gazing upon, looking towards, looking toward, listening to, listening, smiling at, 看, 看着, 望着, 凝视, 观看, 眺望, 注视, 仰望, 观赏, 欣赏, 望向, 面向, 面对, 盯着, 遥望, 看向, 抬头看, 抬头望, 倾听, 听, 俯视着, 守望, 赏',
  },
  {
    pose: 'fighting',
    relation: 'facing',
    object: 'before',
    verbs: 'fight, battle/battling, duel/dueling, attack, wrestle/wrestling',
    forms: 'fighting with, fighting against, battling against, 战斗, 打架, 对战, 搏斗, 对决, 决斗, 打斗',
  },
  {
    pose: 'riding',
    relation: 'riding',
    verbs: 'ride/rode/riding, mount, drive/drove/driving, pilot, pedal, steer',
    forms:
      'riding on, riding on the back of, riding on top of, riding atop, sitting astride, on horseback on, 骑, 骑着, 骑在, 驾驶, 开着, 驾着, 驾, 开车, 乘坐, 乘, 坐着船, 划着, 划, 乘着, 驾驶着, 骑坐',
  },
  {
    pose: 'holding',
    relation: 'holding',
    object: 'held',
    verbs:
      'spray, show/showing, open/opening, blow/blew/blowing, hold/held, carry/carries/carried/carrying, grip/gripping, clutch, wield, raise/raising, lift, grasp, catch/caught, bring, share/sharing, swing, balance/balancing, use/using, examine/examining, inspect, ring/rang/ringing, juggle/juggling, smoke/smoking, shoot/shot/shooting, put on/putting on/puts on, pick up/picking up/picks up',
    forms:
      'with a hand on, holding up, holding onto, flying a, flying the, 拿, 拿着, 握着, 握, 手持, 抱, 抱着, 提着, 举着, 捧着, 背着, 带着, 牵着, 撑着, 撑, 打着, 打伞:, 扛着, 拎着, 手拿, 手握, 拿起, 端着, 叼着, 怀抱, 手里拿着, 手中拿着, 手拿着, 抓着, 手捧, 托着, 举起, 放, 遛, 遛狗:, 放着风筝:, 挥舞着, 挎着, 手提, 衔着, 咬着',
  },
  {
    relation: 'wearing',
    verbs: 'wear/wore, sport',
    forms:
      'dressed in, dressed as, clad in, wearing, covered by a, wrapped in, 穿, 穿着, 戴, 戴着, 身穿, 头戴, 佩戴, 披着, 身着, 系着, 围着围巾:, 穿了, 戴了, 佩戴着, 头上戴着, 脖子上戴着, 裹着, 打着领带:, 披',
  },
  {
    relation: 'chasing',
    pose: 'running',
    verbs: 'chase/chasing, hunt, pursue/pursuing, follow',
    forms: '追, 追逐, 追赶, 追着, 跟着, 跟随, 追捕, 扑',
  },
  {
    pose: 'speaking',
    relation: 'facing',
    object: 'before',
    verbs:
      'speak/spoke/speaking, talk, chat/chatting, argue/arguing, whisper, discuss, lecture/lecturing, teach/taught/teaching, greet, interview, preach',
    forms:
      'talking to, talking with, speaking to, speaking with, chatting with, arguing with, whispering to, talks to, talks with, speaks to, telling a story to, giving a speech, giving a speech to, gives a speech, making a speech, delivering a speech, giving a lecture, giving a lecture to, giving a presentation, giving a talk, making an announcement, 聊天, 交谈, 演讲, 说话, 讲课, 谈话',
  },
  {
    pose: 'giving',
    relation: 'holding',
    object: 'held',
    verbs: 'give/gave/given/giving, hand, offer, deliver, serve/serving, exchange/exchanging',
    forms: 'presenting, handing over, handing out, 送, 送给, 递, 递给, 献',
  },
  {
    pose: 'reaching',
    relation: 'facing',
    object: 'before',
    verbs: 'pet/petting, stroke/stroking, touch, poke/poking, enter, brush, groom, comb/combing, dress, tickle/tickling',
    forms:
      'boarding, exiting, holding hands, holding hands with, hand in hand, arm in arm, shaking hands with, shaking hands, shake hands, shakes hands, handshake, giving a high five to, high-fiving, high fiving, banging on, bangs on, knocking on, knocks on, reaching for, reaching out to, pointing at, pointing to, getting into, gets into, getting in, getting out of, stepping into, climbing into, stooping down to enter, 握手, 击掌, 抚摸, 摸',
  },
  {
    pose: 'hugging',
    relation: 'holding',
    object: 'held',
    verbs:
      'hug/hugging, embrace/embracing, cradle/cradling, cuddle/cuddling, kiss, rescue/rescuing, save/saving, snuggle/snuggling, comfort',
    forms: 'kissing, hugging each other, embracing each other, kissing each other, 拥抱, 搂着, 亲吻',
  },
  { pose: 'playing', relation: 'holding', object: 'held', verbs: 'play with', forms: 'playing with' },
  {
    pose: 'pushing',
    relation: 'facing',
    object: 'before',
    verbs: 'push, shove/shoving',
    forms: '推着, 推',
  },
  {
    pose: 'pushing',
    look: 'pulling',
    relation: 'facing',
    object: 'before',
    verbs: 'pull, drag/dragging, tow, haul',
    forms: '拖着, 拉着',
  },
  { pose: 'throwing', relation: 'holding', object: 'before', verbs: 'throw/threw, toss, hurl', forms: 'pitching, 扔, 投, 投掷, 抛' },
  { pose: 'kicking', relation: 'holding', object: 'before', verbs: 'kick, dribble/dribbling', forms: '踢着, 踢球' },
  { pose: 'pouring', relation: 'holding', object: 'before', verbs: 'pour', forms: '倒, 倒着, 倾倒' },
  {
    pose: 'looking',
    look: 'with camera',
    verbs: 'photograph/photographing',
    forms:
      'taking photos, taking photos of, taking pictures, taking pictures of, taking a photo, taking a photo of, taking a picture, taking a picture of, taking photographs, takes a photo of, taking selfies, taking a selfie, filming, 拍照, 照相, 摄影',
  },
  { pose: 'riding', relation: 'on', verbs: 'surf' },
  { pose: 'pouring', look: 'with watering can', relation: 'facing', object: 'before', verbs: 'water', forms: '浇水, 浇花' },
  {
    pose: 'waving',
    verbs: 'direct',
    forms:
      'directing traffic, raising her hand, raising his hand, raises her hand, raises his hand, raising their hands, raising a hand, 举手',
  },
  { pose: 'leaning', verbs: 'lean', forms: '倚, 倚靠' },
  { look: 'with pipe', forms: 'smoking a pipe, smoking his pipe, smoking her pipe, smokes a pipe, puffing on a pipe, 抽烟斗' },
  { pose: 'working', look: 'with mop', forms: 'mopping the floor, mopping the floors, mops the floor, mopping, 拖地' },
  {
    pose: 'jumping',
    look: 'with basketball',
    forms: 'dunking, dunks, slam dunking, dunking a basketball, dunking the ball, dunking a ball, 扣篮',
  },
  { look: 'back to back', forms: 'back to back, back-to-back, standing back to back, sitting back to back, 背靠背, 背对背' },
  {
    look: 'happy',
    verbs: 'smile/smiling, laugh, grin/grinning',
    forms: 'smiling happily, laughing, 微笑, 笑, 大笑, 笑着, 微笑着, 开怀大笑, 露出笑容, 面带微笑',
  },
  {
    relation: 'holding',
    object: 'held',
    forms: 'breathing, breathes, breathing out, breathes out, spitting, spits, spewing, spews, belching, blowing out, 喷, 喷出, 喷着, 喷吐',
  },
  {
    look: 'overhead',
    forms:
      'above its head, over its head, above his head, over his head, above her head, over her head, above their heads, over their heads, above their head, over their head, overhead in both hands, 举过头顶',
  },
  {
    pose: 'standing',
    look: 'upright',
    forms: 'upright, standing upright, on its hind legs, on hind legs, on their hind legs, on two legs, standing up, 直立, 直立行走',
  },
  {
    look: 'wings spread',
    forms:
      'with its wings spread, with wings spread, with wings outstretched, with its wings outstretched, with outstretched wings, with spread wings, with open wings, with its wings open, with wings open, with its wings spread wide, with wings spread wide, with its wings wide open, with their wings spread, wings spread, wings outstretched, spreading its wings, spreading their wings, spreads its wings, flapping its wings, flaps its wings, opening its wings, stretching its wings, 张开翅膀, 展开翅膀, 拍打翅膀',
  },
  {
    pose: 'standing',
    look: 'spraying',
    forms:
      'spraying water, sprays water, spraying water with its trunk, spraying water from its trunk, sprays water with its trunk, squirting water, squirts water, shooting water, blowing water, spraying itself with water, 喷水',
  },
  { pose: 'sitting', look: 'sliding', verbs: 'slide/slid/sliding', forms: 'sliding down, sliding across, belly sliding, 滑行, 滑下' },
  { look: 'sad', verbs: 'cry/crying, weep/wept, frown, sob/sobbing', forms: '哭, 哭泣, 流泪, 皱眉' },
  { look: 'angry', verbs: 'growl, snarl', forms: '怒吼, 生气着' },
  {
    look: 'stacked',
    forms:
      'stacked, stacked up, stacked high, stacked vertically, stacked on top of each other, stacked on top of one another, on top of each other, on top of one another, one on top of the other, one on top of another, standing on top of each other, standing on top of one another, sitting on top of each other, standing on each others shoulders, balanced on top of each other, balancing on top of each other, 叠在一起, 叠着, 叠罗汉',
  },
  { look: 'piled', forms: 'piled, piled up, piled high, heaped, heaped up, 堆在一起, 堆着' },
  { pose: 'speaking', look: 'shouting', verbs: 'shout, scream, yell', forms: 'shouting at, screaming at, yelling at, 喊, 大喊, 叫喊' },
]

/** Verbs that have no effect of their own. They only connect a thing to its surroundings or its
 *  location, as in "a lamp hangs above the table". */
export const linkingVerbs =
  'hang, extend, extends, extending, frame, frames, framing, stretch, stretches, line, lines, overhang, contain, contains, depict, run by, figure out, figuring out, trying to figure out, doing, does, do tricks, doing tricks, cover, covers, fill, fills, covered, located, situated, placed, set, lit, illuminated, standing tall, nestled, parked, moored, anchored, hanging, hangs, hung, sits atop, floating, floats, drifting, drifts, sailing, sails, cruising, burning, shining, shines, shine, blooming, blossoming, in bloom, in full bloom, glistening, flowing, flows, rolling, falling, growing, grows, stretching, stretches, scattered, arranged, served, displayed, bathed, framed, surround, reflected, reflecting, emerging, rising, swaying, fluttering, melting, steaming, crackling, twinkling, erupting, crashing, winding, leading, filling, filled, covering, lying there, lined, dotted, topped, decorated, adorned, waiting, wait, waits, going, coming, getting, making, being, seen, set against, set in, taken, hidden, hiding, tucked, gathered, gathering, made, enjoying, enjoy, enjoys, camping, meeting, hanging out, spread, stuck, open, opened, closed, blowing, beating, returning, exploring, explore, explores, celebrated, living, looming, leaning, leaning against, tied, attached, resting, docked, landing, landed, launching, blasting off, departing, arriving, passing, crossing, turning, moving, swimming around, orbiting, 躲, 躲着, 躲在, 横跨, 跨越, 架在, 手牵手, 牵手, 放着, 放, 摆着, 摆放, 摆放着, 挂着, 挂, 漂浮, 漂, 漂着, 飘着, 盛开, 开满, 绽放, 长满, 布满, 铺满, 映照, 倒映, 照耀, 位于, 坐落, 坐落于, 坐落在, 生长, 生长着, 长着, 燃烧, 闪耀, 航行, 行驶着, 驶过, 流过, 流淌, 盛满, 装满, 停放着, 飞满, 开着花, 摇曳, 洒满, 洒在, 照在, 照亮, 散落, 散落着, 环抱, 点缀, 点缀着, 露营, 等待, 等, 排列, 挤满, 覆盖, 覆盖着, 悬挂, 悬挂着, 开放, 飘落, 缭绕, 弥漫, 掩映, 开着, 开, 冒着, 冒着热气, 冒着烟, 插着, 装着, 盛着, 种着, 住着, 坐满, 站满, 堆满, 倒映着, 映着, 藏着, 隐藏, 静静, 静静地, 慢慢, 缓缓, 轻轻, 高高, 悠闲, 悠闲地, 开心地, 快乐地, 正在, 正, 着, 起来, 下来, 过来, 出来, 进去, 起, 升起, 落下, 落, 洒下, 倾泻, 喷发, 航行着, 驶向, 回家, 出发, 探险, 旅行, 闪着, 闪着光, 亮着, 亮着灯, 点着, 燃烧着, 熊熊燃烧, 行走着, 来来往往, 穿梭, 延伸, 蜿蜒, 矗立着, 坐着的, 有说有笑'

/** Returns all forms of a verb: `sit/sat/sitting` gives sit, sits, sat, sitting. */
export function verbForms(item: string): string[] {
  const [head = '', ...irregular] = item.split('/').map(form => form.trim())
  const [base = '', ...rest] = head.split(' ')
  const tail = rest.length === 0 ? '' : ` ${rest.join(' ')}`
  const forms = [
    base,
    thirdPerson(base),
    ...(irregular.some(form => form.endsWith('ing')) ? [] : [progressive(base)]),
    ...(irregular.length > 0 ? irregular : [past(base)]),
  ]
  return [...new Set(forms)].map(form => `${form}${tail}`)
}

function thirdPerson(base: string): string {
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`
  return /(s|x|z|ch|sh|o)$/.test(base) ? `${base}es` : `${base}s`
}

function progressive(base: string): string {
  return /[^e]e$/.test(base) ? `${base.slice(0, -1)}ing` : `${base}ing`
}

function past(base: string): string {
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  return base.endsWith('e') ? `${base}d` : `${base}ed`
}
