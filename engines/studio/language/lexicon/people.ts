import type { BodyPart } from '../../scene.ts'
/** Garments in which people can be drawn, by the kind that the drawing functions know; each with
 *  its words. */
export const garmentRows: Record<string, string> = {
  shirt:
    'shirt, blouse, top, polo shirt, uniform shirt, dress shirt, button-up, flannel, tunic, vest, waistcoat, corset, overalls, dungarees, 衬衫, 衬衣, 上衣, 衣服, 衣裳, 衣衫, 背心, 马甲, 背带裤',
  't-shirt': 't-shirt, tshirt, tee, t shirt, tank top, jersey, crop top, t恤, 短袖, t恤衫, 吊带, 球衣',
  'leather-jacket': 'leather jacket, biker jacket, motorcycle jacket, black leather jacket, 皮夹克, 皮衣',
  jacket:
    'jacket, denim jacket, blazer, bomber jacket, windbreaker, down jacket, puffer jacket, ski suit, 夹克, 外套, 西装外套, 羽绒服, 冲锋衣, 滑雪服',
  coat: 'coat, raincoat, rain coat, trench coat, overcoat, lab coat, winter coat, parka, fur coat, cloak, poncho, 大衣, 雨衣, 风衣, 白大褂, 棉袄, 棉衣, 雨披, 蓑衣',
  tuxedo: 'tuxedo, tux, tailcoat, dinner jacket, formal clothes, formal wear, evening suit, formal attire, 礼服, 燕尾服, 晚礼服',
  suit: 'suit, business suit, three-piece suit, wetsuit, costume, jumpsuit, 西装, 西服, 套装, 连体衣, 服装, 戏服, 中山装, 唐装',
  hoodie: 'hoodie, hooded sweatshirt, sweatshirt, 卫衣, 连帽衫, 连帽卫衣',
  sweater:
    'sweater, jumper, pullover, cardigan, turtleneck, knitwear, knitted sweater, christmas sweater, 毛衣, 针织衫, 开衫, 高领毛衣, 圣诞毛衣',
  dress:
    'dress, gown, ball gown, wedding dress, sundress, evening gown, evening dress, frock, summer dress, ballgown, hanfu, cheongsam, qipao, sari, tutu, hanbok, 连衣裙, 裙子, 长裙, 礼裙, 婚纱, 汉服, 旗袍, 公主裙, 舞裙, 纱裙, 红裙, 白裙, 裙装, 纱丽, 古装, 连身裙, 芭蕾舞裙',
  kilt: 'kilt, tartan kilt, plaid kilt, 苏格兰裙',
  skirt: 'skirt, miniskirt, mini skirt, pleated skirt, 短裙, 半身裙, 百褶裙, 超短裙',
  trousers: 'trousers, pants, slacks, leggings, breeches, 裤子, 长裤, 西裤, 紧身裤',
  jeans: 'jeans, denim, blue jeans, denim jeans, 牛仔裤',
  shorts: 'shorts, boxer shorts, board shorts, 短裤, 泳裤',
  uniform:
    'uniform, school uniform, military uniform, sportswear, tracksuit, police uniform, scrubs, 制服, 校服, 军装, 运动服, 警服, 工作服, 球服, 护士服',
  robe: 'robe, bathrobe, wizard robe, robes, toga, habit, dressing gown, pajamas, pyjamas, nightgown, hooded robe, 长袍, 袍子, 浴袍, 道袍, 睡衣, 法袍, 长衫, 僧袍, 龙袍, 睡袍',
  apron: 'apron, 围裙',
  gloves: 'gloves, glove, mittens, boxing gloves, 手套',
  belt: 'belt, leather belt, 腰带',
  spacesuit: 'spacesuit, space suit, astronaut suit, 宇航服, 太空服, 航天服',
  armour:
    'armour, armor, suit of armor, suit of armour, chainmail, plate armor, plate armour, shining armor, shining armour, 盔甲, 铠甲, 甲胄, 战甲, 护甲',
  kimono: 'kimono, yukata, 和服, 浴衣',
  swimsuit: 'swimsuit, bikini, bathing suit, swimming trunks, trunks, swimwear, 泳衣, 比基尼, 游泳衣, 泳装',
  boots: 'boots, rain boots, rubber boots, cowboy boots, leather boots, wellingtons, snow boots, 靴子, 雨靴, 雨鞋, 长靴, 皮靴, 马靴',
  shoes:
    'shoes, sneakers, sandals, heels, high heels, slippers, trainers, loafers, 鞋子, 鞋, 运动鞋, 高跟鞋, 凉鞋, 拖鞋, 球鞋, 舞鞋, 皮鞋, 布鞋',
}

