import type { PersonHint } from './entry.ts'

/** A word for a person, with the appearance that it implies and its Chinese translation. All these
 *  words have the drawing `rig:person`. */
interface PersonWord {
  noun: string
  hint: PersonHint
  heightMetres: number
  words: string[]
  wordsZh: string[]
}

const heights = { baby: 0.7, child: 1.2, adult: 1.72, elder: 1.66 } as const

/** One line per word: noun | age | gender | role (`-` for none, `=` for the noun itself) | other
 *  English words | Chinese words */
const rows = `
person | adult | any | - | human, human being, figure, individual, someone, somebody, silhouette, character, traveler, passerby, stranger, pedestrian, adult | 人 人物 一个人 行人 路人 旅人 成年人 人影 身影
people | adult | any | - | crowd, group of people, humans, folk, audience, couple, spectators, passengers, twins, duo, newlyweds | 人们 人群 众人 观众 情侣 夫妻 大家
woman | adult | woman | - | lady, female, mother, mom, mum, mommy, wife, aunt, girlfriend, miss, madam | 女人 女子 妇女 女士 女性 妈妈 母亲 阿姨 妻子 美女 姑娘 少妇
man | adult | man | - | gentleman, guy, male, father, dad, daddy, husband, uncle, boyfriend, fellow, dude | 男人 男子 男士 男性 爸爸 父亲 叔叔 丈夫 先生 大叔 帅哥
girl | child | woman | - | little girl, daughter, sister, schoolgirl, niece | 女孩 小女孩 女儿 女生 女童 妹妹 姐姐 丫头
boy | child | man | - | little boy, son, brother, schoolboy, lad, nephew | 男孩 小男孩 儿子 男生 男童 弟弟 哥哥 小伙子
child | child | any | - | kid, toddler, youngster, youth, children, schoolchild, schoolchildren, schoolkid, preschooler | 孩子 小孩 儿童 小朋友 小孩子 孩童 宝宝
young woman | adult | woman | - | teenage girl, young lady, maiden, teen girl | 少女 年轻女子 年轻女人 年轻女孩 女青年
young man | adult | man | - | teenage boy, teenager, teen | 少年 年轻男子 青年 年轻人 男青年
baby | baby | any | - | infant, newborn, baby boy, baby girl | 婴儿 新生儿 小宝宝 宝贝
old man | elder | man | - | grandfather, grandpa, elderly man, granddad, elder | 老人 老爷爷 爷爷 老头 老汉 祖父 外公 老先生
old woman | elder | woman | - | grandmother, grandma, granny, elderly woman, old lady | 老奶奶 奶奶 老太太 祖母 外婆 老妇人
firefighter | adult | any | = | fireman, firewoman, fire fighter | 消防员 消防队员
astronaut | adult | any | = | cosmonaut, spaceman, taikonaut, space traveler | 宇航员 航天员 太空人
chef | adult | any | = | cook, baker, pastry chef | 厨师 大厨 面包师 厨子
doctor | adult | any | = | physician, surgeon, medic, health worker, dentist, vet, veterinarian | 医生 大夫 牙医 医师 外科医生 兽医
nurse | adult | woman | = | | 护士
teacher | adult | any | = | professor, tutor, instructor | 老师 教师 教授
student | adult | any | = | pupil, graduate, scholar | 学生 大学生 小学生 中学生 毕业生
farmer | adult | any | = | peasant, gardener, rancher, shepherd | 农民 农夫 园丁 牧羊人 牧童
police officer | adult | any | police | policeman, policewoman, cop, sheriff | 警察 警官 交警 民警
soldier | adult | any | = | warrior, trooper, guard, fighter, army man | 士兵 军人 战士 卫兵 武士 将军
knight | adult | man | = | crusader, paladin, knight in armor, knight in armour | 骑士 铠甲骑士
samurai | adult | man | = | ronin, swordsman | 日本武士 浪人 侠客 剑客
thief | adult | man | = | burglar, robber, bandit, beggar | 小偷 强盗 窃贼 乞丐
ninja | adult | any | = | | 忍者
pirate | adult | man | = | buccaneer, pirate captain | 海盗
sailor | adult | any | = | captain, seaman, mariner | 水手 船长 海员
fisherman | adult | man | = | angler, fisher | 渔夫 渔民 钓鱼人 渔翁
pilot | adult | any | = | aviator, airman | 飞行员 机长
scientist | adult | any | = | chemist, researcher, physicist, inventor | 科学家 研究员 化学家 发明家
engineer | adult | any | = | mechanic, technician, repairman, plumber, electrician | 工程师 机械师 技工 修理工 技师
construction worker | adult | any | builder | builder, worker, carpenter, bricklayer | 建筑工人 工人 木匠 建筑工
lumberjack | adult | man | = | woodcutter, logger | 伐木工 樵夫
miner | adult | man | builder | | 矿工
artist | adult | any | = | painter | 艺术家 画家
musician | adult | any | = | guitarist, violinist, pianist, drummer, cellist, saxophonist, flutist, flautist, trumpeter, harpist, accordionist, street musician, rock musician, bassist, busker | 音乐家 乐手 吉他手 钢琴家 小提琴手 鼓手
band | adult | any | = | rock band, jazz band, pop band, punk band, music band, quartet, string quartet, orchestra | 乐队 乐团 管弦乐队
choir | adult | any | singer | chorus, gospel choir | 合唱团
singer | adult | any | = | vocalist, rock star | 歌手 歌唱家 歌星
dancer | adult | any | = | | 舞者 舞蹈家 跳舞的人
ballerina | adult | woman | = | ballet dancer | 芭蕾舞者 芭蕾舞演员
actor | adult | any | = | actress, movie star, performer | 演员 明星 女演员
clown | adult | any | = | jester, mime | 小丑
magician | adult | man | = | conjurer, illusionist | 魔术师
wizard | adult | man | = | mage, sorcerer, warlock, old wizard | 巫师 魔法师 法师
witch | adult | woman | = | sorceress, enchantress | 女巫 巫婆 魔女
king | adult | man | = | emperor, monarch, sultan, pharaoh | 国王 皇帝 大王
queen | adult | woman | = | empress | 女王 皇后 王后
prince | adult | man | = | | 王子
princess | adult | woman | = | | 公主
bride | adult | woman | = | | 新娘
groom | adult | man | = | bridegroom | 新郎
businessman | adult | man | business | business person, office worker, manager, lawyer, banker, salesman, politician, president, senator, mayor, public speaker, orator, news anchor | 商人 上班族 白领 律师 经理 老板
businesswoman | adult | woman | business | secretary | 女商人 女白领 秘书
detective | adult | any | = | spy, investigator | 侦探 间谍
judge | adult | any | = | | 法官
waiter | adult | man | = | bartender, barista, butler | 服务员 侍者 咖啡师 调酒师
waitress | adult | woman | waiter | maid | 女服务员 女仆
hairdresser | adult | any | apron | barber, tailor, shopkeeper, florist, seller, vendor, potter, blacksmith | 理发师 裁缝 店主 小贩 花店老板 铁匠 售货员
postman | adult | any | postman | mail carrier, mailman, courier, delivery man, postal worker, mail deliverer | 邮递员 快递员 外卖员 送货员
driver | adult | any | driver | taxi driver, truck driver, chauffeur | 司机 驾驶员
photographer | adult | any | = | cameraman | 摄影师
writer | adult | any | writer | author, poet, journalist, reporter, librarian | 作家 诗人 记者 作者 图书管理员
reader | adult | any | - | | 读者
programmer | adult | any | programmer | coder, hacker, developer, software engineer, gamer | 程序员 黑客 开发者
cowboy | adult | man | = | gaucho | 牛仔
cowgirl | adult | woman | cowboy | | 女牛仔
monk | adult | man | = | priest, buddhist monk | 和尚 僧人 牧师 神父 道士
nun | adult | woman | = | | 修女 尼姑
hiker | adult | any | = | tour guide, mountaineer, climber, backpacker, explorer, adventurer, camper | 登山者 徒步者 探险家 背包客 冒险家
tourist | adult | any | = | sightseer, holidaymaker, vacationer | 游客 旅客
athlete | adult | any | athlete | runner, jogger, sprinter, player | 运动员 跑步者 跑者 选手
footballer | adult | any | athlete | football player, soccer player, goalkeeper | 足球运动员 球员 守门员 足球员
team | adult | any | athlete | sports team, soccer team, football team, basketball team, baseball team, hockey team, squad | 球队 团队 队伍
cricketer | adult | any | = | batsman, cricket player, baseball player, batter | 板球运动员 棒球运动员
tennis player | adult | any | = | badminton player, squash player | 网球选手
basketball player | adult | any | athlete | volleyball player, rugby player, hockey player, golfer, cheerleader, weightlifter, bodybuilder, jockey | 篮球运动员 篮球员
skier | adult | any | skier | snowboarder | 滑雪者 滑雪的人
surfer | adult | any | surfer | | 冲浪者
swimmer | adult | any | swimmer | diver, lifeguard | 游泳者 救生员 泳者
scuba diver | adult | any | diver | | 潜水员
cyclist | adult | any | cyclist | biker, motorcyclist, bicyclist, rider | 骑行者 骑车人 骑手 车手
skater | adult | any | athlete | skateboarder, ice skater, figure skater | 滑冰者 滑板少年
boxer | adult | man | boxer | wrestler | 拳击手 拳手
yogi | adult | any | athlete | gymnast | 瑜伽者 体操运动员
superhero | adult | any | = | super hero, hero, superheroine | 超级英雄 英雄 超人
angel | adult | any | = | | 天使
fairy | adult | woman | = | elf, pixie | 仙女 精灵 小仙女 小精灵
vampire | adult | man | = | dracula, count | 吸血鬼
zombie | adult | any | = | | 僵尸 丧尸
santa claus | elder | man | santa | santa, father christmas | 圣诞老人 圣诞爷爷
viking | adult | man | = | barbarian, valkyrie | 维京人
gladiator | adult | man | legionary | roman soldier, spartan, legionary, centurion, roman warrior, roman legionary | 角斗士 罗马士兵
archer | adult | any | = | hunter, ranger, robin hood | 弓箭手 猎人 射手
elf princess | adult | woman | fairy | | 精灵公主
geisha | adult | woman | geisha | woman in kimono | 艺妓
giant | adult | man | - | | 巨人
dwarf | elder | man | dwarf | gnome, leprechaun | 矮人 小矮人 侏儒
student girl | child | woman | student | | 女学生
student boy | child | man | student | | 男学生
family | adult | any | - | parents | 家人 家庭 一家人 父母
friend | adult | any | - | friends, buddy | 朋友 伙伴 好友 邻居
model | adult | woman | - | fashion model | 模特
`

/** Every word for a person, `person` first. */
export const personWords: readonly PersonWord[] = rows.trim().split('\n').map(parseRow)

function parseRow(line: string): PersonWord {
  const [noun = '', age = '', gender = '', role = '', words = '', wordsZh = ''] = line.split('|').map(cell => cell.trim())
  const years = parseAge(age)
  const hint: PersonHint = { age: years, gender: parseGender(gender) }
  if (role !== '-') hint.role = role === '=' ? noun : role
  return {
    noun,
    hint,
    heightMetres: heights[years],
    words: words.split(',').flatMap(word => word.trim() || []),
    wordsZh: [...new Set(wordsZh.split(' '))].filter(word => word !== ''),
  }
}

function parseAge(text: string): PersonHint['age'] {
  if (text === 'baby' || text === 'child' || text === 'adult' || text === 'elder') return text
  throw new RangeError(`${text} is not an age of the table of people`)
}

function parseGender(text: string): PersonHint['gender'] {
  if (text === 'woman' || text === 'man' || text === 'any') return text
  throw new RangeError(`${text} is not a gender of the table of people`)
}