/** Things worn on the head, face, neck or back, by the kind that the drawing functions know; each
 *  with its words. */
export const wornRows: Record<string, string> = {
  hat: 'hat, fedora, winter hat, felt hat, bonnet, fur hat, 帽子, 毡帽, 小帽子',
  'top-hat': 'top hat, tophat, top-hat, silk hat, 礼帽, 高帽, 高顶礼帽, 大礼帽',
  'bowler-hat': 'bowler hat, bowler, derby hat, 圆顶礼帽',
  'straw-hat': 'straw hat, sun hat, conical hat, 草帽, 遮阳帽, 斗笠',
  beanie: 'beanie, woolly hat, knit hat, wool hat, knitted hat, ski hat, toque hat, 毛线帽',
  beret: 'beret, 贝雷帽',
  'party-hat': 'party hat, birthday hat, dunce hat, 派对帽, 生日帽',
  'santa-hat': 'santa hat, christmas hat, santa claus hat, 圣诞帽',
  'pirate-hat': 'pirate hat, tricorn, tricorne, 海盗帽',
  'bucket-hat': 'bucket hat, fishing hat, 渔夫帽',
  'graduation-cap': 'graduation cap, mortarboard, graduation hat, 学士帽',
  turban: 'turban, 头巾',
  'peaked-cap':
    "conductor hat, conductor's hat, conductors hat, conductor’s hat, train conductor's hat, train conductor’s hat, police hat, police cap, captain's hat, captain hat, sea captain's hat",
  cap: 'cap, baseball cap, flat cap, sailor cap, baseball hat, 鸭舌帽, 棒球帽, 水手帽',
  crown: 'crown, laurel wreath, wreath, 皇冠, 王冠, 头冠, 凤冠',
  tiara: 'tiara, diadem',
  'flower-crown': 'flower crown, crown of flowers, wreath of flowers, 花环, 花冠',
  helmet: 'helmet, hard hat, safety helmet, 安全帽, 钢盔, 头盔',
  'motorcycle-helmet': 'motorcycle helmet, racing helmet, motorbike helmet, 摩托车头盔',
  'bike-helmet': 'bike helmet, bicycle helmet, cycling helmet',
  'space-helmet': "astronaut's helmet, astronaut helmet, space helmet, spacesuit helmet",
  'viking-helmet': 'viking helmet, horned helmet',
  'knight-helmet': 'knight helmet, knights helmet',
  glasses:
    'glasses, eyeglasses, spectacles, monocle, reading glasses, round glasses, rimmed glasses, horn-rimmed glasses, nerd glasses, 眼镜, 圆框眼镜, 黑框眼镜, 墨镜框',
  goggles: 'goggles, aviator goggles, ski goggles, safety goggles, swimming goggles, steampunk goggles, 护目镜',
  'eye-patch': 'eyepatch, eye patch, 眼罩',
  sunglasses: 'sunglasses, sun glasses, shades, dark glasses, aviators, aviator sunglasses, 太阳镜, 墨镜, 太阳眼镜',
  scarf: 'scarf, shawl, neckerchief, boa, 围巾, 披肩, 丝巾, 红领巾',
  tie: 'tie, necktie, neck tie, 领带',
  'bow-tie': 'bow tie, bowtie, bow-tie, 领结, 蝴蝶领结',
  necklace: 'necklace, pearl necklace, bead necklace, pearls, pendant, chain necklace, gold chain, lei, collar, medal, 项链, 项圈',
  earrings: 'earrings, earring, pearl earring, hoop earrings, 耳环',
  backpack: 'backpack, rucksack, knapsack, school bag, 背包, 书包, 双肩包',
  cape: 'cape, superhero cape, 披风, 红披风, 斗篷',
  mask: 'mask, face mask, gas mask, surgical mask, 口罩, 防毒面具, 面罩, 面具',
  'eye-mask': 'masquerade mask, eye mask, domino mask, carnival mask, venetian mask, 眼部面具',
  headphones: 'headphones, headset, earphones, earmuffs, earbuds, 耳机, 头戴式耳机, 耳罩',
  'witch-hat': "witch hat, wizard hat, pointed hat, pointy hat, witch's hat, wizard's hat, 巫师帽, 女巫帽, 魔法帽, 尖帽",
  'chef-hat': "chef hat, chef's hat, toque, white chef hat, 厨师帽",
  'cowboy-hat': 'cowboy hat, stetson, sombrero, cowboy hats, 牛仔帽, 宽边帽',
  hijab: 'hijab, headscarf, head scarf, 盖头',
  veil: 'veil, bridal veil, wedding veil, 面纱, 头纱',
  bandana: 'bandana, bandanna, head bandana',
  headband: 'headband, sweatband, hairband, 发箍',
  ribbon: 'ribbon, hair ribbon, bow, hair bow, hairpin, 蝴蝶结, 发带, 丝带, 发卡, 发簪, 头花',
  'hair-flower': 'flower in her hair, flowers in her hair, flower in his hair',
  moustache: 'moustache, mustache, handlebar moustache, handlebar mustache, mustached, 小胡子, 八字胡',
  'bunny-ears': 'bunny ears, rabbit ears',
}

/** Hair colours as `#rrggbb`, by the name of the colour. Hair in a colour that is not listed, such
 *  as blue, has the usual tone of that colour. */
export const hairColours: Record<string, string> = {
  red: '#b5482a',
  orange: '#c9641f',
  ginger: '#c9641f',
  blond: '#e8c874',
  yellow: '#e8c874',
  gold: '#e3bd62',
  brown: '#5a3825',
  'light brown': '#8c6239',
  'dark brown': '#3b2417',
  chestnut: '#6b3420',
  black: '#1d1a1c',
  grey: '#9a9a9c',
  white: '#eeeeec',
  silver: '#c9ccd3',
}

/** Phrases about hair: `words > colour name / style`; one of the two may be empty. */
export const hairRows = `
blonde, blond, fair-haired, golden-haired, blonde-haired, blond-haired, blonde hair, blond hair, golden hair, 金发, 金色头发 > blond /
redhead, red-haired, redheaded, red-headed, ginger-haired, red hair, ginger hair, auburn hair, 红发, 红头发, 红色头发 > red /
brunette, brown-haired, dark-haired, brown hair, dark hair, 棕发, 褐发, 棕色头发 > brown /
black-haired, raven-haired, black hair, raven hair, 黑发, 黑色头发, 黑头发 > black /
white-haired, silver-haired, grey-haired, gray-haired, white hair, 白发, 白头发, 白发苍苍, 银发, 白色头发, 满头白发 > white /
silver hair, grey hair, gray hair, 银色头发, 灰发 > silver /
pink-haired, pink hair, 粉发, 粉色头发, 粉红色头发 > pink /
blue-haired, blue hair, 蓝发, 蓝色头发 > blue /
green-haired, green hair, 绿发, 绿色头发 > green /
purple-haired, purple hair, violet hair, 紫发, 紫色头发 > purple /
orange hair, orange-haired, 橙色头发 > orange /
long-haired, long hair, flowing hair, 长发, 长头发, 长发飘飘, 披肩发, 一头长发, 秀发 > / long
short-haired, short hair, cropped hair, buzz cut, 短发, 短头发, 寸头, 平头 > / short
curly-haired, curly hair, wavy hair, curls, curly, wavy, 卷发, 卷头发, 波浪发, 大波浪 > / curly
bald, shaven-headed, bald head, hairless, 光头, 秃头, 秃顶 > / bald
hair bun, hair in a bun, bun, top knot, topknot, updo, 丸子头, 发髻, 盘发 > / bun
ponytail, pony tail, pigtails, pigtail, braid, braids, twin tails, twintails, braided hair, 马尾, 马尾辫, 辫子, 双马尾, 麻花辫, 羊角辫 > / ponytail
bob, bob cut, bob haircut, pixie cut, bangs, 波波头, 齐耳短发, 刘海 > / bob
afro, afro hair, dreadlocks, frizzy hair, 爆炸头, 脏辫 > / afro
`

export const hairNouns = 'hair, hairstyle, haircut, locks, mane of hair, 头发, 发型, 发丝, 毛发, 发'

export const beardWords =
  'beard, bearded, goatee, stubble, whiskers, long beard, full beard, facial hair, sideburns, 胡子, 大胡子, 络腮胡, 胡须, 白胡子, 长胡子, 白胡须'

/** Words about the skin, by its colour as `#rrggbb`. `person-look.ts` interprets phrases such as
 *  "black woman". */
export const skinRows: Record<string, string> = {
  '#6b4229':
    'dark-skinned, dark skin, african, african american, african-american, black-skinned, dark skinned, nigerian, kenyan, ethiopian, 黑人, 黑皮肤, 深色皮肤, 非洲人, 非裔',
  '#a9744f':
    'brown-skinned, tan skin, tanned, indian, latina, latino, hispanic, mexican, arab, middle eastern, brazilian, south asian, tanned skin, brown skin, 小麦色皮肤, 棕色皮肤, 印度人, 拉丁裔, 古铜色皮肤',
  '#e8bd97': 'asian, east asian, korean, vietnamese, thai, 亚洲, 亚裔, 中国女孩, 韩国, 日本女孩, 黄皮肤',
  '#f3d3bd':
    'pale, pale-skinned, fair-skinned, caucasian, light-skinned, pale skin, fair skin, scandinavian, russian, freckled, irish, 白皮肤, 白皙, 皮肤白皙, 白人, 欧洲人, 雀斑',
}

/** Words for parts of bodies and things that every drawing shows anyway. */
export const partWords =
  'eyes, eye, nose, mouth, ears, ear, tail, tails, face, legs, leg, arms, arm, feet, foot, hands, hand, finger, fingers, lips, cheeks, skin, smile, teeth, tooth, wings, wing, horns, horn, mane, fur, feathers, beak, paws, paw, claws, whiskers, hooves, fins, fin, scales, shell, trunk, tusks, spots, stripes, petals, petal, stem, stems, roots, branches, bark, wheels, wheel, wheel rims, wheel rim, rims, hubcaps, tires, tyres, grille, front grille, headlights, bumper, stripe, roof, roofs, chimney, windows, doors, walls, towers, turrets, battlements, sails, sail, mast, masts, hull, deck, cockpit, engine, headlights, handle, lid, frosting, icing, sprinkles, whipped cream, foam, steam, smoke, body, head, neck, back, shoulder, shoulders, chest, belly, lap, knees, hips, eyebrows, freckles, tears, expression, makeup, lipstick, tattoo, tattoos, bracelet, pockets, blades, blade, drawers, drawer, spout, rungs, rung, pedals, spokes, strings, keyhole, doorknob, hinges, shelves, propeller, propellers, rotors, visor, kickstand, handlebars, seat belt, headlight, saddle,  sleeves, socks, stockings, backdrop light, highlights, edge, edges, side, sides, top, bottom, front, shadow, shadows, silhouettes, ripples, rays, beams, twinkling lights, breath, rings, antlers, antler, tentacles, flames, interior, surroundings, 眼睛, 鼻子, 嘴, 嘴巴, 耳朵, 尾巴, 脸, 腿, 手, 手里, 手中, 手臂, 脚, 翅膀, 角, 鬃毛, 皮毛, 羽毛, 爪子, 身体, 头, 头上, 背上, 肩上, 肩膀, 屋檐, 烟囱, 车轮, 轮子, 花瓣, 枝叶, 表情, 笑容, 嘴里, 身上, 眼, 鳞片, 帆, 船帆, 皮肤, 眼神, 影子, 光芒, 倒影, 热气, 炊烟, 蒸汽, 涟漪, 水滴, 露珠, 奶油, 袜子, 胸前, 膝盖, 膝上, 脖子, 鹿角, 长鼻子, 大耳朵, 大眼睛, 光环, 泪水, 烟, 身后, 身边, 怀里, 怀中, 脚下, 头顶, 枝头'

/** Words that describe people and things and that no drawing shows. They are ignored, and not
 *  reported as missing from the picture. */
export const vagueWords =
  'punk rock, punk, punk-rock, hipster, studded, handsome, attractive, glamorous, stylish, fashionable, sexy, smart, clever, intelligent, kind, noble, heroic, loyal, focused, thoughtful, pensive, contemplative, excited, enthusiastic, energetic, careful, graceful, lone, single, alone, solitary, local, native, fellow, own, mighty, powerful, legendary, wild, tame, domestic, hungry, thirsty, lazy, sly, silly, goofy, naughty, mischievous, sweet, delicious, tasty, fresh, ripe, juicy, crispy, crunchy, homemade, freshly baked, organic, yummy, mouthwatering, whole, half, raw, cooked, baked, grilled, fried, spicy, sour, exotic, rare, precious, priceless, favorite, favourite, new, brand new, antique, strange, weird, odd, unusual, unique, special, secret, hidden, lost, distant, nearby, remote, isolated, lonesome, heavy-duty, comfortable, expensive, cheap, sleek, fast, speedy, slow, swift, quick, loud, silent, round, square, curved, straight, oval, triangular, flat-topped, pointed, sharp-edged, twisted, gnarled, steep, jagged, spiral, hollow, dense, bare, leafy, blooming, blossoming, budding, fallen, floating, hanging, lit, unlit, blue-eyed, green-eyed, brown-eyed, big-eyed, wide-eyed, bright-eyed, one-eyed, long-legged, long-eared, long-necked, four-legged, winged, horned, armored, armoured, bespectacled, well-dressed, barefoot, spirited, enchanting, mesmerizing, captivating, inspiring, dedicated, seasoned, weary, neat, organized, messy, 帅, 英俊, 聪明, 善良, 调皮, 淘气, 勤劳, 懒, 懒洋洋, 孤单, 独自, 新, 旧, 野生, 稀有, 奇怪, 特殊, 秘密, 安详, 慈祥, 年轻貌美, 圆, 方, 尖, 弯弯, 弯曲, 快, 慢, 飞快, 甜, 美丽动人, 婀娜, 文静, 认真, 专注, 忙碌, 悠然, 自由自在, 优雅地, 孤零零, 孤, 传说中, 神气, 机灵, 温顺, 调皮可爱, 憨态可掬, 憨厚, 憨, 灵巧, 天真, 天真烂漫, 鲜嫩, 饱满, 成熟果实, 香喷喷, 酥脆, 刚出炉, 清澈, 清新, 碧波荡漾, 波光粼粼, 陡峭, 茂盛, 挺拔, 苍翠, 娇艳, 美好, 蓝眼睛, 绿眼睛, 英勇, 威风凛凛, 威严, 风格化, 时尚, 潮流, 酷, 酷酷, 性感, 苗条'

/** Words for parts of the body on which somebody carries something, each with the point of the
 *  drawing at which the carried thing is placed. */
export const bodyParts: Record<string, BodyPart> = {
  shoulder: 'shoulder',
  shoulders: 'shoulder',
  neck: 'shoulder',
  head: 'head',
  hat: 'head',
  lap: 'lap',
  knee: 'lap',
  knees: 'lap',
  back: 'back',
}
